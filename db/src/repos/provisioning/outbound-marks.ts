import { and, eq, inArray, isNotNull, isNull, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { groupMembers } from '../../schema/groups.ts';
import { members } from '../../schema/members.ts';
import { provisionedResources, provisioningTargets } from '../../schema/outbound-provisioning.ts';
import { belongsToApp } from './outbound-people.ts';
import { type ActiveTarget, type AppKey, changeTarget, unmarkedCondition } from './outbound-targets.ts';

/** Returns when a marked row is due: after its lease and its service's pause have ended. */
const dueFrom = ({ orgCode, appId }: AppKey, now: number) => sql`max(
  ${now},
  coalesce(${provisionedResources.leasedUntil}, 0),
  coalesce((SELECT ${provisioningTargets.pausedUntil} FROM ${provisioningTargets}
    WHERE ${provisioningTargets.orgCode} = ${orgCode} AND ${provisioningTargets.appId} = ${appId}), 0))`;

const marked = (app: AppKey, now: number) => ({
  mark: sql`${provisionedResources.mark} + 1`,
  status: 'waiting' as const,
  attempts: 0,
  nextAttemptAt: dueFrom(app, now),
});

/** Marks a person whose data at the service may be outdated. */
export function markPerson(tx: Tx, app: AppKey, suid: string, now: number): void {
  tx.insert(provisionedResources)
    .values({ ...app, suid, nextAttemptAt: now })
    .onConflictDoUpdate({
      target: [provisionedResources.suid, provisionedResources.appId, provisionedResources.orgCode],
      set: marked(app, now),
    })
    .run();
}

/** Marks a manager's direct reports at the service. */
export function markReports(tx: Tx, app: AppKey, managerSuid: string, now: number): void {
  const reports = tx
    .select({ suid: members.suid })
    .from(members)
    .where(and(eq(members.managerSuid, managerSuid), eq(members.orgCode, app.orgCode)));
  tx.update(provisionedResources)
    .set(marked(app, now))
    .where(and(belongsToApp(app), inArray(provisionedResources.suid, reports)))
    .run();
}

const ofGroup = {
  target: [provisionedResources.groupId, provisionedResources.appId, provisionedResources.orgCode],
  targetWhere: isNotNull(provisionedResources.groupId),
};

/** Marks a group whose data at the service may be outdated. */
export function markGroup(tx: Tx, app: AppKey, groupId: string, now: number): void {
  tx.insert(provisionedResources)
    .values({ ...app, groupId, nextAttemptAt: now })
    .onConflictDoUpdate({ ...ofGroup, set: marked(app, now) })
    .run();
}

/** Marks a member's groups. */
export function markGroupsOfMember(tx: Tx, app: AppKey, suid: string, now: number): void {
  const joined = tx
    .select({ groupId: groupMembers.groupId })
    .from(groupMembers)
    .where(and(eq(groupMembers.suid, suid), eq(groupMembers.orgCode, app.orgCode)))
    .all();
  for (const { groupId } of joined) markGroup(tx, app, groupId, now);
}

/** Number of people marked per transaction. Other requests wait during the transaction. */
const MARKED_AT_ONCE = 1_000;

/**
 * Starts marking all members of the organisation, including deleted members that the service still has. Marks the
 * first slice now; `markMore` marks the rest.
 * @param marksAnew true if the service's state is unknown, so all members must be sent, even if they haven't changed
 */
export function markAll(
  tx: Tx,
  target: ActiveTarget,
  { now, marksAnew = false, atMost }: { now: number; marksAnew?: boolean; atMost?: number },
): void {
  const isUnfinished = target.markedUpTo !== null && target.marksAnew;
  markMore(tx, { ...target, markedUpTo: 0, marksAnew: marksAnew || isUnfinished }, now, atMost);
}

/** Marks the next slice of members. Once all members are marked, marks the groups. */
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
 * Marks the groups that the service still has and, if groups are sent, all of the organisation's groups (typically a
 * few hundred).
 */
function markGroups(tx: Tx, target: ActiveTarget, now: number): void {
  const { orgCode, appId, sendGroups, pausedUntil, marksAnew } = target;
  tx.update(provisionedResources)
    .set({ ...marked(target, now), ...(marksAnew && { sent: null }) })
    .where(and(belongsToApp(target), isNotNull(provisionedResources.groupId)))
    .run();
  if (!sendGroups) return;
  tx.run(sql`
    INSERT INTO provisioned_people (orgCode, appId, groupId, nextAttemptAt)
      SELECT orgCode, ${appId}, groupId, ${max(now, pausedUntil)} FROM groups WHERE orgCode = ${orgCode}
    ON CONFLICT (groupId, appId, orgCode) WHERE groupId IS NOT NULL DO NOTHING`);
}

/** The same assignments as `marked`, as a SQL fragment. */
const marking = (target: ActiveTarget, now: number) => sql`
  mark = mark + 1, status = 'waiting', attempts = 0, nextAttemptAt = ${dueFrom(target, now)}
  ${target.marksAnew ? sql`, sent = NULL` : sql``}`;

const max = (now: number, pausedUntil: number | null) => Math.max(now, pausedUntil ?? 0);

const isMarking = and(
  isNotNull(provisioningTargets.markedUpTo),
  eq(provisioningTargets.enabled, true),
  isNull(provisioningTargets.stoppedAt),
);

/** Finds a service with unfinished marking. */
export function findMarking(tx: Tx): ActiveTarget | undefined {
  return tx.select().from(provisioningTargets).where(isMarking).limit(1).get();
}
