import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { memberIdRange } from '../member-ids.ts';
import { prepared } from '../prepared.ts';
import { provisionedPeople, provisioningLog, provisioningTargets } from '../schema/app-provisioning.ts';
import { groupMembers } from '../schema/groups.ts';
import { members } from '../schema/members.ts';
import { findOrganisation } from './organisations.ts';
import { type ActiveTarget, changeTarget, type TargetRow } from './provisioning-targets.ts';

export type { ProvisioningRequest } from '../schema/app-provisioning.ts';
/** A person or a group. */
export type PersonRow = typeof provisionedPeople.$inferSelect;
export type LogRow = typeof provisioningLog.$inferSelect;

/** Names the service of an application. */
export interface OfApp {
  orgCode: string;
  appId: string;
}

const ofApp = ({ orgCode, appId }: OfApp) =>
  and(eq(provisionedPeople.appId, appId), eq(provisionedPeople.orgCode, orgCode));

/** When a marked row is due: not while it is on its way, nor while its service is paused. */
const dueFrom = ({ orgCode, appId }: OfApp, now: number) => sql`max(
  ${now},
  coalesce(${provisionedPeople.leasedUntil}, 0),
  coalesce((SELECT ${provisioningTargets.pausedUntil} FROM ${provisioningTargets}
    WHERE ${provisioningTargets.orgCode} = ${orgCode} AND ${provisioningTargets.appId} = ${appId}), 0))`;

const marked = (app: OfApp, now: number) => ({
  mark: sql`${provisionedPeople.mark} + 1`,
  status: 'waiting' as const,
  attempts: 0,
  nextAttemptAt: dueFrom(app, now),
});

/** Marks a person whom the service may have to be told about. */
export function markPerson(tx: Tx, app: OfApp, suid: string, now: number): void {
  tx.insert(provisionedPeople)
    .values({ ...app, suid, nextAttemptAt: now })
    .onConflictDoUpdate({
      target: [provisionedPeople.suid, provisionedPeople.appId, provisionedPeople.orgCode],
      set: marked(app, now),
    })
    .run();
}

/** Marks those at the service whose manager somebody is. */
export function markReports(tx: Tx, app: OfApp, managerSuid: string, now: number): void {
  const reports = tx
    .select({ suid: members.suid })
    .from(members)
    .where(and(eq(members.managerSuid, managerSuid), eq(members.orgCode, app.orgCode)));
  tx.update(provisionedPeople)
    .set(marked(app, now))
    .where(and(ofApp(app), inArray(provisionedPeople.suid, reports)))
    .run();
}

const ofGroup = {
  target: [provisionedPeople.groupId, provisionedPeople.appId, provisionedPeople.orgCode],
  targetWhere: isNotNull(provisionedPeople.groupId),
};

/** Marks a group that the service may have to be told about. */
export function markGroup(tx: Tx, app: OfApp, groupId: string, now: number): void {
  tx.insert(provisionedPeople)
    .values({ ...app, groupId, nextAttemptAt: now })
    .onConflictDoUpdate({ ...ofGroup, set: marked(app, now) })
    .run();
}

/** Marks the groups in which somebody is. */
export function markGroupsOf(tx: Tx, app: OfApp, suid: string, now: number): void {
  const joined = tx
    .select({ groupId: groupMembers.groupId })
    .from(groupMembers)
    .where(and(eq(groupMembers.suid, suid), eq(groupMembers.orgCode, app.orgCode)))
    .all();
  for (const { groupId } of joined) markGroup(tx, app, groupId, now);
}

/**
 * The service's own ids of a group's members, sorted. Members who may not use the application, or whom the service does
 * not have yet, are left out.
 */
export function listRemoteMembers(tx: Tx, { orgCode, appId }: OfApp, groupId: string): string[] {
  return tx
    .select({ remoteId: provisionedPeople.remoteId })
    .from(groupMembers)
    .crossJoin(provisionedPeople)
    .where(
      and(
        eq(groupMembers.groupId, groupId),
        eq(groupMembers.orgCode, orgCode),
        eq(provisionedPeople.suid, groupMembers.suid),
        eq(provisionedPeople.appId, appId),
        eq(provisionedPeople.orgCode, orgCode),
        eq(provisionedPeople.inScope, true),
        isNotNull(provisionedPeople.remoteId),
      ),
    )
    .all()
    .flatMap(({ remoteId }) => remoteId ?? [])
    .sort();
}

