import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { groupMembers } from '../../schema/groups.ts';
import { members } from '../../schema/members.ts';
import { provisionedPeople, provisioningTargets } from '../../schema/outbound-provisioning.ts';
import { belongsToApp } from './outbound-people.ts';
import { type ActiveTarget, type AppKey, changeTarget, unmarkedCondition } from './outbound-targets.ts';

/** Due time of a marked row: after its lease and after its service's pause. */
const dueFrom = ({ orgCode, appId }: AppKey, now: number) => sql`max(
  ${now},
  coalesce(${provisionedPeople.leasedUntil}, 0),
  coalesce((SELECT ${provisioningTargets.pausedUntil} FROM ${provisioningTargets}
    WHERE ${provisioningTargets.orgCode} = ${orgCode} AND ${provisioningTargets.appId} = ${appId}), 0))`;

const marked = (app: AppKey, now: number) => ({
  mark: sql`${provisionedPeople.mark} + 1`,
  status: 'waiting' as const,
  attempts: 0,
  nextAttemptAt: dueFrom(app, now),
});

/** Marks a person whose data at the service may be outdated. */
export function markPerson(tx: Tx, app: AppKey, suid: string, now: number): void {
  tx.insert(provisionedPeople)
    .values({ ...app, suid, nextAttemptAt: now })
    .onConflictDoUpdate({
      target: [provisionedPeople.suid, provisionedPeople.appId, provisionedPeople.orgCode],
      set: marked(app, now),
    })
    .run();
}

/** Marks a manager's reports at the service. */
export function markReports(tx: Tx, app: AppKey, managerSuid: string, now: number): void {
  const reports = tx
    .select({ suid: members.suid })
    .from(members)
    .where(and(eq(members.managerSuid, managerSuid), eq(members.orgCode, app.orgCode)));
  tx.update(provisionedPeople)
    .set(marked(app, now))
    .where(and(belongsToApp(app), inArray(provisionedPeople.suid, reports)))
    .run();
}

const ofGroup = {
  target: [provisionedPeople.groupId, provisionedPeople.appId, provisionedPeople.orgCode],
  targetWhere: isNotNull(provisionedPeople.groupId),
};

/** Marks a group whose data at the service may be outdated. */
export function markGroup(tx: Tx, app: AppKey, groupId: string, now: number): void {
  tx.insert(provisionedPeople)
    .values({ ...app, groupId, nextAttemptAt: now })
    .onConflictDoUpdate({ ...ofGroup, set: marked(app, now) })
    .run();
}

/** Marks the groups that a member belongs to. */
export function markGroupsOf(tx: Tx, app: AppKey, suid: string, now: number): void {
  const joined = tx
    .select({ groupId: groupMembers.groupId })
    .from(groupMembers)
    .where(and(eq(groupMembers.suid, suid), eq(groupMembers.orgCode, app.orgCode)))
    .all();
  for (const { groupId } of joined) markGroup(tx, app, groupId, now);
}

/** Number of people marked in one transaction, while other requests wait. */
const MARKED_AT_ONCE = 1_000;

/**
 * Starts to mark all members of the organisation and all people whom the service still has: the first slice now, the
 * others with `markMore`.
 * @param marksAnew the service's state is unknown, so all are sent, changed or not
 */
export function markAll(
  tx: Tx,
  target: ActiveTarget,
  { now, marksAnew = false, atMost }: { now: number; marksAnew?: boolean; atMost?: number },
): void {
  const isUnfinished = target.markedUpTo !== null && target.marksAnew;
  markMore(tx, { ...target, markedUpTo: 0, marksAnew: marksAnew || isUnfinished }, now, atMost);
}

/** Marks the next slice; the groups come last. */
export function markMore(tx: Tx, target: ActiveTarget, now: number, atMost = MARKED_AT_ONCE): void {
  const { orgCode, appId, marksAnew, pausedUntil } = target;
  const unmarked = unmarkedCondition(tx, target);
  if (!unmarked) return;
  const next = tx.select({ id: members.id }).from(members).where(unmarked).orderBy(members.id).limit(atMost).all();
  const last = next.at(-1)?.id;
  if (last === undefined) {
    changeTarget(tx, orgCode, appId, { markedUpTo: null, marksAnew: false });
    markGroups(tx, target, now);
    return;
  }
  tx.run(sql`
    INSERT INTO provisioned_people (orgCode, appId, suid, nextAttemptAt)
      SELECT ${orgCode}, ${appId}, suid, ${max(now, pausedUntil)} FROM members
      WHERE ${unmarked} AND id <= ${last} AND (accountStatus <> 'deleted' OR EXISTS (
        SELECT 1 FROM provisioned_people AS known
        WHERE known.suid = members.suid AND known.appId = ${appId} AND known.orgCode = ${orgCode}))
    ON CONFLICT (suid, appId, orgCode) DO UPDATE SET ${marking(target, now)}`);
  changeTarget(tx, orgCode, appId, { markedUpTo: last, marksAnew });
}

/**
 * Marks the groups that the service still has and, if groups are sent, all groups of the organisation: a few hundred.
 */
function markGroups(tx: Tx, target: ActiveTarget, now: number): void {
  const { orgCode, appId, sendGroups, pausedUntil, marksAnew } = target;
  tx.update(provisionedPeople)
    .set({ ...marked(target, now), ...(marksAnew && { sent: null }) })
    .where(and(belongsToApp(target), isNotNull(provisionedPeople.groupId)))
    .run();
  if (!sendGroups) return;
  tx.run(sql`
    INSERT INTO provisioned_people (orgCode, appId, groupId, nextAttemptAt)
      SELECT orgCode, ${appId}, groupId, ${max(now, pausedUntil)} FROM groups WHERE orgCode = ${orgCode}
    ON CONFLICT (groupId, appId, orgCode) WHERE groupId IS NOT NULL DO NOTHING`);
}

/** `marked` as SQL text. */
const marking = (target: ActiveTarget, now: number) => sql`
  mark = mark + 1, status = 'waiting', attempts = 0, nextAttemptAt = ${dueFrom(target, now)}
  ${target.marksAnew ? sql`, sent = NULL` : sql``}`;

const max = (now: number, pausedUntil: number | null) => Math.max(now, pausedUntil ?? 0);

const isMarking = and(
  isNotNull(provisioningTargets.markedUpTo),
  eq(provisioningTargets.enabled, true),
  isNull(provisioningTargets.stoppedAt),
);

/** Finds a service for which marking isn't finished. */
export function findMarking(tx: Tx): ActiveTarget | undefined {
  return tx.select().from(provisioningTargets).where(isMarking).limit(1).get();
}
