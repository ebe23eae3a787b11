import { Box, Flex, Kbd, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { areShortcutsOn, setShortcutsOn } from '#lib/browser/shortcut-keys.ts';
import { isMac, useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { hasPermission, useSession } from '#lib/session/session.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { menu, visibleMenu } from './menu.ts';
import { GO_KEYS } from './shortcuts.ts';

interface ShortcutsDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Lists the keyboard shortcuts. Shortcuts of a single key can be turned off (WCAG 2.2, 2.1.4). */
export default function ShortcutsDialog(dialog: ShortcutsDialogProps) {
  const [isOn, setIsOn] = useState(areShortcutsOn);
  const profile = useSession()?.profile;
  const hasRoom = useHasRoomForAdministration();
  const items = profile ? visibleMenu(menu, profile, hasRoom).flatMap((group) => group.items) : [];
  const screens = items.flatMap(({ label, to = '' }) => {
    const key = GO_KEYS[to];
    return key ? [{ label, keys: ['G', key.toUpperCase()] }] : [];
  });
  const change = (next: boolean) => {
    setShortcutsOn(next);
    setIsOn(next);
  };
  return (
    <Modal {...dialog} title={t`Keyboard shortcuts`} size="md">
      <Flex direction="column" gap="6">
        <Switch
          label={t`Single-key shortcuts`}
          help={t`Turn them off if they interfere with speech input or another tool. ${isMac() ? '⌘ K' : t`Ctrl K`} always works.`}
          isOn={isOn}
          onChange={change}
        />
        <Keys
          title={t`General`}
          shortcuts={[
            { label: t`Find anything`, keys: ['/'] },
            { label: t`Keyboard shortcuts`, keys: ['?'] },
          ]}
        />
        {hasRoom && hasPermission(profile, 'SEARCH_USER') && (
          <Keys
            title={t`List of members`}
            shortcuts={[
              { label: t`Next in the list`, keys: ['J'] },
              { label: t`Previous in the list`, keys: ['K'] },
              { label: t`Select`, keys: ['X'] },
              { label: t`Preview`, keys: [t`Space`] },
              { label: t`Open`, keys: [t`Enter`] },
            ]}
          />
        )}
        <Keys title={t`Go to`} shortcuts={screens} />
      </Flex>
    </Modal>
  );
}

interface KeysProps {
  title: string;
  shortcuts: readonly { label: string; keys: readonly string[] }[];
}

function Keys({ title, shortcuts }: KeysProps) {
  return (
    <Box as="section" aria-label={title}>
      <Text as="h3" pb="2" textStyle="sm" fontWeight="medium" color="fg.muted">
        {title}
      </Text>
      <Box as="dl" columnCount={{ sm: shortcuts.length > 6 ? 2 : 1 }} columnGap="8">
        {shortcuts.map(({ label, keys }) => (
          <Flex key={label} justify="space-between" gap="4" py="1" breakInside="avoid">
            <Text as="dt">{label}</Text>
            <Flex as="dd" gap="1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Flex>
          </Flex>
        ))}
      </Box>
    </Box>
  );
}
