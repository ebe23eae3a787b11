import { hasAuthority, listRoles, type Member, SYSTEM_ROLES } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { useSession } from '#lib/session/session.ts';
import { type MemberRights, memberRightsOf } from './member-rights.ts';

/**
 * Returns a function that checks whether the signed-in user can grant a role and act on members with this role, by
 * the server's rules.
 */
export function useAuthority(): (roleCode: string) => boolean {
  const held = useSession()?.profile.permissions ?? [];
  const { data } = useRead(listRoles, {});
  // System roles never change, so use them until the list has loaded. Otherwise buttons would appear late.
  const roles = data?.Items ?? SYSTEM_ROLES;
  return (roleCode) => {
    const role = roles.find((known) => known.roleCode === roleCode);
    return role !== undefined && hasAuthority(held, role.permissions);
  };
}

/** Returns the signed-in user's rights over a member. */
export function useMemberRights(member: Pick<Member, 'suid' | 'accountStatus' | 'role'>): MemberRights {
  const profile = useSession()?.profile;
  const mayActOn = useAuthority();
  return memberRightsOf(profile, member, mayActOn(member.role));
}
