import type { memberRepo } from '@orchestrate/db';
import { type AppType, hasAuthority, type Member, type Permission } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { isoOf } from '#platform/times.ts';
import { isApprovedByDevice, lacksApprovalToManage } from '../device-keys/require-bound-device.ts';
import { activationDataOf } from './activation-data.ts';

/** Returns the member fields that `caller` is allowed to see. */
export function memberOf(
  row: memberRepo.MemberRow,
  summary: memberRepo.MemberSummary,
  caller: Caller,
  deps: Pick<Deps, 'db' | 'clock'>,
): Member {
  const isHidden = (code: memberRepo.ActivationCodeView | undefined) =>
    caller.suid === row.suid ? isVouchedFor(caller, code) : lacksApprovalToManage(deps, deps.db, caller, row);
  const codeFor = (type: AppType) => {
    const code = summary.activationCodes.find((one) => one.type === type);
    return activationDataOf(code, deps.clock.now(), maySeeCode(caller, row.suid, type, summary) && !isHidden(code));
  };
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
    emailVerified: row.emailVerifiedAt !== null,
    role: row.roleCode,
    roleName: summary.roleName,
    accountStatus: row.accountStatus,
    isManager: row.isManager,
    deviceCount: summary.deviceCount,
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

/**
 * Returns true if the caller's own code must be hidden: someone else requested it, or the caller's session wasn't
 * approved on a device. A device activated with the code could approve immediately (decision 206).
 */
const isVouchedFor = (caller: Caller, code: memberRepo.ActivationCodeView | undefined): boolean =>
  code?.isOwn === false || !isApprovedByDevice(caller);

const NEEDED: Record<AppType, readonly Permission[]> = {
  mobile: ['GENERATE_ACT_CODE'],
  desktop: ['GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
};

/** Returns true if the caller can issue this code. All members can issue their own desktop code. */
function maySeeCode(caller: Caller, suid: string, type: AppType, { permissions }: memberRepo.MemberSummary): boolean {
  const isOwn = caller.suid === suid;
  const mayIssue = NEEDED[type].every((permission) => caller.permissions.includes(permission));
  return (isOwn && type === 'desktop') || (mayIssue && (isOwn || hasAuthority(caller.permissions, permissions)));
}
