import type { memberRepo } from '@orchestrate/db';
import type { AppType, Member, Permission } from '@orchestrate/shared';
import type { Caller } from '../http/caller.ts';
import { activationDataOf } from './activation-data.ts';
import { isoOf } from './iso-of.ts';

/** A member as `caller` may see him. */
export function memberOf(
  row: memberRepo.MemberRow,
  detail: memberRepo.MemberDetail,
  caller: Caller,
  now: number,
): Member {
  const codeFor = (type: AppType) =>
    activationDataOf(
      detail.activationCodes.find((code) => code.type === type),
      now,
      maySeeCode(caller, row.suid, type),
    );
  const mobile = codeFor('mobile');
  const desktop = codeFor('desktop');
  const lastSeen = isoOf(row.lastSeenAt);
  return {
    id: String(row.id),
    suid: row.suid,
    primaryAttr: row.primaryAttr,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.primaryEmail,
    primaryEmail: row.primaryEmail,
    role: row.roleCode,
    roleName: detail.roleName,
    accountStatus: row.accountStatus,
    isManager: row.isManager,
    deviceCount: detail.devices.length,
    lastSeen,
    lastSeenAt: lastSeen,
    hasPermissionForMobileApp: row.hasPermissionForMobileApp,
    hasPermissionForWindowsApp: row.hasPermissionForWindowsApp,
    ...mobile,
    desktopActivationCode: desktop.activationCode,
    desktopActivationExpiry: desktop.activationExpiry,
    desktopActivationExpired: desktop.activationExpired,
    desktopActivationLocked: desktop.activationLocked,
  };
}

const NEEDED: Record<AppType, readonly Permission[]> = {
  mobile: ['GENERATE_ACT_CODE'],
  desktop: ['GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
};

/** Whoever may issue a code may see it; everybody may issue his own desktop code. */
function maySeeCode(caller: Caller, suid: string, type: AppType): boolean {
  const isOwnDesktop = type === 'desktop' && caller.suid === suid;
  return isOwnDesktop || NEEDED[type].every((permission) => caller.permissions.includes(permission));
}
