import { and, eq, gt, inArray, isNull, lt, ne, type Placeholder, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { logouts, samlSessions } from '../schema/logouts.ts';

export type { LogoutParticipant, LogoutReturn } from '../schema/logouts.ts';
export type LogoutRow = typeof logouts.$inferSelect;
export type SamlSessionRow = typeof samlSessions.$inferSelect;

const given = sql.placeholder;

/** Names one person's sign-ins in one browser. */
export interface InBrowser {
  orgCode: string;
  browser: string;
  suid: string;
}

const inBrowser = ({ orgCode, browser, suid }: InBrowser) =>
  and(eq(samlSessions.browser, browser), eq(samlSessions.orgCode, orgCode), eq(samlSessions.suid, suid));

const insertion = prepared((db) =>
  db
    .insert(samlSessions)
    .values({
      id: given('id'),
      orgCode: given('orgCode'),
      appId: given('appId'),
      suid: given('suid'),
      browser: given('browser'),
      nameId: given('nameId'),
      nameIdFormat: given('nameIdFormat'),
      createdAt: given('createdAt'),
      expiresAt: given('expiresAt'),
    } satisfies Record<keyof SamlSessionRow, Placeholder>)
    .prepare(),
);

/** Records that a SAML application was told that somebody has signed in. */
export function insertSamlSession(tx: Tx, row: SamlSessionRow): void {
  insertion(tx).run(row);
}

/** Lists the SAML sign-ins of a person in a browser. */
export function listSamlSessions(tx: Tx, where: InBrowser): SamlSessionRow[] {
  return tx.select().from(samlSessions).where(inBrowser(where)).all();
}

/**
 * Finds the sign-in that a logout request refers to, by its session indexes or, if it has none, by the person's name id;
 * the newest of several.
 */
export function findSamlSession(
  tx: Tx,
  orgCode: string,
  appId: string,
  { sessionIndexes, nameId }: { sessionIndexes: readonly string[]; nameId: string },
): SamlSessionRow | undefined {
  const named = sessionIndexes.length > 0 ? inArray(samlSessions.id, sessionIndexes) : eq(samlSessions.nameId, nameId);
  const found = tx
    .select()
    .from(samlSessions)
    .where(and(named, eq(samlSessions.orgCode, orgCode), eq(samlSessions.appId, appId)))
    .all();
  return found.sort((a, b) => b.createdAt - a.createdAt)[0];
}

/** Ends the sign-ins at SAML applications in a browser, and returns them. */
export function endSamlSessions(tx: Tx, where: InBrowser): SamlSessionRow[] {
  return tx.delete(samlSessions).where(inBrowser(where)).returning().all();
}

/** Ends the sign-ins at one SAML application in a browser. */
export function endSamlSessionsAt(tx: Tx, where: InBrowser, appId: string): void {
  tx.delete(samlSessions)
    .where(and(inBrowser(where), eq(samlSessions.appId, appId)))
    .run();
}

/** Whether there is a sign-in at another SAML application in the browser. */
export function isSignedInBySaml(tx: Tx, where: InBrowser, exceptAppId: string): boolean {
  const found = tx
    .select({ id: samlSessions.id })
    .from(samlSessions)
    .where(and(inBrowser(where), ne(samlSessions.appId, exceptAppId)))
    .limit(1)
    .get();
  return found !== undefined;
}

/** Begins a logout. */
export function insertLogout(tx: Tx, row: Omit<LogoutRow, 'gatheredAt'>): void {
  tx.insert(logouts).values(row).run();
}

/** A logout under way. */
export function findLogout(tx: Tx, orgCode: string, id: string, now: number): LogoutRow | undefined {
  return tx
    .select()
    .from(logouts)
    .where(and(eq(logouts.id, id), eq(logouts.orgCode, orgCode), gt(logouts.expiresAt, now)))
    .get();
}

/** Claims the first step of a logout, which is made once. */
export function claimGathering(tx: Tx, orgCode: string, id: string, now: number): boolean {
  return (
    tx
      .update(logouts)
      .set({ gatheredAt: now })
      .where(and(eq(logouts.id, id), eq(logouts.orgCode, orgCode), isNull(logouts.gatheredAt)))
      .run().changes === 1
  );
}

/** Replaces what has become of its participants. */
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

/** Deletes what expired before `before`, of every organisation. */
export function pruneLogouts(tx: Tx, before: number): void {
  tx.delete(logouts).where(lt(logouts.expiresAt, before)).run();
  tx.delete(samlSessions).where(lt(samlSessions.expiresAt, before)).run();
}
