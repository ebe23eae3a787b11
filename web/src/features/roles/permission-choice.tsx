import { Box, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Permission, permissionLabel } from '@orchestrate/shared';
import { Checkbox } from '../../ui/checkbox.tsx';
import { said } from '../../words/said.ts';
import { permissionGroups, withPermissions } from './permission-groups.ts';
import { grantObstacle } from './role-rights.ts';

interface PermissionChoiceProps {
  chosen: readonly Permission[];
  /** The signed-in person's permissions: nobody grants or takes away permissions that they lack. */
  own: readonly Permission[];
  onChange: (chosen: Permission[]) => void;
}

/** Every permission as a checkbox, in groups that can be chosen as a whole. */
export function PermissionChoice({ chosen, own, onChange }: PermissionChoiceProps) {
  return (
    <Box columns={{ base: 1, xs: 2 }} columnGap="8">
      {permissionGroups.map(({ group, permissions }) => {
        const grantable = permissions.filter((permission) => !grantObstacle(own, permission));
        const held = permissions.filter((permission) => chosen.includes(permission));
        const isAll = grantable.every((permission) => chosen.includes(permission));
        return (
          <Flex key={group} role="group" aria-label={said(group)} direction="column" pb="4" breakInside="avoid">
            <Checkbox
              label={said(group)}
              isStrong
              isChecked={held.length === permissions.length}
              isMixed={held.length > 0 && held.length < permissions.length}
              obstacle={grantable.length === 0 ? t`You can't grant any of these` : undefined}
              onChange={() => onChange(withPermissions(chosen, grantable, !isAll))}
            />
            <Flex direction="column" ps="6.5">
              {permissions.map((permission) => (
                <Checkbox
                  key={permission}
                  label={said(permissionLabel(permission))}
                  isChecked={chosen.includes(permission)}
                  obstacle={grantObstacle(own, permission)}
                  onChange={(isHeld) => onChange(withPermissions(chosen, [permission], isHeld))}
                />
              ))}
            </Flex>
          </Flex>
        );
      })}
    </Box>
  );
}
