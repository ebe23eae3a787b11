import { memberRepo, roleRepo, type scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { type CeilingLimit, hasAuthority, type Permission } from '@orchestrate/shared';

/** Directory credentials: the organisation's user name and password, or a provisioning token. */
export type LimitedCredentials = Pick<scimCredentialsRepo.ScimCredentialsRow, 'orgCode' | 'madeBySuid' | 'ceiling'>;

/**
 * Permissions that directory credentials can grant, and why these may be fewer than when the credentials were
 * created.
 */
export interface Ceiling {
  permissions: readonly Permission[];
  limitedBy: CeilingLimit;
}

/**
 * Returns the most permissions a directory can grant with these credentials: the permissions their creator could
 * grant at the time and can still grant now.
 * @returns no permissions if the creator is no longer active, which leaves only roles without administrative rights
 */
export function ceilingOf(tx: Tx, { orgCode, madeBySuid, ceiling }: LimitedCredentials): Ceiling {
  if (madeBySuid === null) return { permissions: [], limitedBy: 'unknown-maker' };
  const maker = memberRepo.findMember(tx, orgCode, madeBySuid);
  if (maker?.accountStatus !== 'active') return { permissions: [], limitedBy: 'maker-inactive' };
  const held = roleRepo.findRole(tx, orgCode, maker.roleCode)?.permissions ?? [];
  const permissions = ceiling.filter((permission) => held.includes(permission));
  return { permissions, limitedBy: hasAuthority(permissions, ceiling) ? 'nothing' : 'maker-lost' };
}

/** Returns true if a role, with its current permissions, is within the ceiling of the credentials. */
export function isWithinCeiling(
  tx: Tx,
  credentials: LimitedCredentials,
  { permissions }: { permissions: readonly Permission[] },
): boolean {
  // Everyone can grant a role without administrative permissions, so check for it before reading the ceiling.
  return hasAuthority([], permissions) || hasAuthority(ceilingOf(tx, credentials).permissions, permissions);
}
