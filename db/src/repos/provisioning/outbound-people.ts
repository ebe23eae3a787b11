import { and, count, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { groupMembers } from '../../schema/groups.ts';
import { provisionedResources } from '../../schema/outbound-provisioning.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { type AppKey, countUnmarked, type TargetRow } from './outbound-targets.ts';

/** A person or group in outbound provisioning. */
export type PersonRow = typeof provisionedResources.$inferSelect;

/** Selects the rows of an application's target service. */
export const belongsToApp = ({ orgCode, appId }: AppKey) =>
  and(eq(provisionedResources.appId, appId), eq(provisionedResources.orgCode, orgCode));

/**
 * Lists the IDs that the service uses for a group's members, sorted. Omits members who can't use the application or
 * whom the service doesn't have yet.
 */
export function listRemoteMembers(tx: Tx, { orgCode, appId }: AppKey, groupId: string): string[] {
  return tx
    .select({ remoteId: provisionedResources.remoteId })
    .from(groupMembers)
    .crossJoin(provisionedResources)
    .where(
      and(
        eq(groupMembers.groupId, groupId),
        eq(groupMembers.orgCode, orgCode),
        eq(provisionedResources.suid, groupMembers.suid),
        eq(provisionedResources.appId, appId),
        eq(provisionedResources.orgCode, orgCode),
        eq(provisionedResources.inScope, true),
        isNotNull(provisionedResources.remoteId),
      ),
    )
    .all()
    .flatMap(({ remoteId }) => remoteId ?? [])
    .sort();
}

/** Deletes the stored state of all people and groups at a service. Needed when another service replaces it. */
export function deletePeople(tx: Tx, app: AppKey): void {
  tx.delete(provisionedResources).where(belongsToApp(app)).run();
}

/** Cancels all scheduled attempts for a service. */
export function unschedulePeople(tx: Tx, app: AppKey): void {
  tx.update(provisionedResources)
    .set({ nextAttemptAt: null })
    .where(and(belongsToApp(app), isNotNull(provisionedResources.nextAttemptAt)))
    .run();
}

/** Postpones a service's attempts that are due before `until`. */
export function postponePeople(tx: Tx, app: AppKey, until: number): void {
  tx.update(provisionedResources)
    .set({ nextAttemptAt: until })
    .where(and(belongsToApp(app), lt(provisionedResources.nextAttemptAt, until)))
    .run();
}

interface Lease {
  now: number;
  leaseMs: number;
}

const leased = (until: number | SQL) => ({
  attempts: sql`${provisionedResources.attempts} + 1`,
  nextAttemptAt: until,
  leasedUntil: until,
});

/**
 * Claims the next due person or group, which then isn't due until the lease ends. If the process dies, another
 * attempt can follow after the lease.
 */
export function claimDuePerson(tx: Tx, { now, leaseMs }: Lease): PersonRow | undefined {
  return claimedWhenDue(tx).get({ now, until: now + leaseMs });
}

const claimedWhenDue = drizzleStatement((db) => {
  const due = db
    .select({ number: provisionedResources.number })
    .from(provisionedResources)
    .where(lte(provisionedResources.nextAttemptAt, sql.placeholder('now')))
    .orderBy(provisionedResources.nextAttemptAt, provisionedResources.number)
    .limit(1);
  return db
    .update(provisionedResources)
    .set(leased(sql`${sql.placeholder('until')}`))
    .where(inArray(provisionedResources.number, due))
    .returning()
    .prepare();
});

/** A member or group of the organisation. */
export type PersonOrGroup = { suid: string } | { groupId: string };

const matchesPersonOrGroup = (whom: PersonOrGroup) =>
  'suid' in whom ? eq(provisionedResources.suid, whom.suid) : eq(provisionedResources.groupId, whom.groupId);

/**
 * Claims a person or group, even if they aren't due. Returns undefined if another attempt holds the claim, or if the
 * person or group is unknown.
 */
export function claimPerson(tx: Tx, app: AppKey, whom: PersonOrGroup, lease: Lease): PersonRow | undefined {
  return tx
    .update(provisionedResources)
    .set(leased(lease.now + lease.leaseMs))
    .where(
      and(
        belongsToApp(app),
        matchesPersonOrGroup(whom),
        or(isNull(provisionedResources.leasedUntil), lte(provisionedResources.leasedUntil, lease.now)),
      ),
    )
    .returning()
    .get();
}

/** Finds a person or group at an application's service. */
export function findPerson(tx: Tx, app: AppKey, whom: PersonOrGroup): PersonRow | undefined {
  return tx
    .select()
    .from(provisionedResources)
    .where(and(belongsToApp(app), matchesPersonOrGroup(whom)))
    .get();
}

/** Records the result of an attempt. A person who was marked during the attempt is due again immediately. */
export function settlePerson(
  tx: Tx,
  { number, mark }: Pick<PersonRow, 'number' | 'mark'>,
  outcome: Pick<PersonRow, 'remoteId' | 'sent' | 'status' | 'nextAttemptAt' | 'logNumber' | 'inScope'>,
  now: number,
): void {
  const { status, nextAttemptAt, ...rest } = outcome;
  const isSame = sql`${provisionedResources.mark} = ${mark}`;
  tx.update(provisionedResources)
    .set({
      ...rest,
      leasedUntil: null,
      status: sql`CASE WHEN ${isSame} THEN ${status} ELSE 'waiting' END`,
      nextAttemptAt: sql`CASE WHEN ${isSame} THEN ${nextAttemptAt} ELSE ${now} END`,
      ...(status !== 'failed' && outcome.logNumber === null && { attempts: 0 }),
    })
    .where(eq(provisionedResources.number, number))
    .run();
}

/** Deletes a person whom the service neither has nor needs. Returns false if they were marked again meanwhile. */
export function deletePerson(tx: Tx, { number, mark }: Pick<PersonRow, 'number' | 'mark'>): boolean {
  const { changes } = tx
    .delete(provisionedResources)
    .where(and(eq(provisionedResources.number, number), eq(provisionedResources.mark, mark)))
    .run();
  return changes === 1;
}

const nextPersonTime = drizzleStatement((db) =>
  db
    .select({ at: provisionedResources.nextAttemptAt })
    .from(provisionedResources)
    .where(sql`${provisionedResources.nextAttemptAt} IS NOT NULL`)
    .orderBy(provisionedResources.nextAttemptAt)
    .limit(1)
    .prepare(),
);

/** Returns when the next person is due, or null if no one is. */
export function findNextPersonTime(tx: Tx): number | null {
  return nextPersonTime(tx).get()?.at ?? null;
}

type Counts = Record<PersonRow['status'], number>;

/** Counts a service's people and groups by state. Members who haven't been marked yet count as waiting. */
export function countPeople(
  tx: Tx,
  app: Pick<TargetRow, 'orgCode' | 'appId' | 'markedUpTo'>,
): { people: Counts; groups: Counts } {
  const countOf = (more?: SQL): Counts => {
    const rows = tx
      .select({ status: provisionedResources.status, rows: count() })
      .from(provisionedResources)
      .where(and(belongsToApp(app), more))
      .groupBy(provisionedResources.status)
      .all();
    return { waiting: 0, current: 0, failed: 0, ...Object.fromEntries(rows.map((row) => [row.status, row.rows])) };
  };
  const all = countOf();
  const groups = countOf(
    and(
      inArray(provisionedResources.status, ['waiting', 'current', 'failed']),
      isNotNull(provisionedResources.groupId),
    ),
  );
  const people = {
    waiting: all.waiting - groups.waiting + countUnmarked(tx, app),
    current: all.current - groups.current,
    failed: all.failed - groups.failed,
  };
  return { people, groups };
}
