import type { Profile } from '@orchestrate/shared';
import type { Caller } from '#platform/http/callers/caller.ts';

/** A member and the device they signed in or made the call with. */
export type ProfileFacts = Omit<Caller, 'suid' | 'sid' | 'mode' | 'allowedIps' | 'sessionExpiresAt'>;

/** Returns the caller as the specification's Profile. */
export function profileOf({ member, ...caller }: ProfileFacts): Profile {
  return {
    firstName: member.firstName,
    lastName: member.lastName,
    email: member.primaryEmail,
    emailVerified: member.emailVerifiedAt !== null,
    primaryAttr: member.primaryAttr,
    suid: member.suid,
    zid: caller.zid,
    active: member.accountStatus === 'active',
    roleCode: caller.roleCode,
    roleName: caller.roleName,
    isManager: caller.isManager,
    allowReporteeSearch: caller.allowReporteeSearch,
    hasPermissionForMobileApp: member.hasPermissionForMobileApp,
    hasPermissionForWindowsApp: member.hasPermissionForWindowsApp,
    permissions: [...caller.permissions],
    orgId: caller.orgCode,
    language: member.language,
  };
}
