import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { appSignIns } from '../../schema/app-logins.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type AppSignInRow = typeof appSignIns.$inferSelect;
export type NewAppSignIn = Omit<
  typeof appSignIns.$inferInsert,
  'suid' | 'zid' | 'mode' | 'authenticatedAt' | 'claimedAt'
>;
/** The member who has signed in to the application. */
export type AppSignInPerson = { suid: string; zid: string; mode: NonNullable<AppSignInRow['mode']> };
/**
 * The approval of an application sign-in.
 * @property isNumbered true if the user approved it by choosing the number on the screen
 */
type AppLoginApproval = AppSignInPerson & { isNumbered: boolean };

/** Starts a sign-in to an application. */
export function insertAppSignIn(tx: Tx, row: NewAppSignIn): void {
  tx.insert(appSignIns).values(row).run();
}

const param = sql.placeholder;
const byId = drizzleStatement((db) =>
  db
    .select()
    .from(appSignIns)
    .where(eq(appSignIns.id, param('id')))
    .prepare(),
);

/** Finds a sign-in by its ID alone. The caller must check that the browser matches. */
export function findAppSignIn(tx: Tx, id: string): AppSignInRow | undefined {
  return byId(tx).get({ id });
}

const authentication = drizzleStatement((db) =>
  db
    .update(appSignIns)
    .set({
      suid: sql`${param('suid')}`,
      zid: sql`${param('zid')}`,
      mode: sql`${param('mode')}`,
      authenticatedAt: sql`${param('now')}`,
      needsStepUp: sql`${appSignIns.needsStepUp} OR ${param('isNumbered')}`,
    } satisfies Record<keyof AppSignInPerson | 'authenticatedAt' | 'needsStepUp', SQL>)
    .where(
      and(
        eq(appSignIns.id, param('id')),
        isNull(appSignIns.authenticatedAt),
        gt(appSignIns.expiresAt, sql`${param('now')}`),
      ),
    )
    .returning()
    .prepare(),
);

/** Records who has signed in. Works only once and before expiry; returns undefined otherwise. */
export function authenticateAppSignIn(
  tx: Tx,
  id: string,
  { isNumbered, ...person }: AppLoginApproval,
  now: number,
): AppSignInRow | undefined {
  return authentication(tx).get({ id, ...person, isNumbered: isNumbered ? 1 : 0, now });
}

/** Identifies a sign-in and the browser that started it. */
interface OfBrowser {
  id: string;
  browser: string;
  now: number;
}

const claiming = (state: SQL) =>
  drizzleStatement((db) =>
    db
      .update(appSignIns)
      .set({ claimedAt: sql`${param('now')}` })
      .where(
        and(
          eq(appSignIns.id, param('id')),
          eq(appSignIns.orgCode, param('orgCode')),
          eq(appSignIns.browser, param('browser')),
          state,
          isNull(appSignIns.claimedAt),
          gt(appSignIns.expiresAt, sql`${param('now')}`),
        ),
      )
      .returning()
      .prepare(),
  );
const claim = claiming(isNotNull(appSignIns.authenticatedAt));
const end = claiming(isNull(appSignIns.authenticatedAt));

/**
 * Claims an authenticated sign-in so that its protocol can continue. Works only once, before it expires, and for the
 * browser that started it.
 */
export const claimAppSignIn = (tx: Tx, orgCode: string, login: OfBrowser): AppSignInRow | undefined =>
  claim(tx).get({ orgCode, ...login });

/** Ends an incomplete sign-in and returns it, so it can no longer be completed. */
export const cancelAppSignIn = (tx: Tx, orgCode: string, login: OfBrowser): AppSignInRow | undefined =>
  end(tx).get({ orgCode, ...login });

/**
 * Transfers a pending sign-in to another browser. Returns the sign-in, or undefined if `browser` didn't start it or
 * it is no longer pending.
 * @param to identifies the new browser
 */
export function handOverAppSignIn(
  tx: Tx,
  orgCode: string,
  { id, browser, to, now }: OfBrowser & { to: string },
): AppSignInRow | undefined {
  const isOwn = and(eq(appSignIns.id, id), eq(appSignIns.orgCode, orgCode), eq(appSignIns.browser, browser));
  return tx
    .update(appSignIns)
    .set({ browser: to })
    .where(and(isOwn, isNull(appSignIns.authenticatedAt), gt(appSignIns.expiresAt, now)))
    .returning()
    .get();
}

/** Deletes application sign-ins that expired before `before`, across all organisations. */
export function pruneAppSignIns(tx: Tx, before: number): void {
  tx.delete(appSignIns).where(lt(appSignIns.expiresAt, before)).run();
}
