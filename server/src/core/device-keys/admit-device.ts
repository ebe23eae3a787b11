import { deviceRepo, invitationRepo, type memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import type { DeviceDescription, DeviceType, PublicKey, ResultName } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';
import { deviceObject } from '../audit/audit-objects.ts';
import { record } from '../audit/record.ts';
import { deviceObstacle } from './device-admission.ts';

/** A device that has proved its key. */
export interface NewDevice {
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
  device: Omit<DeviceDescription, 'type'> & { type: DeviceType };
  /** Null for a passkey, whose key is stored elsewhere. */
  publicKey: PublicKey | null;
  thumbprint: string | null;
}

interface Occasion {
  actor: AuditActor;
  action: 'device.registered' | 'device.activated';
}

/**
 * Registers a device, unless there is an obstacle (`deviceObstacle`): writes it as active, the event, and the mail that
 * tells its owner. Call it in the transaction that claims the code or settles the request; after the commit, signal
 * `TOPIC.outbox`.
 */
export function admitDevice(
  deps: Deps,
  tx: Tx,
  added: NewDevice,
  occasion: Occasion,
): { zid: string } | { obstacle: ResultName } {
  const { organisation, member, device, thumbprint } = added;
  const obstacle = deviceObstacle(tx, { organisation, member, type: device.type, thumbprint: thumbprint ?? undefined });
  if (obstacle) return { obstacle };
  const zid = deps.random.id();
  register(deps, tx, { zid, ...added }, occasion);
  return { zid };
}

function register(
  deps: Deps,
  tx: Tx,
  { zid, organisation, member, device, publicKey, thumbprint }: NewDevice & { zid: string },
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
  });
  const { suid } = member;
  const { name, type, platform } = device;
  if (type === 'mobile' || type === 'desktop') invitationRepo.closeInvitations(tx, orgCode, [suid], { type, now });
  record(deps, tx, actor, { action, object: deviceObject({ zid, suid, name }), after: { name, type, platform } });
  const { firstName, language, primaryEmail: to } = member;
  const facts = { firstName, deviceName: name, at: now };
  writeMessage(deps, tx, { orgCode, to, language, template: 'new-device', facts });
}
