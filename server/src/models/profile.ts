import type { Profile } from '@orchestrate/shared';
import type { Caller } from '../http/caller.ts';

/** The caller as the spec's Profile. */
export function profileOf({ member, ...caller }: Caller): Profile {
  return {
    firstName: member.firstName,
    lastName: member.lastName,
    email: member.primaryEmail,
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
  };
}
