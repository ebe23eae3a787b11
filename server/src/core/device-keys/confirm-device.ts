import { challengeRepo, deviceRepo, type Tx } from '@orchestrate/db';
import type { Confirmation } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { isoOf } from '#platform/times.ts';
import { deviceObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import type { Requester } from '../sign-in/challenges/begin.ts';
import {
  beginApproval,
  canApprove,
  contentHash,
  hasMaxPendingRequests,
  type StartedApproval,
} from '../sign-in/challenges/begin-approval.ts';
import { denialPause } from '../sign-in/challenges/denial-pause.ts';
import type { Verdict } from '../sign-in/challenges/judge.ts';
import { isNewDevice } from '../sign-in/new-devices.ts';
import { type EndedUse, endDeviceUse } from './end-use.ts';

const ACTION = 'confirm-device';

type NewDevice = Pick<deviceRepo.DeviceRow, 'orgCode' | 'suid' | 'zid' | 'name'>;
type Approval = Pick<challengeRepo.ChallengeRow, 'kind' | 'action' | 'contentHash'>;

const isAbout = ({ kind, action, contentHash: hash }: Approval, { zid }: Pick<NewDevice, 'zid'>): boolean =>
  kind === 'approval' && action === ACTION && hash === contentHash({ zid });

/** Returns a device's pending confirmation, or undefined once the device can approve. */
export function confirmationOf(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, zid }: Pick<NewDevice, 'orgCode' | 'zid'>,
): Confirmation | undefined {
  const now = clock.now();
  const device = deviceRepo.findDevice(tx, orgCode, zid);
  if (!device || !isNewDevice(device, now)) return undefined;
  const waiting = challengeRepo
    .listWaitingChallenges(tx, orgCode, device.suid, now)
    .find((one) => isAbout(one, device));
  return { approvesFrom: isoOf(device.approvesFrom), matchNumber: waiting?.matchNumber ?? undefined };
}

/** Withdraws the pending confirmation requests for this device. @returns the requests' IDs */
export function withdrawConfirmations(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  device: Pick<NewDevice, 'orgCode' | 'suid' | 'zid'>,
): string[] {
  const { orgCode, suid } = device;
  const now = clock.now();
  return challengeRepo
    .listWaitingChallenges(tx, orgCode, suid, now)
    .filter((waiting) => isAbout(waiting, device))
    .flatMap(({ id }) => challengeRepo.cancelChallenges(tx, orgCode, { id }, { resultCode: 'EXPIRED', now }));
}

/** Returns the question displayed on older devices. */
export const confirmationText = ({ name }: Pick<NewDevice, 'name'>): string =>
  `“${name}” was added to your account. Is it yours?`;

/**
 * Asks the owner's older devices to confirm a newly registered device. Sends nothing if no older device can answer or
 * too many requests are pending; the owner can start the confirmation later in the portal.
 */
export function requestConfirmation(
  deps: Deps,
  tx: Tx,
  device: NewDevice,
  requester: Requester,
): StartedApproval | undefined {
  const { orgCode, suid, zid } = device;
  if (!canApprove(deps, tx, device) || hasMaxPendingRequests(deps, tx, device)) return undefined;
  if (denialPause(deps, tx, orgCode, { suid, ip: requester.ip })) return undefined;
  const statement = confirmationText(device);
  return beginApproval(deps, tx, { orgCode, suid, action: ACTION, content: { zid } }, { statement, requester });
}

/**
 * Applies the answer to a confirmation request: a confirmed device can approve from now on, a rejected device is
 * removed. Call this in the transaction that settles the request, and call `announceEndedUse` after it.
 * @returns the sessions and challenges that ended with a removed device
 */
export function settleConfirmation(
  deps: Deps,
  tx: Tx,
  request: challengeRepo.ChallengeRow,
  { status, reason }: Verdict,
  actor: AuditActor,
): EndedUse | undefined {
  if (request.action !== ACTION || request.suid === null) return undefined;
  const { orgCode, suid } = request;
  const device = deviceRepo.listRegisteredDevices(tx, orgCode, suid).find((one) => isAbout(request, one));
  if (!device) return undefined;
  const { zid } = device;
  const now = deps.clock.now();
  if (status === 'approved') {
    deviceRepo.setApprovesFrom(tx, orgCode, zid, now);
    record(deps, tx, actor, { action: 'device.confirmed', object: deviceObject(device) });
    return undefined;
  }
  if (reason !== 'not-me') return undefined;
  deviceRepo.setDeviceStatus(tx, orgCode, zid, 'removed', now);
  const facts = { before: { status: device.status }, after: { status: 'removed' } };
  record(deps, tx, actor, { action: 'device.deleted', object: deviceObject(device), ...facts });
  return endDeviceUse(deps, tx, orgCode, zid);
}
