import { and, eq, gt, isNotNull, isNull, lt, type SQL } from 'drizzle-orm';
import type { Tx } from '../database.ts';
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

/** Found by its id alone, which only the browser that began it knows. */
export function findAppLogin(tx: Tx, id: string): AppLoginRow | undefined {
  return tx.select().from(appLogins).where(eq(appLogins.id, id)).get();
}

/** Records who has signed in, once and in time; undefined where somebody already has, or it is too late. */
export function authenticateAppLogin(tx: Tx, id: string, person: AppLoginPerson, now: number): AppLoginRow | undefined {
  return tx
    .update(appLogins)
    .set({ ...person, authenticatedAt: now })
    .where(and(eq(appLogins.id, id), isNull(appLogins.authenticatedAt), gt(appLogins.expiresAt, now)))
    .returning()
    .get();
}

/** Names a sign-in to the browser that began it. */
interface OfBrowser {
  id: string;
  browserHash: string;
  now: number;
}

/**
 * Claims an authenticated sign-in so that its protocol can go on: once, in time, and only for the browser that began
 * it.
 */
export const claimAppLogin = (tx: Tx, orgCode: string, login: OfBrowser): AppLoginRow | undefined =>
  claim(tx, orgCode, login, isNotNull(appLogins.authenticatedAt));

/** Claims a sign-in that nobody has completed, so that nobody can complete it any more. */
export const endAppLogin = (tx: Tx, orgCode: string, login: OfBrowser): AppLoginRow | undefined =>
  claim(tx, orgCode, login, isNull(appLogins.authenticatedAt));

function claim(tx: Tx, orgCode: string, { id, browserHash, now }: OfBrowser, state: SQL): AppLoginRow | undefined {
  return tx
    .update(appLogins)
    .set({ claimedAt: now })
    .where(
      and(
        eq(appLogins.id, id),
        eq(appLogins.orgCode, orgCode),
        eq(appLogins.browserHash, browserHash),
        state,
        isNull(appLogins.claimedAt),
        gt(appLogins.expiresAt, now),
      ),
    )
    .returning()
    .get();
}

/** Deletes those that expired before `before`, of every organisation. */
export function pruneAppLogins(tx: Tx, before: number): void {
  tx.delete(appLogins).where(lt(appLogins.expiresAt, before)).run();
}
