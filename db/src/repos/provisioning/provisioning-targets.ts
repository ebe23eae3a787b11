import { and, desc, eq, gt, isNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { memberIdRange } from '../../member-ids.ts';
import { provisioningTargets } from '../../schema/app-provisioning.ts';
import { members } from '../../schema/members.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { findOrganisation } from '../settings/organisations.ts';

type SealedRow = typeof provisioningTargets.$inferSelect;
/** A row with its address and secret opened. */
export type TargetRow = Omit<SealedRow, 'url' | 'secret'> & { url: string; secret: string };

/** Names the service of an application. */
export interface OfApp {
  orgCode: string;
  appId: string;
}

const URL_COLUMN = 'provisioning_targets.url';
const SECRET_COLUMN = 'provisioning_targets.secret';
const placeOf = ({ orgCode, appId }: OfApp) => `${orgCode} ${appId}`;
const given = sql.placeholder;
const named = (orgCode: string | Placeholder, appId: string | Placeholder) =>
  and(eq(provisioningTargets.orgCode, orgCode), eq(provisioningTargets.appId, appId));

const byApp = drizzleStatement((db) =>
  db
    .select()
    .from(provisioningTargets)
    .where(named(given('orgCode'), given('appId')))
    .prepare(),
);

/** Finds the service to which an application's people are sent, with its address and secret opened. */
export function findTarget(tx: Tx, orgCode: string, appId: string): TargetRow | undefined {
  const row = byApp(tx).get({ orgCode, appId });
  return (
    row && {
      ...row,
      url: openIn(tx, URL_COLUMN, placeOf(row), row.url),
      secret: openIn(tx, SECRET_COLUMN, placeOf(row), row.secret),
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
export function saveTarget(tx: Tx, { url, secret, ...target }: TargetRow): void {
  const row = {
    ...target,
    url: sealIn(tx, URL_COLUMN, placeOf(target), url),
    secret: sealIn(tx, SECRET_COLUMN, placeOf(target), secret),
  };
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

/** The members that a service has not marked yet, as a condition; undefined where all are marked. */
export function areUnmarked(
  tx: Tx,
  { orgCode, markedUpTo }: Pick<TargetRow, 'orgCode' | 'markedUpTo'>,
): SQL | undefined {
  const organisation = markedUpTo === null ? undefined : findOrganisation(tx, orgCode);
  if (!organisation || markedUpTo === null) return undefined;
  const { after, before } = memberIdRange(organisation.number);
  return and(gt(members.id, Math.max(markedUpTo, after)), lt(members.id, before));
}

/** How many members may not have been marked yet: they have consecutive numbers, so nobody has to be counted. */
export function countUnmarked(tx: Tx, target: Pick<TargetRow, 'orgCode' | 'markedUpTo'>): number {
  const unmarked = areUnmarked(tx, target);
  if (!unmarked) return 0;
  const id = members.id;
  const first = tx.select({ id }).from(members).where(unmarked).orderBy(id).limit(1).get();
  const last = tx.select({ id }).from(members).where(unmarked).orderBy(desc(id)).limit(1).get();
  return first && last ? last.id - first.id + 1 : 0;
}
