import { deviceRepo, type memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import type { DeviceDescription, DeviceType, PublicKey } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/actors.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';
import { deviceObject } from '../audit/objects.ts';
import { record } from '../audit/record.ts';

export interface Registration {
  zid: string;
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
  device: Omit<DeviceDescription, 'type'> & { type: DeviceType };
  /** Null for a passkey, whose key is stored elsewhere. */
  publicKey: PublicKey | null;
  thumbprint: string | null;
}

/**
 * Writes a new active device, after all obstacles have been checked, and the mail that tells its owner. Call it in the
 * same transaction that claims the code; after the commit, call `announceDevices` and signal `TOPIC.outbox`.
 */
export function registerDevice(
  deps: Deps,
  tx: Tx,
  { zid, organisation, member, device, publicKey, thumbprint }: Registration,
  { actor, action }: { actor: AuditActor; action: 'device.registered' | 'device.activated' },
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
  record(deps, tx, actor, { action, object: deviceObject({ zid, suid, name }), after: { name, type, platform } });
  const facts = { firstName: member.firstName, deviceName: device.name, at: now };
  writeMessage(deps, tx, { orgCode, to: member.primaryEmail, template: 'new-device', facts });
}
