import { and, count, desc, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { memberIdRange } from '../member-ids.ts';
import { provisionedPeople, provisioningLog, provisioningTargets } from '../schema/app-provisioning.ts';
import { members } from '../schema/members.ts';
import { findOrganisation } from './organisations.ts';

export type { ProvisioningRequest } from '../schema/app-provisioning.ts';
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

/**
 * Marks everybody in the organisation, and those whom the service has still.
 * @param isAnew what it has is not known: everybody is sent, changed or not
 */
export function markEverybody(tx: Tx, app: OfApp, { now, isAnew = false }: { now: number; isAnew?: boolean }): void {
  tx.update(provisionedPeople)
    .set({ ...marked(app, now), ...(isAnew && { sent: null }) })
    .where(ofApp(app))
    .run();
  const { orgCode, appId } = app;
  const organisation = findOrganisation(tx, orgCode);
  if (!organisation) return;
  const { after, before } = memberIdRange(organisation.number);
  tx.run(sql`
    INSERT INTO provisioned_people (orgCode, appId, suid, nextAttemptAt)
      SELECT ${orgCode}, ${appId}, suid, ${now} FROM members
      WHERE id > ${after} AND id < ${before} AND accountStatus <> 'deleted'
    ON CONFLICT DO NOTHING`);
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
    .orderBy(provisionedPeople.nextAttemptAt)
    .limit(1);
  return tx
    .update(provisionedPeople)
    .set(leased(lease))
    .where(inArray(provisionedPeople.number, due))
    .returning()
    .get();
}

/** Claims this person, due or not; undefined while they are on their way, or where the service knows nobody of this id. */
export function claimPerson(tx: Tx, app: OfApp, suid: string, lease: Lease): PersonRow | undefined {
  return tx
    .update(provisionedPeople)
    .set(leased(lease))
    .where(
      and(
        ofApp(app),
        eq(provisionedPeople.suid, suid),
        or(isNull(provisionedPeople.leasedUntil), lte(provisionedPeople.leasedUntil, lease.now)),
      ),
    )
    .returning()
    .get();
}

/** Finds a person at the service of an application. */
export function findPerson(tx: Tx, app: OfApp, suid: string): PersonRow | undefined {
  return tx
    .select()
    .from(provisionedPeople)
    .where(and(ofApp(app), eq(provisionedPeople.suid, suid)))
    .get();
}

/** Records the result of an attempt. If the person was marked meanwhile, they are due at once. */
export function settlePerson(
  tx: Tx,
  { number, mark }: Pick<PersonRow, 'number' | 'mark'>,
  outcome: Pick<PersonRow, 'remoteId' | 'sent' | 'status' | 'nextAttemptAt' | 'logNumber'>,
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
      ...(status === 'current' && { attempts: 0 }),
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

/** When the next one is due; null where nobody is. */
export function findNextPersonTime(tx: Tx): number | null {
  const next = tx
    .select({ at: provisionedPeople.nextAttemptAt })
    .from(provisionedPeople)
    .where(sql`${provisionedPeople.nextAttemptAt} IS NOT NULL`)
    .orderBy(provisionedPeople.nextAttemptAt)
    .limit(1)
    .get();
  return next?.at ?? null;
}

/** How many people of a service there are in each state. */
export function countPeople(tx: Tx, app: OfApp): Record<PersonRow['status'], number> {
  const rows = tx
    .select({ status: provisionedPeople.status, people: count() })
    .from(provisionedPeople)
    .where(ofApp(app))
    .groupBy(provisionedPeople.status)
    .all();
  return { waiting: 0, current: 0, failed: 0, ...Object.fromEntries(rows.map((row) => [row.status, row.people])) };
}

/** Writes an entry of the log, or what became of the one that this attempt continues. @returns its number */
export function writeLog(tx: Tx, continued: number | null, entry: Omit<LogRow, 'number'>): number {
  const changed =
    continued === null
      ? undefined
      : tx
          .update(provisioningLog)
          .set(entry)
          .where(and(eq(provisioningLog.number, continued), eq(provisioningLog.suid, entry.suid)))
          .returning({ number: provisioningLog.number })
          .get();
  const { number } =
    changed ?? tx.insert(provisioningLog).values(entry).returning({ number: provisioningLog.number }).get();
  return number;
}

/** An entry of the log, whose it is, and when the next attempt is due: null where there will be none. */
export type LoggedDelivery = LogRow & Pick<PersonRow, 'nextAttemptAt'> & { firstName: string; lastName: string };

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
    .innerJoin(members, eq(members.suid, provisioningLog.suid))
    .leftJoin(
      provisionedPeople,
      and(
        eq(provisionedPeople.suid, provisioningLog.suid),
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
