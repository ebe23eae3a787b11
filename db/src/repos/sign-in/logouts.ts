import { and, desc, eq, gt, inArray, isNull, lt, ne, type Placeholder, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { logouts, samlSessions } from '../../schema/logouts.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type { LogoutParticipant, LogoutReturn } from '../../schema/logouts.ts';
export type LogoutRow = typeof logouts.$inferSelect;
export type SamlSessionRow = typeof samlSessions.$inferSelect;

const param = sql.placeholder;

/** Identifies a member's sign-ins in one browser. */
export interface BrowserSignIns {
  orgCode: string;
  browser: string;
  suid: string;
}

const inBrowser = ({ orgCode, browser, suid }: BrowserSignIns) =>
  and(eq(samlSessions.browser, browser), eq(samlSessions.orgCode, orgCode), eq(samlSessions.suid, suid));

const insertion = drizzleStatement((db) =>
  db
    .insert(samlSessions)
    .values({
      id: param('id'),
      orgCode: param('orgCode'),
      appId: param('appId'),
      suid: param('suid'),
      zid: param('zid'),
      browser: param('browser'),
      nameId: param('nameId'),
      nameIdFormat: param('nameIdFormat'),
      createdAt: param('createdAt'),
      expiresAt: param('expiresAt'),
    } satisfies Record<keyof SamlSessionRow, Placeholder>)
    .prepare(),
);

/** Records a sign-in at a SAML application. */
export function insertSamlSession(tx: Tx, row: SamlSessionRow): void {
  insertion(tx).run(row);
}

/**
 * Lists a SAML application's sign-ins by name ID or member, latest first.
 * @param sessionIndexes limits the result to these sessions, unless empty
 */
export function listSamlSessionsOf(
  tx: Tx,
  { orgCode, appId, sessionIndexes, ...whose }: SamlSessionsOf,
): SamlSessionRow[] {
  return tx
    .select()
    .from(samlSessions)
    .where(
      and(
        'suid' in whose ? eq(samlSessions.suid, whose.suid) : eq(samlSessions.nameId, whose.nameId),
        sessionIndexes.length > 0 ? inArray(samlSessions.id, sessionIndexes) : undefined,
        eq(samlSessions.orgCode, orgCode),
        eq(samlSessions.appId, appId),
      ),
    )
    .orderBy(desc(samlSessions.createdAt))
    .all();
}

type SamlSessionsOf = Pick<SamlSessionRow, 'orgCode' | 'appId'> & { sessionIndexes: readonly string[] } & (
    | { nameId: string }
    | { suid: string }
  );

/** Ends a member's SAML application sign-ins in one browser and returns them. */
export function endSamlSessions(tx: Tx, where: BrowserSignIns): SamlSessionRow[] {
  return tx.delete(samlSessions).where(inBrowser(where)).returning().all();
}

/**
 * Ends a SAML application sign-in, and all of the member's other sign-ins to the same application in the same
 * browser.
 */
export function endRelatedSamlSessions(tx: Tx, { id, orgCode, appId, suid, browser }: SamlSessionRow): void {
  const isSame =
    browser === null
      ? eq(samlSessions.id, id)
      : and(inBrowser({ orgCode, browser, suid }), eq(samlSessions.appId, appId));
  tx.delete(samlSessions).where(isSame).run();
}

/** Finds a SAML application sign-in by its session index. */
export function findSamlSession(tx: Tx, orgCode: string, id: string): SamlSessionRow | undefined {
  return tx
    .select()
    .from(samlSessions)
    .where(and(eq(samlSessions.id, id), eq(samlSessions.orgCode, orgCode)))
    .get();
}

/** Ends one SAML application sign-in. */
export function endSamlSession(tx: Tx, orgCode: string, id: string): void {
  tx.delete(samlSessions)
    .where(and(eq(samlSessions.id, id), eq(samlSessions.orgCode, orgCode)))
    .run();
}

/** Returns true if the member is signed in to another SAML application in this browser. */
export function isSignedInBySaml(tx: Tx, where: BrowserSignIns, exceptAppId: string): boolean {
  const found = tx
    .select({ id: samlSessions.id })
    .from(samlSessions)
    .where(and(inBrowser(where), ne(samlSessions.appId, exceptAppId)))
    .limit(1)
    .get();
  return found !== undefined;
}

export function insertLogout(tx: Tx, row: Omit<LogoutRow, 'gatheredAt'>): void {
  tx.insert(logouts).values(row).run();
}

/** Finds a pending logout. The caller must check that the browser matches. */
export function findLogout(tx: Tx, orgCode: string, id: string, now: number): LogoutRow | undefined {
  return tx
    .select()
    .from(logouts)
    .where(and(eq(logouts.id, id), eq(logouts.orgCode, orgCode), gt(logouts.expiresAt, now)))
    .get();
}

/** Claims the first step of a logout. Returns false if it has already been claimed. */
export function claimLogoutStart(tx: Tx, orgCode: string, id: string, now: number): boolean {
  return (
    tx
      .update(logouts)
      .set({ gatheredAt: now })
      .where(and(eq(logouts.id, id), eq(logouts.orgCode, orgCode), isNull(logouts.gatheredAt)))
      .run().changes === 1
  );
}

/** Replaces the participants with their updated states. */
export function setParticipants(
  tx: Tx,
  { orgCode, id }: Pick<LogoutRow, 'orgCode' | 'id'>,
  participants: LogoutRow['participants'],
): void {
  tx.update(logouts)
    .set({ participants })
    .where(and(eq(logouts.id, id), eq(logouts.orgCode, orgCode)))
    .run();
}

/** Deletes logouts and SAML sessions that expired before `before`, across all organisations. */
export function pruneLogouts(tx: Tx, before: number): void {
  tx.delete(logouts).where(lt(logouts.expiresAt, before)).run();
  tx.delete(samlSessions).where(lt(samlSessions.expiresAt, before)).run();
}
