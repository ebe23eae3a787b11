import { deviceRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import { hasAuthority, LIMITS } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';
import { isApproved } from '../sign-in/challenges/begin-approval.ts';
import { approversOf, isNewDevice, NEW_DEVICE_MS } from '../sign-in/new-devices.ts';

/** Returns true if a device approved the session, rather than a remembered browser or another provider. */
export const isApprovedByDevice = ({ mode }: Pick<Caller, 'mode'>): boolean => mode !== 'COOKIE' && mode !== 'OIDC';

type Session = Pick<Caller, 'orgCode' | 'suid' | 'zid' | 'mode'>;

/**
 * Requires a device's approval of the session itself or, within the session, of adding a device or getting an
 * activation code. Members who have no device, and had none recently, need no approval (decision 206).
 * @throws Refusal AUTHENTICATION_INCOMPLETE without this approval
 */
export function requireBoundDevice(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Pick<Caller, 'orgCode' | 'suid' | 'mode'>,
  approvalId: string | undefined,
): void {
  if (isApprovedByDevice(caller)) return;
  const { orgCode, suid } = caller;
  if (!deviceRepo.hasRecentDevice(tx, orgCode, suid, deps.clock.now() - NEW_DEVICE_MS)) return;
  const approvable = { orgCode, suid, action: 'add-device', content: {} };
  if (approvalId !== undefined && isApproved(deps, tx, approvable, approvalId, LIMITS.addDeviceApprovalSeconds)) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', {
    message: 'Approve this on your device first, or sign in again with it.',
  });
}

/** Returns true if no device approved the session even though its owner has a device that can. */
const lacksApproval = ({ clock }: Pick<Deps, 'clock'>, tx: Tx, caller: Session): boolean =>
  !isApprovedByDevice(caller) &&
  approversOf(tx, organisationRepo.requireOrganisation(tx, caller.orgCode), caller.suid, clock.now()).ready.length > 0;

/**
 * Requires approval by an older device before a session changes its owner's devices. Otherwise a stolen session could
 * add a device and remove the devices that would object (decision 206). The device used for this sign-in and new
 * devices can always be removed.
 * @param action `replace` only emails a code, so a remembered browser is allowed to report and replace a lost phone
 * @throws Refusal AUTHENTICATION_INCOMPLETE if the session was approved by a new device or by none
 */
export function requireOlderDevice(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Session,
  { suid, zid, action }: { suid: string; zid: string; action: 'pause' | 'enable' | 'delete' | 'lose' | 'replace' },
): void {
  if (suid !== caller.suid) return;
  const { orgCode } = caller;
  const now = deps.clock.now();
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  if (device?.suid !== suid) return;
  if (action !== 'enable' && (zid === caller.zid || isNewDevice(device, now))) return;
  const signedIn = deviceRepo.findDevice(tx, orgCode, caller.zid);
  const isNewSession = signedIn !== undefined && isNewDevice(signedIn, now);
  if (!isNewSession && (action === 'replace' || !lacksApproval(deps, tx, caller))) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Sign in with an older device to change your devices.' });
}

/**
 * Returns true if the session lacks the device approval required to create administrators, i.e. members with more
 * permissions than USER.
 */
export function lacksApprovalToManage(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Session,
  { roleCode }: { roleCode: string },
): boolean {
  if (!lacksApproval(deps, tx, caller)) return false;
  const permissionsOf = (code: string) => roleRepo.findRole(tx, caller.orgCode, code)?.permissions ?? [];
  return !hasAuthority(permissionsOf('USER'), permissionsOf(roleCode));
}

/**
 * Requires a device's approval before a session grants an administrator role, or lets its owner sign in as an
 * administrator.
 * @throws Refusal AUTHENTICATION_INCOMPLETE if the role is an administrator role and no device approved the session
 */
export function requireDeviceToManage(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Session,
  member: { roleCode: string },
): void {
  if (!lacksApprovalToManage(deps, tx, caller, member)) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Sign in with your device to manage administrators.' });
}

/**
 * Requires a device's approval for an email change.
 * @throws Refusal AUTHENTICATION_INCOMPLETE if no device approved the session even though one could
 */
export function requireDeviceToChangeEmail(deps: Pick<Deps, 'clock'>, tx: Tx, caller: Session): void {
  if (!lacksApproval(deps, tx, caller)) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', {
    message: 'Sign in with your device to change your email address.',
  });
}
