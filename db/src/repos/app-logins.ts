import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { appLogins } from '../schema/app-logins.ts';

export type AppLoginRow = typeof appLogins.$inferSelect;
export type NewAppLogin = Omit<
  typeof appLogins.$inferInsert,
  'suid' | 'zid' | 'mode' | 'authenticatedAt' | 'claimedAt' | 'browser'
>;
/** Who has signed in to the application, and in which browser. */
export type AppLoginPerson = { suid: string; zid: string; mode: NonNullable<AppLoginRow['mode']> } & Pick<
  AppLoginRow,
  'browser'
>;

/** Begins a sign-in to an application. */
export function insertAppLogin(tx: Tx, row: NewAppLogin): void {
  tx.insert(appLogins).values(row).run();
}

const given = sql.placeholder;
const byId = prepared((db) =>
  db
    .select()
    .from(appLogins)
    .where(eq(appLogins.id, given('id')))
    .prepare(),
);

/** Found by its id alone, which only the browser that began it knows. */
export function findAppLogin(tx: Tx, id: string): AppLoginRow | undefined {
  return byId(tx).get({ id });
}

const authentication = prepared((db) =>
  db
    .update(appLogins)
    .set({
      suid: sql`${given('suid')}`,
      zid: sql`${given('zid')}`,
      mode: sql`${given('mode')}`,
      browser: sql`${given('browser')}`,
      authenticatedAt: sql`${given('now')}`,
    } satisfies Record<keyof AppLoginPerson | 'authenticatedAt', SQL>)
    .where(
      and(
        eq(appLogins.id, given('id')),
        isNull(appLogins.authenticatedAt),
        gt(appLogins.expiresAt, sql`${given('now')}`),
      ),
    )
    .returning()
    .prepare(),
);

/** Records who has signed in, once and in time; undefined where somebody already has, or it is too late. */
export function authenticateAppLogin(tx: Tx, id: string, person: AppLoginPerson, now: number): AppLoginRow | undefined {
  return authentication(tx).get({ id, ...person, now });
}

/** Names a sign-in to the browser that began it. */
interface OfBrowser {
  id: string;
  browserHash: string;
  now: number;
}

const claiming = (state: SQL) =>
  prepared((db) =>
    db
      .update(appLogins)
      .set({ claimedAt: sql`${given('now')}` })
      .where(
        and(
          eq(appLogins.id, given('id')),
          eq(appLogins.orgCode, given('orgCode')),
          eq(appLogins.browserHash, given('browserHash')),
          state,
          isNull(appLogins.claimedAt),
          gt(appLogins.expiresAt, sql`${given('now')}`),
        ),
      )
      .returning()
      .prepare(),
  );
const claim = claiming(isNotNull(appLogins.authenticatedAt));
const end = claiming(isNull(appLogins.authenticatedAt));

/**
 * Claims an authenticated sign-in so that its protocol can go on: once, in time, and only for the browser that began
 * it.
 */
export const claimAppLogin = (tx: Tx, orgCode: string, login: OfBrowser): AppLoginRow | undefined =>
  claim(tx).get({ orgCode, ...login });

/** Claims a sign-in that nobody has completed, so that nobody can complete it any more. */
export const endAppLogin = (tx: Tx, orgCode: string, login: OfBrowser): AppLoginRow | undefined =>
  end(tx).get({ orgCode, ...login });

/** Deletes those that expired before `before`, of every organisation. */
export function pruneAppLogins(tx: Tx, before: number): void {
  tx.delete(appLogins).where(lt(appLogins.expiresAt, before)).run();
}
