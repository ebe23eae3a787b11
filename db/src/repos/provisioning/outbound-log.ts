import { and, desc, eq, inArray, lt, or } from '#drizzle';
import type { Tx } from '../../database.ts';
import { members } from '../../schema/members.ts';
import { provisionedResources, provisioningLog } from '../../schema/outbound-provisioning.ts';
import type { PersonRow } from './outbound-people.ts';
import type { AppKey } from './outbound-targets.ts';

export type { ProvisioningRequest } from '../../schema/outbound-provisioning.ts';
export type LogRow = typeof provisioningLog.$inferSelect;

/**
 * Adds a log entry, or updates the entry that this attempt continues.
 * @returns the entry's number
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

/** A log entry with its person and the time of the next attempt, which is null if none is scheduled. */
export type LoggedDelivery = LogRow &
  Pick<PersonRow, 'nextAttemptAt'> & { firstName: string | null; lastName: string | null };

/** Lists at most `atMost` entries older than entry number `before`, newest first. */
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
      nextAttemptAt: provisionedResources.nextAttemptAt,
      firstName: members.firstName,
      lastName: members.lastName,
    })
    .from(provisioningLog)
    .leftJoin(members, eq(members.suid, provisioningLog.suid))
    .leftJoin(
      provisionedResources,
      and(
        or(
          eq(provisionedResources.suid, provisioningLog.suid),
          eq(provisionedResources.groupId, provisioningLog.groupId),
        ),
        eq(provisionedResources.appId, provisioningLog.appId),
        eq(provisionedResources.orgCode, provisioningLog.orgCode),
        eq(provisionedResources.logNumber, provisioningLog.number),
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
 * Deletes at most `atMost` entries written before `before`, across all organisations.
 * @returns how many entries were deleted
 */
export function pruneLog(tx: Tx, before: number, atMost: number): number {
  const old = tx
    .select({ number: provisioningLog.number })
    .from(provisioningLog)
    .where(lt(provisioningLog.at, before))
    .limit(atMost);
  return tx.delete(provisioningLog).where(inArray(provisioningLog.number, old)).run().changes;
}
