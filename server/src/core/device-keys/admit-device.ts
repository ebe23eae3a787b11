import { deviceRepo, invitationRepo, type memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import type { DeviceDescription, DeviceType, PublicKey, ResultName } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { deviceObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import type { Requester } from '../sign-in/challenges/begin.ts';
import type { StartedApproval } from '../sign-in/challenges/begin-approval.ts';
import { NEW_DEVICE_MS } from '../sign-in/new-devices.ts';
import { requestConfirmation } from './confirm-device.ts';
import { deviceObstacle } from './device-admission.ts';

/** A device that has proved possession of its key. */
export interface NewDevice {
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
  device: Omit<DeviceDescription, 'type'> & { type: DeviceType };
  /** null for a passkey, whose key is stored in a different table. */
  publicKey: PublicKey | null;
  thumbprint: string | null;
}

interface Occasion {
  actor: AuditActor;
  action: 'device.registered' | 'device.activated';
  /**
   * True if the device was added with the member's session alone. The device then counts as new until it is confirmed
   * (decision 206).
   */
  isOwn: boolean;
  requester: Requester;
}

export interface AdmittedDevice {
  zid: string;
  /** The request sent to the older devices, if any. Pass it to `announceChallenge` after the commit. */
  confirmation: StartedApproval | undefined;
}

/**
 * Registers a device as active unless there is an obstacle (`deviceObstacle`), records the event and notifies the
 * owner by email. Call this in the transaction that claims the code or settles the request, and signal `TOPIC.outbox`
 * after the commit.
 */
export function admitDevice(
  deps: Deps,
  tx: Tx,
  added: NewDevice,
  occasion: Occasion,
): AdmittedDevice | { obstacle: ResultName } {
  const { organisation, member, device, thumbprint } = added;
  const obstacle = deviceObstacle(tx, { organisation, member, type: device.type, thumbprint: thumbprint ?? undefined });
  if (obstacle) return { obstacle };
  const zid = deps.random.id();
  const isNew = occasion.isOwn && mustBeConfirmed(deps, tx, member);
  register(deps, tx, { zid, ...added, isNew }, occasion);
  const { suid, orgCode } = member;
  const newDevice = { zid, suid, orgCode, name: device.name };
  return { zid, confirmation: isNew ? requestConfirmation(deps, tx, newDevice, occasion.requester) : undefined };
}

/**
 * Returns true if the member has a device that must confirm the next device (NIST SP 800-63B §4.1.2), or recently had
 * one. Otherwise a thief could avoid the confirmation by first reporting the old device lost.
 */
const mustBeConfirmed = ({ clock }: Deps, tx: Tx, { orgCode, suid }: memberRepo.MemberRow): boolean =>
  deviceRepo.hasRecentDevice(tx, orgCode, suid, clock.now() - NEW_DEVICE_MS);

function register(
  deps: Deps,
  tx: Tx,
  { zid, organisation, member, device, publicKey, thumbprint, isNew }: NewDevice & { zid: string; isNew: boolean },
  { actor, action }: Occasion,
): void {
  const now = deps.clock.now();
  const { orgCode } = organisation;
  deviceRepo.insertDevice(tx, {
    ...device,
    zid,
    orgCode,
    suid: member.suid,
    publicKey,
    thumbprint,
    registeredAt: now,
    approvesFrom: isNew ? now + NEW_DEVICE_MS : now,
  });
  const { suid } = member;
  const { name, type, platform } = device;
  if (type === 'mobile' || type === 'desktop') invitationRepo.endInvitations(tx, orgCode, suid, { type, now });
  record(deps, tx, actor, { action, object: deviceObject({ zid, suid, name }), after: { name, type, platform } });
  const { firstName, language, primaryEmail: to } = member;
  const facts = { firstName, deviceName: name, at: now };
  writeMessage(deps, tx, { orgCode, to, language, template: 'new-device', facts });
}
