import { Link, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Permission, RoleItem } from '@orchestrate/shared';
import { Link as RouterLink } from 'react-router-dom';
import { dotted } from '../../lib/format/dotted.ts';
import { TableFrame } from '../../ui/table-frame.tsx';
import { Tick } from '../../ui/tick.tsx';
import { membersText, roleTypeLabel } from './role-texts.ts';

/** The columns of the table of roles (spec 2 §2) and the permission behind each of them (decision 086). */
const userActions = [
  { label: t`Invite`, permission: 'BULK_INVITE', may: t`May invite a user`, mayNot: t`May not invite a user` },
  { label: t`Create`, permission: 'BULK_INVITE', may: t`May create a user`, mayNot: t`May not create a user` },
  { label: t`Update`, permission: 'UPDATE_USER', may: t`May update a user`, mayNot: t`May not update a user` },
  { label: t`Delete`, permission: 'REMOVE_USER', may: t`May delete a user`, mayNot: t`May not delete a user` },
] as const satisfies { label: string; permission: Permission; may: string; mayNot: string }[];

interface RolesTableProps {
  roles: readonly RoleItem[];
  /** The address that opens a role. */
  addressOf: (role: RoleItem) => string;
  onOpen: (role: RoleItem) => void;
}

/** Every role with what it may do to users. A row opens the whole list of its permissions. */
export function RolesTable({ roles, addressOf, onOpen }: RolesTableProps) {
  return (
    <TableFrame
      label={t`Roles`}
      headings={[t`Role`, ...userActions.map(({ label }) => ({ text: label, w: '28', textAlign: 'center' as const }))]}
      last={null}
    >
      {roles.map((role) => (
        <Table.Row key={role.roleCode} onClick={() => onOpen(role)} cursor="pointer" _hover={{ bg: 'bg.subtle' }}>
          <Table.Cell>
            <Link asChild fontWeight="semibold" variant="plain" color="fg">
              <RouterLink to={addressOf(role)} onClick={(event) => event.stopPropagation()}>
                {role.name}
              </RouterLink>
            </Link>
            <Text textStyle="sm" color="fg.muted">
              {dotted(roleTypeLabel(role.type), membersText(role.userCount))}
            </Text>
          </Table.Cell>
          {userActions.map((action) => {
            const isOn = role.permissions.includes(action.permission);
            return (
              <Table.Cell key={action.label} textAlign="center">
                <Tick isOn={isOn} meaning={meaningOf(action, isOn)} />
              </Table.Cell>
            );
          })}
        </Table.Row>
      ))}
    </TableFrame>
  );
}

const meaningOf = ({ permission, may, mayNot }: (typeof userActions)[number], isOn: boolean) =>
  isOn ? `${may} (${permission})` : t`${mayNot} (needs ${permission})`;
