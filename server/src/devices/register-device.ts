import { deviceRepo, type memberRepo, type organisationRepo, outboxRepo, type Tx } from '@orchestrate/db';
import type { DeviceDescription, PublicKey } from '@orchestrate/shared';
import type { Deps } from '../deps.ts';
import { newDeviceMail } from '../mails/new-device-mail.ts';

export interface Registration {
  zid: string;
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
  device: DeviceDescription;
  publicKey: PublicKey;
  thumbprint: string;
}

/**
 * Writes a new active device, to which nothing stands in the way any more, and the mail that tells its owner. Belongs
 * into one transaction with the claim of its code; after the commit, `announceDevices` and `TOPIC.outbox`.
 */
export function registerDevice(
  { random, clock }: Deps,
  tx: Tx,
  { zid, organisation, member, device, publicKey, thumbprint }: Registration,
): void {
  const now = clock.now();
  deviceRepo.insertDevice(tx, {
    ...device,
    zid,
    orgCode: organisation.orgCode,
    suid: member.suid,
    publicKey,
    thumbprint,
    registeredAt: now,
  });
  outboxRepo.insertOutboxMessage(
    tx,
    newDeviceMail(random.id(), { organisation, member, deviceName: device.name, now }),
  );
}
