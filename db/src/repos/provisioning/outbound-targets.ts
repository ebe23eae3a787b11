import { and, desc, eq, gt, isNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { memberIdRange } from '../../member-ids.ts';
import { members } from '../../schema/members.ts';
import { provisioningTargets } from '../../schema/outbound-provisioning.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { findOrganisation } from '../settings/organisations.ts';

type SealedRow = typeof provisioningTargets.$inferSelect;
/** A row with its URL and secret unsealed. */
export type TargetRow = Omit<SealedRow, 'url' | 'secret'> & { url: string; secret: string };

/** Key of an application's service. */
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
      url: openIn(tx, URL_COLUMN, sealKeyOf(row), row.url),
      secret: openIn(tx, SECRET_COLUMN, sealKeyOf(row), row.secret),
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

/** Lists the active services of an organisation's applications. */
export function listActiveTargets(tx: Tx, orgCode: string): ActiveTarget[] {
  return active(tx).all({ orgCode });
}

/** Adds or replaces the service of an application. */
export function saveTarget(tx: Tx, { url, secret, ...target }: TargetRow): void {
  const row = {
    ...target,
    url: sealIn(tx, URL_COLUMN, sealKeyOf(target), url),
    secret: sealIn(tx, SECRET_COLUMN, sealKeyOf(target), secret),
  };
  tx.insert(provisioningTargets)
    .values(row)
    .onConflictDoUpdate({ target: [provisioningTargets.orgCode, provisioningTargets.appId], set: row })
    .run();
}

/** Changes the state of a service. */
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

/** Deletes the service of an application, with its people and log. */
export function deleteTarget(tx: Tx, orgCode: string, appId: string): void {
  tx.delete(provisioningTargets).where(named(orgCode, appId)).run();
}

/** Returns the condition for members that a service has not marked yet, or undefined if all are marked. */
export function unmarkedCondition(
  tx: Tx,
  { orgCode, markedUpTo }: Pick<TargetRow, 'orgCode' | 'markedUpTo'>,
): SQL | undefined {
  const organisation = markedUpTo === null ? undefined : findOrganisation(tx, orgCode);
  if (!organisation || markedUpTo === null) return undefined;
  const { after, before } = memberIdRange(organisation.number);
  return and(gt(members.id, Math.max(markedUpTo, after)), lt(members.id, before));
}

/** Returns how many members may still be unmarked: they have consecutive numbers, so no rows need counting. */
export function countUnmarked(tx: Tx, target: Pick<TargetRow, 'orgCode' | 'markedUpTo'>): number {
  const unmarked = unmarkedCondition(tx, target);
  if (!unmarked) return 0;
  const id = members.id;
  const first = tx.select({ id }).from(members).where(unmarked).orderBy(id).limit(1).get();
  const last = tx.select({ id }).from(members).where(unmarked).orderBy(desc(id)).limit(1).get();
  return first && last ? last.id - first.id + 1 : 0;
}
