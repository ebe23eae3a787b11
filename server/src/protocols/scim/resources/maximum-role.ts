import { roleRepo, type Tx } from '@orchestrate/db';
import { isWithinCeiling } from '#core/members/maximum-grantable-role.ts';
import { ScimError } from '../scim-error.ts';
import type { Scope } from '../scope.ts';

/**
 * Checks that the directory can assign a role. Call this before assigning the role or changing its group.
 * @throws ScimError 403 if the role has more permissions than the credentials
 */
export function requireAssignableRole({ orgCode, credentials }: Scope, tx: Tx, roleCode: string): void {
  const role = roleRepo.findRole(tx, orgCode, roleCode);
  if (!role || isWithinCeiling(tx, credentials, role)) return;
  throw new ScimError(403, `These credentials cannot assign or change the role ${role.name}. ${RENEW}`);
}

/**
 * Checks that the directory can change a member. Call this before changing, disabling or deleting the member.
 * @throws ScimError 403 if the member's role has more permissions than the credentials
 */
export function requireChangeableMember({ orgCode, credentials }: Scope, tx: Tx, member: { roleCode: string }): void {
  const role = roleRepo.findRole(tx, orgCode, member.roleCode);
  if (!role || isWithinCeiling(tx, credentials, role)) return;
  throw new ScimError(403, `These credentials cannot change a user with the role ${role.name}. ${RENEW}`);
}

const RENEW =
  'The role has more permissions than the credentials. An administrator with this role can create new credentials under User Provisioning.';
