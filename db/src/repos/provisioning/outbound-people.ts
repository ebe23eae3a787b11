import { and, count, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { groupMembers } from '../../schema/groups.ts';
import { provisionedPeople } from '../../schema/outbound-provisioning.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { type AppKey, countUnmarked, type TargetRow } from './outbound-targets.ts';

/** A person or a group of outbound provisioning. */
export type PersonRow = typeof provisionedPeople.$inferSelect;

/** Selects the rows of an application's service. */
export const belongsToApp = ({ orgCode, appId }: AppKey) =>
  and(eq(provisionedPeople.appId, appId), eq(provisionedPeople.orgCode, orgCode));

/**
 * Lists the service's own ids of a group's members, sorted. Members who can't use the application, or whom the service
 * does not have yet, are left out.
 */
export function listRemoteMembers(tx: Tx, { orgCode, appId }: AppKey, groupId: string): string[] {
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

/** Deletes the records of all people at the service, because it is another service now. */
export function deletePeople(tx: Tx, app: AppKey): void {
  tx.delete(provisionedPeople).where(belongsToApp(app)).run();
}

/** Cancels all due attempts. */
export function unschedulePeople(tx: Tx, app: AppKey): void {
  tx.update(provisionedPeople)
    .set({ nextAttemptAt: null })
    .where(and(belongsToApp(app), isNotNull(provisionedPeople.nextAttemptAt)))
    .run();
}

/** Postpones all earlier attempts to `until`. */
export function postponePeople(tx: Tx, app: AppKey, until: number): void {
  tx.update(provisionedPeople)
    .set({ nextAttemptAt: until })
    .where(and(belongsToApp(app), lt(provisionedPeople.nextAttemptAt, until)))
    .run();
}

interface Lease {
  now: number;
  leaseMs: number;
}

const leased = (until: number | SQL) => ({
  attempts: sql`${provisionedPeople.attempts} + 1`,
  nextAttemptAt: until,
  leasedUntil: until,
});

/**
 * Claims the person who is due first and hides them for the lease: if the process dies, they are due again after that.
 */
export function claimDuePerson(tx: Tx, { now, leaseMs }: Lease): PersonRow | undefined {
  return claimedWhenDue(tx).get({ now, until: now + leaseMs });
}

const claimedWhenDue = drizzleStatement((db) => {
  const due = db
    .select({ number: provisionedPeople.number })
    .from(provisionedPeople)
    .where(lte(provisionedPeople.nextAttemptAt, sql.placeholder('now')))
    .orderBy(provisionedPeople.nextAttemptAt, provisionedPeople.number)
    .limit(1);
  return db
    .update(provisionedPeople)
    .set(leased(sql`${sql.placeholder('until')}`))
    .where(inArray(provisionedPeople.number, due))
    .returning()
    .prepare();
});

/** A member or a group of the organisation. */
export type PersonOrGroup = { suid: string } | { groupId: string };

const matchesPersonOrGroup = (whom: PersonOrGroup) =>
  'suid' in whom ? eq(provisionedPeople.suid, whom.suid) : eq(provisionedPeople.groupId, whom.groupId);

/**
 * Claims a person or group, due or not. Returns undefined while another attempt has it claimed, or if it is unknown.
 */
export function claimPerson(tx: Tx, app: AppKey, whom: PersonOrGroup, lease: Lease): PersonRow | undefined {
  return tx
    .update(provisionedPeople)
    .set(leased(lease.now + lease.leaseMs))
    .where(
      and(
        belongsToApp(app),
        matchesPersonOrGroup(whom),
        or(isNull(provisionedPeople.leasedUntil), lte(provisionedPeople.leasedUntil, lease.now)),
      ),
    )
    .returning()
    .get();
}

/** Finds a person or group at the service of an application. */
export function findPerson(tx: Tx, app: AppKey, whom: PersonOrGroup): PersonRow | undefined {
  return tx
    .select()
    .from(provisionedPeople)
    .where(and(belongsToApp(app), matchesPersonOrGroup(whom)))
    .get();
}

/** Records the result of an attempt. A person who was marked meanwhile is due immediately. */
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

/** Deletes a person whom the service neither has nor needs, unless they were marked meanwhile. */
export function dropPerson(tx: Tx, { number, mark }: Pick<PersonRow, 'number' | 'mark'>): boolean {
  const { changes } = tx
    .delete(provisionedPeople)
    .where(and(eq(provisionedPeople.number, number), eq(provisionedPeople.mark, mark)))
    .run();
  return changes === 1;
}

const nextPersonTime = drizzleStatement((db) =>
  db
    .select({ at: provisionedPeople.nextAttemptAt })
    .from(provisionedPeople)
    .where(sql`${provisionedPeople.nextAttemptAt} IS NOT NULL`)
    .orderBy(provisionedPeople.nextAttemptAt)
    .limit(1)
    .prepare(),
);

/** Returns when the next person is due, or null if no one is. */
export function findNextPersonTime(tx: Tx): number | null {
  return nextPersonTime(tx).get()?.at ?? null;
}

type Counts = Record<PersonRow['status'], number>;

/** Counts the people and groups of a service by state. Unmarked ones count as waiting. */
export function countPeople(
  tx: Tx,
  app: Pick<TargetRow, 'orgCode' | 'appId' | 'markedUpTo'>,
): { people: Counts; groups: Counts } {
  const countOf = (more?: SQL): Counts => {
    const rows = tx
      .select({ status: provisionedPeople.status, rows: count() })
      .from(provisionedPeople)
      .where(and(belongsToApp(app), more))
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
