import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { AppType } from '@orchestrate/shared';
import { ChevronRight } from 'lucide-react';
import { APP_DENIED, isAppAllowed } from '../../lib/app-permission.ts';
import { useSession } from '../../lib/session.ts';
import { DeviceIcon } from '../../ui/device-icon.tsx';

const apps = [
  { type: 'mobile', title: 'Mobile', text: 'A phone or tablet with the authenticator app' },
  { type: 'desktop', title: 'Desktop', text: 'A computer with the desktop authenticator' },
] as const satisfies { type: AppType; title: string; text: string }[];

/** Which app the new device runs: only what the profile permits can be chosen. */
export function AppChoice({ onChoose }: { onChoose: (app: AppType) => void }) {
  const profile = useSession()?.profile;
  const isAllowed = { mobile: isAppAllowed(profile, 'mobile'), desktop: isAppAllowed(profile, 'desktop') };
  return (
    <Flex direction="column" gap="3">
      {apps.map(({ type, title, text }) => (
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
