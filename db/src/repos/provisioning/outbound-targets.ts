import { and, desc, eq, gt, isNull, lt, type Placeholder, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { memberIdRange } from '../../member-ids.ts';
import { members } from '../../schema/members.ts';
import { provisioningTargets } from '../../schema/outbound-provisioning.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { findOrganisation } from '../settings/organisations.ts';

type SealedRow = typeof provisioningTargets.$inferSelect;
/** A target service row with its URL and secret unsealed. */
export type TargetRow = Omit<SealedRow, 'url' | 'secret'> & { url: string; secret: string };

/** Identifies an application, and thereby its target service. */
export interface AppKey {
  orgCode: string;
  appId: string;
}

const URL_COLUMN = 'provisioning_targets.url';
const SECRET_COLUMN = 'provisioning_targets.secret';
const sealKeyOf = ({ orgCode, appId }: AppKey) => `${orgCode} ${appId}`;
const param = sql.placeholder;
const named = (orgCode: string | Placeholder, appId: string | Placeholder) =>
  and(eq(provisioningTargets.orgCode, orgCode), eq(provisioningTargets.appId, appId));

const byApp = drizzleStatement((db) =>
  db
    .select()
    .from(provisioningTargets)
    .where(named(param('orgCode'), param('appId')))
    .prepare(),
);

/** Finds the service that an application's people are sent to, with its URL and secret unsealed. */
export function findTarget(tx: Tx, orgCode: string, appId: string): TargetRow | undefined {
  const row = byApp(tx).get({ orgCode, appId });
  return (
    row && {
      ...row,
      url: unsealValue(tx, URL_COLUMN, sealKeyOf(row), row.url),
      secret: unsealValue(tx, SECRET_COLUMN, sealKeyOf(row), row.secret),
    }
  );
}

export type ActiveTarget = Pick<
  TargetRow,
  'orgCode' | 'appId' | 'sendGroups' | 'markedUpTo' | 'marksAnew' | 'pausedUntil'
>;

const active = drizzleStatement((db) =>
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
        eq(provisioningTargets.orgCode, param('orgCode')),
        eq(provisioningTargets.enabled, true),
        isNull(provisioningTargets.stoppedAt),
      ),
    )
    .prepare(),
);

/** Lists the active target services of an organisation's applications. */
export function listActiveTargets(tx: Tx, orgCode: string): ActiveTarget[] {
  return active(tx).all({ orgCode });
}

/** Adds or replaces an application's target service. */
export function saveTarget(tx: Tx, { url, secret, ...target }: TargetRow): void {
  const row = {
    ...target,
    url: sealValue(tx, URL_COLUMN, sealKeyOf(target), url),
    secret: sealValue(tx, SECRET_COLUMN, sealKeyOf(target), secret),
  };
  tx.insert(provisioningTargets)
    .values(row)
    .onConflictDoUpdate({ target: [provisioningTargets.orgCode, provisioningTargets.appId], set: row })
    .run();
}

/** Updates a service's state. */
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

/** Deletes an application's target service, its people and its log. */
export function deleteTarget(tx: Tx, orgCode: string, appId: string): void {
  tx.delete(provisioningTargets).where(named(orgCode, appId)).run();
}

/** Returns a condition for members not yet marked for a service, or undefined if all have been marked. */
export function unmarkedCondition(
  tx: Tx,
  { orgCode, markedUpTo }: Pick<TargetRow, 'orgCode' | 'markedUpTo'>,
): SQL | undefined {
  const organisation = markedUpTo === null ? undefined : findOrganisation(tx, orgCode);
  if (!organisation || markedUpTo === null) return undefined;
  const { after, before } = memberIdRange(organisation.number);
  return and(gt(members.id, Math.max(markedUpTo, after)), lt(members.id, before));
}

/** Returns an upper bound for the number of unmarked members. Member IDs are consecutive, so no rows need counting. */
export function countUnmarked(tx: Tx, target: Pick<TargetRow, 'orgCode' | 'markedUpTo'>): number {
  const unmarked = unmarkedCondition(tx, target);
  if (!unmarked) return 0;
  const id = members.id;
  const first = tx.select({ id }).from(members).where(unmarked).orderBy(id).limit(1).get();
  const last = tx.select({ id }).from(members).where(unmarked).orderBy(desc(id)).limit(1).get();
  return first && last ? last.id - first.id + 1 : 0;
}
