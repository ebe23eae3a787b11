import { Box, chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Permission, permissionLabel } from '@orchestrate/shared';
import { Check, Minus } from 'lucide-react';
import { said } from '../../words/said.ts';
import { permissionGroups } from './permission-groups.ts';

/** The whole list of permissions, read-only, showing those of a role. */
export function PermissionList({ held }: { held: readonly Permission[] }) {
  return (
    <Box columns={{ base: 1, xs: 2 }} columnGap="8">
      {permissionGroups.map(({ group, permissions }) => (
        <Box key={group} pb="5" breakInside="avoid">
          <chakra.h3 fontWeight="semibold" pb="1">
            {said(group)}
          </chakra.h3>
          <chakra.ul aria-label={said(group)} listStyleType="none">
            {permissions.map((permission) => {
              const isHeld = held.includes(permission);
              const Icon = isHeld ? Check : Minus;
              return (
                <Flex key={permission} as="li" gap="2.5" py="1" color={isHeld ? undefined : 'fg.muted'}>
                  <Box pt="0.5" color={isHeld ? 'success.fg' : 'fg.subtle'} flexShrink="0">
                    <Icon size={16} role="img" aria-label={isHeld ? t`Granted` : t`Not granted`} />
                  </Box>
                  {said(permissionLabel(permission))}
                </Flex>
              );
            })}
          </chakra.ul>
        </Box>
      ))}
    </Box>
  );
}
