import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type DeviceType, getOrgSettings } from '@orchestrate/shared';
import { ChevronRight } from 'lucide-react';
import { useRead } from '../../lib/api/use-read.ts';
import { APP_DENIED, isAppAllowed } from '../../lib/session/app-permission.ts';
import { useSession } from '../../lib/session/session.ts';
import { supportsPasskeys } from '../../lib/session/supports-passkeys.ts';
import { DeviceIcon } from '../../ui/device-icon.tsx';

const kinds = [
  { type: 'mobile', title: t`Mobile`, text: t`A phone or tablet with the authenticator app` },
  { type: 'desktop', title: t`Desktop`, text: t`A computer with the desktop authenticator` },
  { type: 'webauthn', title: t`Passkey`, text: t`This device or a security key, without an app` },
] as const satisfies { type: DeviceType; title: string; text: string }[];

/** What to add: an app only where the profile permits it, a passkey only where the organisation accepts them. */
export function DeviceChoice({ onChoose }: { onChoose: (kind: DeviceType) => void }) {
  const session = useSession();
  const profile = session?.profile;
  const { data: organisation } = useRead(getOrgSettings, session ? { query: { code: session.orgId } } : null);
  const hasPasskeys = (organisation?.webAuthnEnabled ?? false) && supportsPasskeys();
  const offered = kinds.filter(({ type }) => type !== 'webauthn' || hasPasskeys);
  const isAllowed: Record<DeviceType, boolean> = {
    mobile: isAppAllowed(profile, 'mobile'),
    desktop: isAppAllowed(profile, 'desktop'),
    webauthn: true,
  };
  return (
    <Flex direction="column" gap="3">
      {offered.map(({ type, title, text }) => (
        <chakra.button
          key={type}
          type="button"
          aria-disabled={isAllowed[type] ? undefined : true}
          onClick={() => isAllowed[type] && onChoose(type)}
          display="flex"
          alignItems="center"
          gap="4"
          w="full"
          p="4"
          textAlign="start"
          borderWidth="1px"
          borderRadius="l3"
          cursor={isAllowed[type] ? 'pointer' : 'not-allowed'}
          outline="0"
          focusVisibleRing="outside"
          transition="background-color 120ms, border-color 120ms"
          _hover={isAllowed[type] ? { bg: 'bg.subtle', borderColor: 'border.emphasized' } : {}}
        >
          <Box opacity={isAllowed[type] ? 1 : 0.5}>
            <DeviceIcon type={type} hasTile size={20} />
          </Box>
          <Box flex="1" minW="0">
            <Text fontWeight="semibold" color={isAllowed[type] ? 'fg' : 'fg.muted'}>
              {title}
            </Text>
            <Text textStyle="sm" color="fg.muted">
              {isAllowed[type] ? text : APP_DENIED}
            </Text>
          </Box>
          {isAllowed[type] && (
            <Box color="fg.subtle">
              <ChevronRight size={18} aria-hidden />
            </Box>
          )}
        </chakra.button>
      ))}
    </Flex>
  );
}
