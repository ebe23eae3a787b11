import { memberRepo, roleRepo, type scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { type CeilingLimit, hasAuthority, type Permission } from '@orchestrate/shared';

export type CeiledCredentials = Pick<scimCredentialsRepo.ScimCredentialsRow, 'orgCode' | 'madeBySuid' | 'ceiling'>;

/** What credentials may give, and why that is less than when they were made. */
export interface Ceiling {
  permissions: readonly Permission[];
  limitedBy: CeilingLimit;
}

/**
 * What a directory with these credentials may give at most: what their maker could give when making them, and still can.
 * @returns no permission at all where nobody answers for them any more: roles without administrative rights remain
 */
export function ceilingOf(tx: Tx, { orgCode, madeBySuid, ceiling }: CeiledCredentials): Ceiling {
  if (madeBySuid === null) return { permissions: [], limitedBy: 'unknown-maker' };
  const maker = memberRepo.findMember(tx, orgCode, madeBySuid);
  if (maker?.accountStatus !== 'active') return { permissions: [], limitedBy: 'maker-inactive' };
  const held = roleRepo.findRole(tx, orgCode, maker.roleCode)?.permissions ?? [];
  const permissions = ceiling.filter((permission) => held.includes(permission));
  return { permissions, limitedBy: hasAuthority(permissions, ceiling) ? 'nothing' : 'maker-lost' };
}

/** Whether a role, with the permissions that it has now, is within the ceiling of credentials. */
export function isWithinCeiling(
  tx: Tx,
  credentials: CeiledCredentials,
  { permissions }: { permissions: readonly Permission[] },
): boolean {
  // Most people have a role that anybody may give: nothing more is read for them.
  return hasAuthority([], permissions) || hasAuthority(ceilingOf(tx, credentials).permissions, permissions);
}
