import { memberRepo, roleRepo, type scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { type CeilingLimit, hasAuthority, type Permission } from '@orchestrate/shared';

/** The credentials of a directory: the organisation's pair, or one of its tokens. */
export type CeiledCredentials = Pick<scimCredentialsRepo.ScimCredentialsRow, 'orgCode' | 'madeBySuid' | 'ceiling'>;

/** The permissions that directory credentials may grant, and why they may be fewer than at their creation. */
export interface Ceiling {
  permissions: readonly Permission[];
  limitedBy: CeilingLimit;
}

/**
 * Returns the maximum permissions that a directory may grant with these credentials: those that their creator could grant
 * then and still can now.
 * @returns no permissions if the creator is no longer active, so that only roles without administrative rights remain
 */
export function ceilingOf(tx: Tx, { orgCode, madeBySuid, ceiling }: CeiledCredentials): Ceiling {
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
  credentials: CeiledCredentials,
  { permissions }: { permissions: readonly Permission[] },
): boolean {
  // Anyone may grant most members' role, so nothing more has to be read for them.
  return hasAuthority([], permissions) || hasAuthority(ceilingOf(tx, credentials).permissions, permissions);
}
