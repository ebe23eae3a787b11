import { deviceRepo, organisationRepo, roleRepo, type Tx } from '@orchestrate/db';
import { hasAuthority, LIMITS } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';
import { isApproved } from '../sign-in/challenges/begin-approval.ts';
import { approversOf, isNew, NEW_DEVICE_MS } from '../sign-in/new-devices.ts';

/** Returns true if a device approved the session, rather than a remembered browser or another provider. */
export const isApprovedByDevice = ({ mode }: Pick<Caller, 'mode'>): boolean => mode !== 'COOKIE' && mode !== 'OIDC';

type Session = Pick<Caller, 'orgCode' | 'suid' | 'zid' | 'mode'>;

/**
 * Requires that one of the caller's devices has approved this session, or has approved adding a device or getting an
 * activation code in it. Members who have no device, and had none recently, need no approval (decision 206).
 * @throws Refusal AUTHENTICATION_INCOMPLETE without such an approval
 */
export function requireBoundDevice(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Pick<Caller, 'orgCode' | 'suid' | 'mode'>,
  approvalId: string | undefined,
): void {
  if (isApprovedByDevice(caller)) return;
  const { orgCode, suid } = caller;
  if (!deviceRepo.hasOrHadDevice(tx, orgCode, suid, deps.clock.now() - NEW_DEVICE_MS)) return;
  const approvable = { orgCode, suid, action: 'add-device', content: {} };
  if (approvalId !== undefined && isApproved(deps, tx, approvable, approvalId, LIMITS.addDeviceApprovalSeconds)) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', {
    message: 'Approve this on your device first, or sign in again with it.',
  });
}

/** Returns true if no device approved the session, although its owner has one that can. */
const lacksApproval = ({ clock }: Pick<Deps, 'clock'>, tx: Tx, caller: Session): boolean =>
  !isApprovedByDevice(caller) &&
  approversOf(tx, organisationRepo.requireOrganisation(tx, caller.orgCode), caller.suid, clock.now()).ready.length > 0;

/**
 * Requires an older device before a session changes the devices of its owner: otherwise a stolen session could add a
 * device and remove those that would object (decision 206). The device of this sign-in and new devices can always go.
 * @param action `replace` only emails a code, so a remembered browser may report and replace a lost phone
 * @throws Refusal AUTHENTICATION_INCOMPLETE in the session of a new device, or in one that no device approved
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
  if (action !== 'enable' && (zid === caller.zid || isNew(device, now))) return;
  const signedIn = deviceRepo.findDevice(tx, orgCode, caller.zid);
  const isNewSession = signedIn !== undefined && isNew(signedIn, now);
  if (!isNewSession && (action === 'replace' || !lacksApproval(deps, tx, caller))) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Sign in with an older device to change your devices.' });
}

/** Returns true if the session must not create administrators, i.e. members with more permissions than USER. */
export function mustNotManage(
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
 * Call it before a session grants a role, or lets its owner sign in as another member.
 * @throws Refusal AUTHENTICATION_INCOMPLETE if the role is an administrator's and no device approved the session
 */
export function requireDeviceToManage(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Session,
  member: { roleCode: string },
): void {
  if (!mustNotManage(deps, tx, caller, member)) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Sign in with your device to manage administrators.' });
}

/** Throws Refusal AUTHENTICATION_INCOMPLETE in a session that no device approved, although one could. */
export function requireDeviceToChangeEmail(deps: Pick<Deps, 'clock'>, tx: Tx, caller: Session): void {
  if (!lacksApproval(deps, tx, caller)) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', {
    message: 'Sign in with your device to change your email address.',
  });
}
