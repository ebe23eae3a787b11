import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';

const PANELS = [
  ['browser', t`Browser`],
  ['phone', t`Phone`],
  ['stream', t`What happens`],
] as const;
export type PanelName = (typeof PANELS)[number][0];

interface PanelTabsProps {
  value: PanelName;
  onChange: (panel: PanelName) => void;
}

/** Which of the three a small screen shows. They are pages that go on meanwhile, so these are switches and not tabs. */
export function PanelTabs({ value, onChange }: PanelTabsProps) {
  return (
    <chakra.div
      role="group"
      aria-label={t`Panels`}
      display="flex"
      gap="1"
      p="1"
      bg="bg.panel"
      borderRadius="l2"
      borderWidth="1px"
    >
      {PANELS.map(([name, label]) => (
        <chakra.button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
          flex="1"
          h="9"
          borderRadius="l1"
          textStyle="sm"
          fontWeight="medium"
          color="fg.muted"
          cursor="pointer"
          outline="0"
          focusVisibleRing="outside"
          css={{ '&[aria-pressed=true]': { bg: 'bg.emphasized', color: 'fg', fontWeight: 'semibold' } }}
        >
          {label}
        </chakra.button>
      ))}
    </chakra.div>
  );
}
