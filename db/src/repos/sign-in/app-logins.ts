import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { appLogins } from '../../schema/app-logins.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type AppLoginRow = typeof appLogins.$inferSelect;
export type NewAppLogin = Omit<
  typeof appLogins.$inferInsert,
  'suid' | 'zid' | 'mode' | 'authenticatedAt' | 'claimedAt'
>;
/** The member who has signed in to the application. */
export type AppLoginPerson = { suid: string; zid: string; mode: NonNullable<AppLoginRow['mode']> };
/**
 * The approval of an application sign-in.
 * @property isNumbered approved by choosing the number on the screen
 */
type AppLoginApproval = AppLoginPerson & { isNumbered: boolean };

/** Starts a sign-in to an application. */
export function insertAppLogin(tx: Tx, row: NewAppLogin): void {
  tx.insert(appLogins).values(row).run();
}

const param = sql.placeholder;
const byId = drizzleStatement((db) =>
  db
    .select()
    .from(appLogins)
    .where(eq(appLogins.id, param('id')))
    .prepare(),
);

/** Finds a sign-in by its id alone; the caller compares the browser. */
export function findAppLogin(tx: Tx, id: string): AppLoginRow | undefined {
  return byId(tx).get({ id });
}

const authentication = drizzleStatement((db) =>
  db
    .update(appLogins)
    .set({
      suid: sql`${param('suid')}`,
      zid: sql`${param('zid')}`,
      mode: sql`${param('mode')}`,
      authenticatedAt: sql`${param('now')}`,
      needsStepUp: sql`${appLogins.needsStepUp} OR ${param('isNumbered')}`,
    } satisfies Record<keyof AppLoginPerson | 'authenticatedAt' | 'needsStepUp', SQL>)
    .where(
      and(
        eq(appLogins.id, param('id')),
        isNull(appLogins.authenticatedAt),
        gt(appLogins.expiresAt, sql`${param('now')}`),
      ),
    )
    .returning()
    .prepare(),
);

/** Records who has signed in, once and before expiry. Returns undefined if that is already recorded, or too late. */
export function authenticateAppLogin(
  tx: Tx,
  id: string,
  { isNumbered, ...person }: AppLoginApproval,
  now: number,
): AppLoginRow | undefined {
  return authentication(tx).get({ id, ...person, isNumbered: isNumbered ? 1 : 0, now });
}

/** Key of a sign-in and of the browser that started it. */
interface OfBrowser {
  id: string;
  browser: string;
  now: number;
}

const claiming = (state: SQL) =>
  drizzleStatement((db) =>
    db
      .update(appLogins)
      .set({ claimedAt: sql`${param('now')}` })
      .where(
        and(
          eq(appLogins.id, param('id')),
          eq(appLogins.orgCode, param('orgCode')),
          eq(appLogins.browser, param('browser')),
          state,
          isNull(appLogins.claimedAt),
          gt(appLogins.expiresAt, sql`${param('now')}`),
        ),
      )
      .returning()
      .prepare(),
  );
const claim = claiming(isNotNull(appLogins.authenticatedAt));
const end = claiming(isNull(appLogins.authenticatedAt));

/** Claims an authenticated sign-in so that its protocol can continue: once, in time, by the browser that started it. */
export const claimAppLogin = (tx: Tx, orgCode: string, login: OfBrowser): AppLoginRow | undefined =>
  claim(tx).get({ orgCode, ...login });

/** Claims an incomplete sign-in, so that it can no longer be completed. */
export const endAppLogin = (tx: Tx, orgCode: string, login: OfBrowser): AppLoginRow | undefined =>
  end(tx).get({ orgCode, ...login });

/** Transfers a sign-in to the browser known as `to`. Returns it, or undefined if `browser` didn't start it. */
export function handOverAppLogin(
  tx: Tx,
  orgCode: string,
  { id, browser, to, now }: OfBrowser & { to: string },
): AppLoginRow | undefined {
  const isOwn = and(eq(appLogins.id, id), eq(appLogins.orgCode, orgCode), eq(appLogins.browser, browser));
  return tx
    .update(appLogins)
    .set({ browser: to })
    .where(and(isOwn, isNull(appLogins.authenticatedAt), gt(appLogins.expiresAt, now)))
    .returning()
    .get();
}

/** Deletes application sign-ins of all organisations that expired before `before`. */
export function pruneAppLogins(tx: Tx, before: number): void {
  tx.delete(appLogins).where(lt(appLogins.expiresAt, before)).run();
}
