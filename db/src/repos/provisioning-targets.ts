import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { provisioningTargets } from '../schema/app-provisioning.ts';
import { openIn, sealIn } from '../sealed-columns.ts';

type SealedRow = typeof provisioningTargets.$inferSelect;
/** A row with its secret in clear. */
export type TargetRow = Omit<SealedRow, 'secret'> & { secret: string };

const COLUMN = 'provisioning_targets.secret';
const placeOf = ({ orgCode, appId }: { orgCode: string; appId: string }) => `${orgCode} ${appId}`;
const given = sql.placeholder;
const named = (orgCode: string, appId: string) =>
  and(eq(provisioningTargets.orgCode, orgCode), eq(provisioningTargets.appId, appId));

/** Finds the service to which an application's people are sent, with its secret opened. */
export function findTarget(tx: Tx, orgCode: string, appId: string): TargetRow | undefined {
  const row = tx.select().from(provisioningTargets).where(named(orgCode, appId)).get();
  return row && { ...row, secret: openIn(tx, COLUMN, placeOf(row), row.secret) };
}

export type ActiveTarget = Pick<
  TargetRow,
  'orgCode' | 'appId' | 'sendGroups' | 'markedUpTo' | 'marksAnew' | 'pausedUntil'
>;

const active = prepared((db) =>
  db
    .select({
      orgCode: provisioningTargets.orgCode,
      appId: provisioningTargets.appId,
      sendGroups: provisioningTargets.sendGroups,
      markedUpTo: provisioningTargets.markedUpTo,
      marksAnew: provisioningTargets.marksAnew,
      pausedUntil: provisioningTargets.pausedUntil,
    })
    .from(provisioningTargets)
    .where(
      and(
        eq(provisioningTargets.orgCode, given('orgCode')),
        eq(provisioningTargets.enabled, true),
        isNull(provisioningTargets.stoppedAt),
      ),
    )
    .prepare(),
);

/** Lists the services of an organisation's applications to which people are sent. */
export function listActiveTargets(tx: Tx, orgCode: string): ActiveTarget[] {
  return active(tx).all({ orgCode });
}

/** Writes the service of an application, or replaces it. */
export function saveTarget(tx: Tx, { secret, ...target }: TargetRow): void {
  const row = { ...target, secret: sealIn(tx, COLUMN, placeOf(target), secret) };
  tx.insert(provisioningTargets)
    .values(row)
    .onConflictDoUpdate({ target: [provisioningTargets.orgCode, provisioningTargets.appId], set: row })
    .run();
}

/** Changes how it goes. */
export function changeTarget(
  tx: Tx,
  orgCode: string,
  appId: string,
  change: Partial<
    Pick<TargetRow, 'failures' | 'pausedUntil' | 'stoppedAt' | 'stopReason' | 'markedUpTo' | 'marksAnew'>
  >,
): void {
  tx.update(provisioningTargets).set(change).where(named(orgCode, appId)).run();
}

/** Deletes the service of an application, with what it has of people and the log. */
export function deleteTarget(tx: Tx, orgCode: string, appId: string): void {
  tx.delete(provisioningTargets).where(named(orgCode, appId)).run();
}
