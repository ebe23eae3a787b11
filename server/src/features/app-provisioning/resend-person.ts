import {
  groupRepo,
  memberRepo,
  provisionedPersonRepo,
  provisioningLogRepo,
  provisioningMarkRepo,
  type provisioningTargetRepo,
} from '@orchestrate/db';
import type { ProvisioningDelivery } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseEndedSession, retryIfReset } from '../../platform/retry-if-reset.ts';
import { LEASE_MS, sendPerson } from '../../protocols/scim/client/send-people.ts';
import { deliveryOf } from './provisioning-of.ts';
import { requireTarget } from './write-target.ts';

/**
 * Sends a person or a group at once, changed or not.
 * @returns null where there was nothing to send, or it is on the way already
 * @throws Refusal as `requireTarget`; ID_DOESNOT_EXIST there is none with this id; INVALID_REQUEST it is switched off
 */
export async function resendPerson(
  deps: Deps,
  app: provisioningTargetRepo.OfApp,
  whom: provisionedPersonRepo.Whom,
): Promise<ProvisioningDelivery | null> {
  const { db, clock, bus } = deps;
  const { orgCode, appId } = app;
  const { enabled, sendGroups } = requireTarget(db, orgCode, appId);
  if (!enabled) throw new Refusal('INVALID_REQUEST', { message: 'Turn on provisioning first.' });
  if (!isThere()) throw new Refusal('ID_DOESNOT_EXIST');
  const now = clock.now();
  const claimed = db.transaction((tx) => {
    if ('suid' in whom) provisioningMarkRepo.markPerson(tx, app, whom.suid, now);
    else provisioningMarkRepo.markGroup(tx, app, whom.groupId, now);
    return provisionedPersonRepo.claimPerson(tx, app, whom, { now, leaseMs: LEASE_MS });
  });
  if (!claimed) return null;
  const send = () => sendPerson(deps, { ...claimed, sent: null });
  const number = await retryIfReset(deps, send, (settle) => settle(), refuseEndedSession);
  // Changes that arrived in the meantime are sent now.
  bus.changed(TOPIC.provisioning);
  const [sent] = number === null ? [] : provisioningLogRepo.listLog(db, app, { atMost: 1, number });
  return sent ? deliveryOf(sent) : null;

  function isThere(): boolean {
    if ('suid' in whom) return memberRepo.findMember(db, orgCode, whom.suid) !== undefined;
    const isKnown = provisionedPersonRepo.findPerson(db, app, whom) !== undefined;
    return isKnown || (sendGroups && groupRepo.findGroup(db, orgCode, whom.groupId) !== undefined);
  }
}
