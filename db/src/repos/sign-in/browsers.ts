import { LIMITS } from '@orchestrate/shared';
import { and, desc, eq, inArray, isNull, lt, type Placeholder, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { rememberedBrowsers, usedApplications } from '../../schema/browsers.ts';
import { drizzleStatement, sqlStatement } from '../../sql-statement.ts';

export type BrowserRow = typeof rememberedBrowsers.$inferSelect;
export type NewBrowser = Omit<typeof rememberedBrowsers.$inferInsert, 'previousHash' | 'rotatedAt' | 'revokedAt'>;

const named = (orgCode: string, id: string) =>
  and(eq(rememberedBrowsers.orgCode, orgCode), eq(rememberedBrowsers.id, id));

const param = sql.placeholder;
const insertion = drizzleStatement((db) =>
  db
    .insert(rememberedBrowsers)
    .values({
      id: param('id'),
      orgCode: param('orgCode'),
      suid: param('suid'),
      zid: param('zid'),
      browser: param('browser'),
      secretHash: param('secretHash'),
      userAgent: param('userAgent'),
      ip: param('ip'),
      createdAt: param('createdAt'),
      lastUsedAt: param('lastUsedAt'),
    } satisfies Record<keyof NewBrowser, Placeholder>)
    .prepare(),
);

/** Adds a remembered browser. */
export function insertBrowser(tx: Tx, browser: NewBrowser): void {
  insertion(tx).run({ ...browser });
}

/** Finds a remembered browser, even if it has been revoked. */
export function findBrowser(tx: Tx, orgCode: string, id: string): BrowserRow | undefined {
  return tx.select().from(rememberedBrowsers).where(named(orgCode, id)).get();
}

/** Lists a member's browsers that are still remembered, most recently used first. */
export function listBrowsers(tx: Tx, orgCode: string, suid: string): BrowserRow[] {
  const { orgCode: org, suid: member, revokedAt, lastUsedAt } = rememberedBrowsers;
  return tx
    .select()
    .from(rememberedBrowsers)
    .where(and(eq(org, orgCode), eq(member, suid), isNull(revokedAt)))
    .orderBy(desc(lastUsedAt))
    .all();
}

// SQLite would recompile the statement for each value of a parameter in LIMIT.
const deletion = sqlStatement<{ orgCode: string; suid: string }>(`
  DELETE FROM remembered_browsers WHERE id IN (
    SELECT id FROM remembered_browsers WHERE orgCode = @orgCode AND suid = @suid AND revokedAt IS NULL
    ORDER BY lastUsedAt DESC LIMIT -1 OFFSET ${LIMITS.rememberedBrowsers}
  )`);

/** Deletes a member's browsers that are still remembered, except the most recently used. */
export function deleteOlderBrowsers(tx: Tx, orgCode: string, suid: string): void {
  deletion(tx).run({ orgCode, suid });
}

/** Replaces a browser's secret. Returns false if `from` is no longer the current secret. */
export function rotateBrowser(
  tx: Tx,
  orgCode: string,
  { id, from, to, now }: { id: string; from: string; to: string; now: number },
): boolean {
  return (
    tx
      .update(rememberedBrowsers)
      .set({ secretHash: to, previousHash: from, rotatedAt: now, lastUsedAt: now })
      .where(and(named(orgCode, id), eq(rememberedBrowsers.secretHash, from), isNull(rememberedBrowsers.revokedAt)))
      .run().changes > 0
  );
}

/** Revokes one of a member's browsers. Returns false if the browser doesn't exist. */
export function revokeBrowser(
  tx: Tx,
  orgCode: string,
  { id, suid }: { id: string; suid: string },
  now: number,
): boolean {
  return (
    tx
      .update(rememberedBrowsers)
      .set({ revokedAt: now })
      .where(and(named(orgCode, id), eq(rememberedBrowsers.suid, suid), isNull(rememberedBrowsers.revokedAt)))
      .run().changes > 0
  );
}

/** Deletes a browser by its current secret. */
export function deleteBrowserBySecret(tx: Tx, orgCode: string, id: string, secretHash: string): void {
  tx.delete(rememberedBrowsers)
    .where(and(named(orgCode, id), eq(rememberedBrowsers.secretHash, secretHash)))
    .run();
}

/**
 * Revokes the browsers of a member's sign-ins.
 * @param browsers browser hashes, as stored with the sign-ins
 */
export function revokeBrowsersOfSignIns(
  tx: Tx,
  orgCode: string,
  { suid, browsers }: { suid: string; browsers: readonly string[] },
  now: number,
): void {
  const { orgCode: org, suid: member, browser, revokedAt } = rememberedBrowsers;
  tx.update(rememberedBrowsers)
    .set({ revokedAt: now })
    .where(and(eq(org, orgCode), eq(member, suid), inArray(browser, [...browsers]), isNull(revokedAt)))
    .run();
}

/**
 * Revokes all of a member's browsers, or all that one of their devices approved.
 * @returns how many browsers were revoked
 */
export function revokeBrowsers(
  tx: Tx,
  orgCode: string,
  whose: { suid: string } | { zid: string },
  now: number,
): number {
  const { suid, zid } = rememberedBrowsers;
  return tx
    .update(rememberedBrowsers)
    .set({ revokedAt: now })
    .where(
      and(
        eq(rememberedBrowsers.orgCode, orgCode),
        'suid' in whose ? eq(suid, whose.suid) : eq(zid, whose.zid),
        isNull(rememberedBrowsers.revokedAt),
      ),
    )
    .run().changes;
}

/** Deletes browsers that were created before `before`, across all organisations. */
export function pruneBrowsers(tx: Tx, before: number): void {
  tx.delete(rememberedBrowsers).where(lt(rememberedBrowsers.createdAt, before)).run();
}

/** Identifies a member's use of an application in one browser. */
type Use = Record<'orgCode' | 'appId' | 'suid' | 'browser', string>;

/** Records that a member signed in to an application in a browser. */
export function recordAppUse(tx: Tx, use: Use, now: number): void {
  const { browser, orgCode, appId, suid } = usedApplications;
  tx.insert(usedApplications)
    .values({ ...use, usedAt: now })
    .onConflictDoUpdate({ target: [browser, orgCode, appId, suid], set: { usedAt: now } })
    .run();
}

/** Returns true if the member has signed in to the application in this browser. */
export function hasUsedApp(tx: Tx, use: Use): boolean {
  const { browser, orgCode, appId, suid, usedAt } = usedApplications;
  const isSame = and(eq(browser, use.browser), eq(orgCode, use.orgCode), eq(appId, use.appId), eq(suid, use.suid));
  return tx.select({ usedAt }).from(usedApplications).where(isSame).get() !== undefined;
}

/** Deletes records of use that are older than `before`, across all organisations. */
export function pruneAppUses(tx: Tx, before: number): void {
  tx.delete(usedApplications).where(lt(usedApplications.usedAt, before)).run();
}
