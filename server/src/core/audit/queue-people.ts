import { provisioningMarkRepo, provisioningTargetRepo, type Tx } from '@orchestrate/db';
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

/** These do not say whom they concern. */
const CONCERN_MANY: readonly AuditAction[] = [
  'members.invited',
  'lab.person-made',
  'group.deleted',
  'role.updated',
  'role.deleted',
  'scim-schema.updated',
  'scim-schema.deleted',
];
const CONCERN_ONE: readonly AuditAction[] = [
  'email.changed',
  'email.verified',
  'group.member-added',
  'group.member-removed',
];
const CONCERN_GROUP: readonly AuditAction[] = [
  'group.created',
  'group.updated',
  'group.member-added',
  'group.member-removed',
];

/**
 * Queues people and groups for the SCIM services of applications that may have to be told about a change (decision
 * 183). Queueing somebody needlessly costs no request. The sender is woken once the transaction is over.
 */
export function queuePeople(
  { clock, bus }: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Tx,
  { orgCode, action, suid, objectId }: Change,
): void {
  const concernsOne = suid !== null && (action.startsWith('member.') || CONCERN_ONE.includes(action));
  const concernsMany = CONCERN_MANY.includes(action);
  const isAccess = action === 'application.updated';
  const concernsGroup = CONCERN_GROUP.includes(action);
  if (!concernsOne && !concernsMany && !concernsGroup && !isAccess) return;
  const targets = provisioningTargetRepo.listActiveTargets(tx, orgCode);
  const concerned = isAccess ? targets.filter(({ appId }) => appId === objectId) : targets;
  if (concerned.length === 0) return;
  const now = clock.now();
  for (const target of concerned) {
    if (concernsMany || isAccess) provisioningMarkRepo.markEverybody(tx, target, { now });
    if (concernsOne) provisioningMarkRepo.markPerson(tx, target, suid, now);
    if (concernsGroup && target.sendGroups) provisioningMarkRepo.markGroup(tx, target, objectId, now);
    // Their memberships end with them.
    if (action === 'member.deleted' && target.sendGroups && suid !== null)
      provisioningMarkRepo.markGroupsOf(tx, target, suid, now);
  }
  queueMicrotask(() => bus?.changed(TOPIC.provisioning));
}
