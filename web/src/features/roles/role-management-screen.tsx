import { Box, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, listRoles, type RoleItem } from '@orchestrate/shared';
import { Plus } from 'lucide-react';
import { useRead } from '../../lib/api/use-read.ts';
import { useCan } from '../../lib/session/session.ts';
import { ObstructedButton } from '../../ui/obstructed-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { RoleDialogs } from './role-dialogs.tsx';
import { isLimitReached } from './role-rights.ts';
import { RolesTable } from './roles-table.tsx';
import { useRoleAddress } from './use-role-address.ts';

const NO_ROLES: readonly RoleItem[] = [];

/** The roles of the organisation: what each allows, and its custom ones. */
export default function RoleManagementScreen() {
  const { data, refusal, refetch } = useRead(listRoles, {});
  const mayCreate = useCan('CREATE_CUSTOM_ROLES');
  const address = useRoleAddress();
  const roles = data?.Items ?? NO_ROLES;
  const isFull = isLimitReached(roles);
  return (
    <Flex direction="column" gap="6">
      <title>{t`Role Management · Orchestrate`}</title>
      <PageHeader
        title={t`Role Management`}
        description={t`What people can do, by role.`}
        action={
          mayCreate && (
            <ObstructedButton obstacle={isFull ? t`Custom Role Limit Reached` : undefined} onClick={address.create}>
              <Plus aria-hidden />
              {t`Create role`}
            </ObstructedButton>
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
    </Flex>
  );
}