/** How many people are marked in one transaction, while everybody else waits. */
const MARKED_AT_ONCE = 1_000;

/**
 * Begins to mark everybody in the organisation, and those whom the service has still: the first of them now, the others
 * with `markMore`.
 * @param isAnew what it has is not known: everybody is sent, changed or not
 */
export function markEverybody(
  tx: Tx,
  target: ActiveTarget,
  { now, isAnew = false, atMost }: { now: number; isAnew?: boolean; atMost?: number },
): void {
  const marksAnew = isAnew || (target.markedUpTo !== null && target.marksAnew);
  markMore(tx, { ...target, markedUpTo: 0, marksAnew }, now, atMost);
}

/** Undefined where all are marked. */
function areUnmarked(tx: Tx, { orgCode, markedUpTo }: Pick<ActiveTarget, 'orgCode' | 'markedUpTo'>): SQL | undefined {
  const organisation = markedUpTo === null ? undefined : findOrganisation(tx, orgCode);
  if (!organisation || markedUpTo === null) return undefined;
  const { after, before } = memberIdRange(organisation.number);
  return and(gt(members.id, Math.max(markedUpTo, after)), lt(members.id, before));
}

/** Marks the next of those who are being marked; the groups come last. */
export function markMore(tx: Tx, target: ActiveTarget, now: number, atMost = MARKED_AT_ONCE): void {
  const { orgCode, appId, marksAnew, pausedUntil } = target;
  const unmarked = areUnmarked(tx, target);
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

/** Those that the service has still, and all of the organisation where groups are sent: there are some hundreds. */
function markGroups(tx: Tx, target: ActiveTarget, now: number): void {
  const { orgCode, appId, sendGroups, pausedUntil } = target;
  tx.run(sql`
    UPDATE provisioned_people SET ${marking(target, now)}
    WHERE appId = ${appId} AND orgCode = ${orgCode} AND groupId IS NOT NULL`);
  if (!sendGroups) return;
  tx.run(sql`
    INSERT INTO provisioned_people (orgCode, appId, groupId, nextAttemptAt)
      SELECT orgCode, ${appId}, groupId, ${max(now, pausedUntil)} FROM groups WHERE orgCode = ${orgCode}
    ON CONFLICT (groupId, appId, orgCode) WHERE groupId IS NOT NULL DO NOTHING`);
}

/** As `marked`. */
const marking = (target: ActiveTarget, now: number) => sql`
  mark = mark + 1, status = 'waiting', attempts = 0, nextAttemptAt = ${dueFrom(target, now)}
  ${target.marksAnew ? sql`, sent = NULL` : sql``}`;

const max = (now: number, pausedUntil: number | null) => Math.max(now, pausedUntil ?? 0);

const isMarking = and(
  isNotNull(provisioningTargets.markedUpTo),
  eq(provisioningTargets.enabled, true),
  isNull(provisioningTargets.stoppedAt),
);

/** A service of whose people not all have been marked yet; undefined where there is none. */
export function findMarking(tx: Tx): ActiveTarget | undefined {
  return tx.select().from(provisioningTargets).where(isMarking).limit(1).get();
}

/** Forgets what the service has of everybody: it is another service now. */
export function forgetPeople(tx: Tx, app: OfApp): void {
  tx.delete(provisionedPeople).where(ofApp(app)).run();
}

/** Nobody is due any more. */
export function holdPeople(tx: Tx, app: OfApp): void {
  tx.update(provisionedPeople)
    .set({ nextAttemptAt: null })
    .where(and(ofApp(app), isNotNull(provisionedPeople.nextAttemptAt)))
    .run();
}

/** Nobody is due before `until`. */
export function postponePeople(tx: Tx, app: OfApp, until: number): void {
  tx.update(provisionedPeople)
    .set({ nextAttemptAt: until })
    .where(and(ofApp(app), lt(provisionedPeople.nextAttemptAt, until)))
    .run();
}

interface Lease {
  now: number;
  leaseMs: number;
}

const leased = ({ now, leaseMs }: Lease) => ({
  attempts: sql`${provisionedPeople.attempts} + 1`,
  nextAttemptAt: now + leaseMs,
  leasedUntil: now + leaseMs,
});

/** Claims the person who is due first and hides them for the lease: if the process dies, they are due again after that. */
export function claimDuePerson(tx: Tx, lease: Lease): PersonRow | undefined {
  const due = tx
    .select({ number: provisionedPeople.number })
    .from(provisionedPeople)
    .where(lte(provisionedPeople.nextAttemptAt, lease.now))
    .orderBy(provisionedPeople.nextAttemptAt, provisionedPeople.number)
    .limit(1);
  return tx
    .update(provisionedPeople)
    .set(leased(lease))
    .where(inArray(provisionedPeople.number, due))
    .returning()
    .get();
}

/** A person or a group of the organisation. */
export type Whom = { suid: string } | { groupId: string };

const isWhom = (whom: Whom) =>
  'suid' in whom ? eq(provisionedPeople.suid, whom.suid) : eq(provisionedPeople.groupId, whom.groupId);

/** Claims one, due or not; undefined while they are on their way, or where the service knows nobody of this id. */
export function claimPerson(tx: Tx, app: OfApp, whom: Whom, lease: Lease): PersonRow | undefined {
  return tx
    .update(provisionedPeople)
    .set(leased(lease))
    .where(
      and(
        ofApp(app),
        isWhom(whom),
        or(isNull(provisionedPeople.leasedUntil), lte(provisionedPeople.leasedUntil, lease.now)),
      ),
    )
    .returning()
    .get();
}

/** Finds a person or a group at the service of an application. */
export function findPerson(tx: Tx, app: OfApp, whom: Whom): PersonRow | undefined {
  return tx
    .select()
    .from(provisionedPeople)
    .where(and(ofApp(app), isWhom(whom)))
    .get();
}

/** Records the result of an attempt. If the person was marked meanwhile, they are due at once. */
export function settlePerson(
  tx: Tx,
  { number, mark }: Pick<PersonRow, 'number' | 'mark'>,
  outcome: Pick<PersonRow, 'remoteId' | 'sent' | 'status' | 'nextAttemptAt' | 'logNumber' | 'inScope'>,
  now: number,
): void {
  const { status, nextAttemptAt, ...rest } = outcome;
  const isSame = sql`${provisionedPeople.mark} = ${mark}`;
  tx.update(provisionedPeople)
    .set({
      ...rest,
      leasedUntil: null,
      status: sql`CASE WHEN ${isSame} THEN ${status} ELSE 'waiting' END`,
      nextAttemptAt: sql`CASE WHEN ${isSame} THEN ${nextAttemptAt} ELSE ${now} END`,
      ...(status !== 'failed' && outcome.logNumber === null && { attempts: 0 }),
    })
    .where(eq(provisionedPeople.number, number))
    .run();
}

/** Deletes a person whom the service does not have and need not have, unless they were marked meanwhile. */
export function dropPerson(tx: Tx, { number, mark }: Pick<PersonRow, 'number' | 'mark'>): boolean {
  const { changes } = tx
    .delete(provisionedPeople)
    .where(and(eq(provisionedPeople.number, number), eq(provisionedPeople.mark, mark)))
    .run();
  return changes === 1;
}

const nextPersonTime = prepared((db) =>
  db
    .select({ at: provisionedPeople.nextAttemptAt })
    .from(provisionedPeople)
    .where(sql`${provisionedPeople.nextAttemptAt} IS NOT NULL`)
    .orderBy(provisionedPeople.nextAttemptAt)
    .limit(1)
    .prepare(),
);

/** When the next one is due; null where nobody is. */
export function findNextPersonTime(tx: Tx): number | null {
  return nextPersonTime(tx).get()?.at ?? null;
}

type Counts = Record<PersonRow['status'], number>;

/** How many members may not have been marked yet: they have consecutive numbers, so nobody has to be counted. */
function countUnmarked(tx: Tx, target: Parameters<typeof areUnmarked>[1]): number {
  const unmarked = areUnmarked(tx, target);
  if (!unmarked) return 0;
  const id = members.id;
  const first = tx.select({ id }).from(members).where(unmarked).orderBy(id).limit(1).get();
  const last = tx.select({ id }).from(members).where(unmarked).orderBy(desc(id)).limit(1).get();
  return first && last ? last.id - first.id + 1 : 0;
}

/** How many people and groups of a service there are in each state. Who has not been marked yet is waiting. */
export function countPeople(
  tx: Tx,
  app: Pick<TargetRow, 'orgCode' | 'appId' | 'markedUpTo'>,
): { people: Counts; groups: Counts } {
  const countOf = (more?: SQL): Counts => {
    const rows = tx
      .select({ status: provisionedPeople.status, rows: count() })
      .from(provisionedPeople)
      .where(and(ofApp(app), more))
      .groupBy(provisionedPeople.status)
      .all();
    return { waiting: 0, current: 0, failed: 0, ...Object.fromEntries(rows.map((row) => [row.status, row.rows])) };
  };
  const all = countOf();
  const groups = countOf(
    and(inArray(provisionedPeople.status, ['waiting', 'current', 'failed']), isNotNull(provisionedPeople.groupId)),
  );
  const people = {
    waiting: all.waiting - groups.waiting + countUnmarked(tx, app),
    current: all.current - groups.current,
    failed: all.failed - groups.failed,
  };
  return { people, groups };
}

/** Writes an entry of the log, or what became of the one that this attempt continues. @returns its number */
export function writeLog(tx: Tx, continued: number | null, entry: Omit<LogRow, 'number'>): number {
  const changed =
    continued === null
      ? undefined
      : tx
          .update(provisioningLog)
          .set(entry)
          .where(
            and(
              eq(provisioningLog.number, continued),
              or(eq(provisioningLog.suid, entry.suid ?? ''), eq(provisioningLog.groupId, entry.groupId ?? '')),
            ),
          )
          .returning({ number: provisioningLog.number })
          .get();
  const { number } =
    changed ?? tx.insert(provisioningLog).values(entry).returning({ number: provisioningLog.number }).get();
  return number;
}

/** An entry of the log, whose it is, and when the next attempt is due: null where there will be none. */
export type LoggedDelivery = LogRow &
  Pick<PersonRow, 'nextAttemptAt'> & { firstName: string | null; lastName: string | null };

/** The newest first: at most `atMost`, older than the one with the number `before`. */
export function listLog(
  tx: Tx,
  { orgCode, appId }: OfApp,
  {
    atMost,
    before,
    status,
    number,
  }: {
    atMost: number;
    before?: number | undefined;
    status?: LogRow['status'] | undefined;
    number?: number | undefined;
  },
): LoggedDelivery[] {
  return tx
    .select({
      log: provisioningLog,
      nextAttemptAt: provisionedPeople.nextAttemptAt,
      firstName: members.firstName,
      lastName: members.lastName,
    })
    .from(provisioningLog)
    .leftJoin(members, eq(members.suid, provisioningLog.suid))
    .leftJoin(
      provisionedPeople,
      and(
        or(eq(provisionedPeople.suid, provisioningLog.suid), eq(provisionedPeople.groupId, provisioningLog.groupId)),
        eq(provisionedPeople.appId, provisioningLog.appId),
        eq(provisionedPeople.orgCode, provisioningLog.orgCode),
        eq(provisionedPeople.logNumber, provisioningLog.number),
      ),
    )
    .where(
      and(
        eq(provisioningLog.appId, appId),
        eq(provisioningLog.orgCode, orgCode),
        before === undefined ? undefined : lt(provisioningLog.number, before),
        status && eq(provisioningLog.status, status),
        number === undefined ? undefined : eq(provisioningLog.number, number),
      ),
    )
    .orderBy(desc(provisioningLog.number))
    .limit(atMost)
    .all()
    .map(({ log, ...rest }) => ({ ...log, ...rest }));
}

/** Deletes at most `atMost` entries written before `before`, of every organisation. @returns how many */
export function pruneLog(tx: Tx, before: number, atMost: number): number {
  const old = tx
    .select({ number: provisioningLog.number })
    .from(provisioningLog)
    .where(lt(provisioningLog.at, before))
    .limit(atMost);
  return tx.delete(provisioningLog).where(inArray(provisioningLog.number, old)).run().changes;
}
