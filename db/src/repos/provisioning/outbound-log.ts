import { and, desc, eq, inArray, lt, or } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { provisionedPeople, provisioningLog } from '../../schema/outbound-provisioning.ts';
import type { PersonRow } from './outbound-people.ts';
import type { AppKey } from './outbound-targets.ts';

export type { ProvisioningRequest } from '../../schema/outbound-provisioning.ts';
export type LogRow = typeof provisioningLog.$inferSelect;

/**
 * Adds an entry to the log, or updates the entry that this attempt continues.
 * @returns its number
 */
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

/** An entry of the log with its person and the time of the next attempt, or null if there is none. */
export type LoggedDelivery = LogRow &
  Pick<PersonRow, 'nextAttemptAt'> & { firstName: string | null; lastName: string | null };

/** Lists entries, newest first: at most `atMost`, older than the one with number `before`. */
export function listLog(
  tx: Tx,
  { orgCode, appId }: AppKey,
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

/**
 * Deletes at most `atMost` entries of all organisations that were written before `before`.
 * @returns how many were deleted
 */
export function pruneLog(tx: Tx, before: number, atMost: number): number {
  const old = tx
    .select({ number: provisioningLog.number })
    .from(provisioningLog)
    .where(lt(provisioningLog.at, before))
    .limit(atMost);
  return tx.delete(provisioningLog).where(inArray(provisioningLog.number, old)).run().changes;
}
