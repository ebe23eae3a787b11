import { Box, Flex, Link, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { LIMITS, listRoles, type Permission, type RoleItem } from '@orchestrate/shared';
import { Plus, ShieldCheck, SlidersHorizontal, UserRound } from 'lucide-react';
import { Link as RouterLink } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { useCan } from '#lib/session/session.ts';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { OpenMark, TableFrame } from '#ui/list/table-frame.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { BooleanIcon } from '#ui/text/table-icon.tsx';
import { RoleDialogs } from './role-dialogs.tsx';
import { isLimitReached, memberCountText, roleTypeLabel } from './role-texts.ts';
import { useRoleAddress } from './use-role-address.ts';

/** Columns of the roles table (spec 2 §2), each with its permission (decision 062). */
const userActions = [
  { label: t`Invite`, permission: 'BULK_INVITE', may: t`Can invite users`, mayNot: t`Can't invite users` },
  { label: t`Create`, permission: 'BULK_INVITE', may: t`Can create users`, mayNot: t`Can't create users` },
  { label: t`Update`, permission: 'UPDATE_USER', may: t`Can update users`, mayNot: t`Can't update users` },
  { label: t`Delete`, permission: 'REMOVE_USER', may: t`Can delete users`, mayNot: t`Can't delete users` },
] as const satisfies { label: string; permission: Permission; may: string; mayNot: string }[];

const ICONS = { admin: ShieldCheck, user: UserRound, custom: SlidersHorizontal } as const;

interface RolesTableProps {
  roles: readonly RoleItem[];
  /** Returns the URL that opens a role. */
  addressOf: (role: RoleItem) => string;
  onOpen: (role: RoleItem) => void;
}

/** Lists each role's permissions for users. Clicking a row opens the role's full list of permissions. */
function RolesTable({ roles, addressOf, onOpen }: RolesTableProps) {
  return (
    <TableFrame
      label={t`Roles`}
      headings={[
        { text: t`Role`, w: '26rem' },
        ...userActions.map(({ label }) => ({ text: label, textAlign: 'center' as const })),
      ]}
      last={null}
    >
      {roles.map((role) => (
        <Table.Row
          key={role.roleCode}
          className="group"
          position="relative"
          onClick={() => onOpen(role)}
          cursor="pointer"
          _hover={{ bg: 'bg.subtle' }}
        >
          <Table.Cell>
            <Flex align="center" gap="3">
              <IconTile>
                <Box as={ICONS[role.type]} boxSize="4" strokeWidth={1.75} aria-hidden />
              </IconTile>
              <Box minW="0">
                <Link asChild fontWeight="medium" variant="plain" color="fg">
                  <RouterLink to={addressOf(role)} onClick={(event) => event.stopPropagation()}>
                    {role.name}
                  </RouterLink>
                </Link>
                <Text textStyle="sm" color="fg.muted">
                  {joinWithDots(
                    roleTypeLabel(role.type),
                    memberCountText(role.userCount),
                    plural(role.permissions.length, { one: '# permission', other: '# permissions' }),
                  )}
                </Text>
              </Box>
            </Flex>
          </Table.Cell>
          {userActions.map((action, at) => {
            const isOn = role.permissions.includes(action.permission);
            return (
              <Table.Cell key={action.label} textAlign="center">
                <BooleanIcon isOn={isOn} meaning={meaningOf(action, isOn)} />
                {at === userActions.length - 1 && <OpenMark />}
              </Table.Cell>
            );
          })}
        </Table.Row>
      ))}
    </TableFrame>
  );
}

const meaningOf = ({ permission, may, mayNot }: (typeof userActions)[number], isOn: boolean) =>
  isOn ? `${may} (${permission})` : t`${mayNot} (requires ${permission})`;

const NO_ROLES: readonly RoleItem[] = [];

/** Manages the organisation's roles and their permissions. */
export default function RoleManagementScreen() {
  const { data, refusal, refetch } = useRead(listRoles, {});
  const mayCreate = useCan('CREATE_CUSTOM_ROLES');
  const address = useRoleAddress();
  const roles = data?.Items ?? NO_ROLES;
  const isFull = isLimitReached(roles);
  return (
    <Page>
      <title>{t`Role Management · Orchestrate`}</title>
      <PageHeader
        title={t`Role Management`}
        description={t`What each role can do with users. Open a role to see all of its permissions.`}
        action={
          mayCreate && (
            <ExplainedButton obstacle={isFull ? t`Custom Role Limit Reached` : undefined} onClick={address.create}>
              <Plus aria-hidden />
              {t`Create role`}
            </ExplainedButton>
          )
        }
      />
      <Section
        title={t`Roles`}
        isFlush
        aside={
          data && (
            <Text textStyle="sm" color="fg.muted">
              {t`${roles.filter(({ type }) => type === 'custom').length} of ${LIMITS.customRoles} custom roles`}
            </Text>
          )
        }
      >
        {!data && refusal && <RefusalState refusal={refusal} onRetry={refetch} />}
        {!data && !refusal && <SkeletonRows rows={LIMITS.applicationSkeletonRows} label={t`Loading roles`} />}
        {data && (
          <Box overflowX="auto">
            <RolesTable
              roles={roles}
              addressOf={({ roleCode }) => address.addressOf(roleCode)}
              onOpen={({ roleCode }) => address.open(roleCode)}
            />
          </Box>
        )}
      </Section>
      <RoleDialogs roles={roles} mayCreate={mayCreate} isFull={isFull} address={address} />
    </Page>
  );
}
