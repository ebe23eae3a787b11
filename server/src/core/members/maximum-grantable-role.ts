import { memberRepo, roleRepo, type scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { type CeilingLimit, hasAuthority, type Permission } from '@orchestrate/shared';

/** The credentials of a directory: the organisation's pair, or one of its tokens. */
export type CeiledCredentials = Pick<scimCredentialsRepo.ScimCredentialsRow, 'orgCode' | 'madeBySuid' | 'ceiling'>;

/** What directory credentials may grant, and why that may be less than when they were made. */
export interface Ceiling {
  permissions: readonly Permission[];
  limitedBy: CeilingLimit;
}

/**
 * The most that a directory with these credentials may grant: what the person who made them could grant then and still
 * can now.
 * @returns no permissions at all if nobody answers for them any more: only roles without administrative rights remain
 */
export function ceilingOf(tx: Tx, { orgCode, madeBySuid, ceiling }: CeiledCredentials): Ceiling {
  if (madeBySuid === null) return { permissions: [], limitedBy: 'unknown-maker' };
  const maker = memberRepo.findMember(tx, orgCode, madeBySuid);
  if (maker?.accountStatus !== 'active') return { permissions: [], limitedBy: 'maker-inactive' };
  const held = roleRepo.findRole(tx, orgCode, maker.roleCode)?.permissions ?? [];
  const permissions = ceiling.filter((permission) => held.includes(permission));
  return { permissions, limitedBy: hasAuthority(permissions, ceiling) ? 'nothing' : 'maker-lost' };
}

/** Whether a role, with its current permissions, is within the ceiling of the credentials. */
export function isWithinCeiling(
  tx: Tx,
  credentials: CeiledCredentials,
  { permissions }: { permissions: readonly Permission[] },
): boolean {
  // Most people have a role that anybody may grant; for them nothing more is read.
  return hasAuthority([], permissions) || hasAuthority(ceilingOf(tx, credentials).permissions, permissions);
}
