import { provisionedPersonRepo, provisioningTargetRepo, type Tx } from '@orchestrate/db';
import type { AuditAction } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';

/** What happened, and to whom. */
interface Change {
  orgCode: string;
  action: AuditAction;
  /** The member it concerns. */
  suid: string | null;
  objectId: string;
}

/** After these it is not known whom they concern. */
const CONCERN_MANY: readonly AuditAction[] = ['members.invited', 'lab.person-made', 'group.deleted'];
const CONCERN_ONE: readonly AuditAction[] = [
  'email.changed',
  'email.verified',
  'group.member-added',
  'group.member-removed',
];

/**
 * Queues people for the SCIM services of applications that may have to be told about a change (decision 183). Who is
 * queued without need costs no request. The sender is woken once the transaction is over.
 */
export function queuePeople(
  { clock, bus }: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Tx,
  { orgCode, action, suid, objectId }: Change,
): void {
  const concernsOne = suid !== null && (action.startsWith('member.') || CONCERN_ONE.includes(action));
  const concernsMany = CONCERN_MANY.includes(action);
  const isAccess = action === 'application.updated';
  if (!concernsOne && !concernsMany && !isAccess) return;
  const targets = provisioningTargetRepo.listActiveTargets(tx, orgCode);
  const concerned = isAccess ? targets.filter((appId) => appId === objectId) : targets;
  if (concerned.length === 0) return;
  const now = clock.now();
  for (const appId of concerned) {
    if (concernsOne) provisionedPersonRepo.markPerson(tx, { orgCode, appId }, suid, now);
    else provisionedPersonRepo.markEverybody(tx, { orgCode, appId }, { now });
  }
  queueMicrotask(() => bus?.changed(TOPIC.provisioning));
}
