import { deviceRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import { deviceObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { firstAppOf } from '#core/device-keys/device-admission.ts';
import { endDeviceUse } from '#core/device-keys/end-use.ts';
import { issueCode } from '#core/members/issue-code.ts';
import { isNewDevice } from '#core/sign-in/new-devices.ts';
import type { Deps } from '#deps.ts';
import { type AuditActor, systemActor } from '#platform/http/callers/actors.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';

/** Activation code for a Super Admin who has lost every device. */
export interface Recovery {
  activationCode: string;
  activationExpiry: string;
  /** App in which the code is entered. */
  type: AppType;
}

/**
 * Issues an activation code for a Super Admin without an active device. If all active devices are new, it removes
 * them, because a thief may have added them. Only the operator of the machine can call it (decision 206), so the
 * activated device can approve immediately.
 * @throws Refusal ORG_CODE_NOT_FOUND with the closest known code; FORBIDDEN if the member isn't an active Super Admin
 * or has a device that isn't new; as `issueCode`
 */
export function recoverAdministrator(deps: Deps, { orgCode, email }: { orgCode: string; email: string }): Recovery {
  const { db } = deps;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) {
    const closest = nearest(orgCode, organisationRepo.listOrgCodes(db));
    const message = `There is no organisation ${orgCode}.${closest ? ` Did you mean ${closest}?` : ''}`;
    throw new Refusal('ORG_CODE_NOT_FOUND', { message });
  }
  const member = memberRepo.findMemberByEmail(db, orgCode, email);
  if (member?.roleCode !== 'SUPER_ADMIN' || member.accountStatus !== 'active') {
    throw new Refusal('FORBIDDEN', { message: `${email} isn't an active Super Admin of ${orgCode}.` });
  }
  const now = deps.clock.now();
  const devices = deviceRepo.listRegisteredDevices(db, orgCode, member.suid);
  if (devices.some((device) => device.status === 'active' && !isNewDevice(device, now))) {
    throw new Refusal('FORBIDDEN', {
      message: `${email} still has a device. Use it to sign in, or report it lost first.`,
    });
  }
  const actor = systemActor(orgCode);
  removeNewDevices(deps, devices, actor);
  const type = firstAppOf(organisation);
  const issued = issueCode(deps, { actor, member, type, sendEmail: false, isShown: true, isOwn: false });
  return { activationCode: issued.activationCode, activationExpiry: issued.activationExpiry ?? '', type };
}

function removeNewDevices(deps: Deps, devices: readonly deviceRepo.RegisteredDevice[], actor: AuditActor): void {
  const now = deps.clock.now();
  deps.db.transaction((tx) => {
    for (const device of devices.filter((one) => isNewDevice(one, now))) {
      const { orgCode, zid, status } = device;
      deviceRepo.setDeviceStatus(tx, orgCode, zid, 'removed', now);
      const facts = { before: { status }, after: { status: 'removed' } };
      record(deps, tx, actor, { action: 'device.deleted', object: deviceObject(device), ...facts });
      endDeviceUse(deps, tx, orgCode, zid);
    }
  });
}
