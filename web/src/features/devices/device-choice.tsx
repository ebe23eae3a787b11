import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type DeviceType, getOrgSettings } from '@orchestrate/shared';
import { ChevronRight } from 'lucide-react';
import { useRead } from '../../lib/api/use-read.ts';
import { appDeniedText, isAppAllowed } from '../../lib/session/app-permission.ts';
import { useSession } from '../../lib/session/session.ts';
import { supportsPasskeys } from '../../lib/session/supports-passkeys.ts';
import { appSwitchObstacle, useOrgLoginOptions } from '../../login-options/org-login-options.ts';
import { DeviceIcon } from '../../ui/device-icon.tsx';

const kinds = [
  { type: 'mobile', title: t`Mobile`, text: t`A phone or tablet with the authenticator app` },
  { type: 'desktop', title: t`Desktop`, text: t`A computer with the desktop authenticator` },
  { type: 'webauthn', title: t`Passkey`, text: t`This device or a security key, without an app` },
] as const satisfies { type: DeviceType; title: string; text: string }[];

/**
 * What to add: an app only where the organisation and the profile permit it, a passkey only where the portal accepts
 * them.
 */
export function DeviceChoice({ onChoose }: { onChoose: (kind: DeviceType) => void }) {
  const session = useSession();
  const profile = session?.profile;
  const { data: organisation } = useRead(getOrgSettings, session ? { query: { code: session.orgId } } : null);
  const hasPasskeys = (organisation?.webAuthnEnabled ?? false) && supportsPasskeys();
  const offered = kinds.filter(({ type }) => type !== 'webauthn' || hasPasskeys);
  const { data: options } = useOrgLoginOptions();
  const obstacleOf = (type: DeviceType): string | undefined => {
    if (type === 'webauthn') return undefined;
    return appSwitchObstacle(type, options) ?? (isAppAllowed(profile, type) ? undefined : appDeniedText(profile));
  };
  return (
    <Flex direction="column" gap="3">
      {offered.map(({ type, title, text }) => (
        <Choice
          key={type}
          type={type}
          title={title}
          text={text}
          obstacle={obstacleOf(type)}
          onChoose={() => onChoose(type)}
        />
      ))}
    </Flex>
  );
}

interface ChoiceProps {
  type: DeviceType;
  title: string;
  text: string;
  /** Why it cannot be chosen. It stays reachable so that everybody can read it. */
  obstacle: string | undefined;
  onChoose: () => void;
}

function Choice({ type, title, text, obstacle, onChoose }: ChoiceProps) {
  const isAllowed = obstacle === undefined;
  return (
    <chakra.button
      type="button"
      aria-disabled={isAllowed ? undefined : true}
      onClick={() => isAllowed && onChoose()}
      display="flex"
      alignItems="center"
      gap="4"
      w="full"
      p="4"
      textAlign="start"
      borderWidth="1px"
      borderRadius="l3"
      cursor={isAllowed ? 'pointer' : 'not-allowed'}
      outline="0"
      focusVisibleRing="outside"
      transition="background-color 120ms, border-color 120ms"
      _hover={isAllowed ? { bg: 'bg.subtle', borderColor: 'border.emphasized' } : {}}
    >
      <Box opacity={isAllowed ? 1 : 0.5}>
        <DeviceIcon type={type} hasTile size={20} />
      </Box>
      <Box flex="1" minW="0">
        <Text fontWeight="semibold" color={isAllowed ? 'fg' : 'fg.muted'}>
          {title}
        </Text>
        <Text textStyle="sm" color="fg.muted">
          {obstacle ?? text}
        </Text>
      </Box>
      {isAllowed && (
        <Box color="fg.subtle">
          <ChevronRight size={18} aria-hidden />
        </Box>
      )}
    </chakra.button>
  );
}
