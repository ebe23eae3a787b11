import { and, eq, gt, gte, inArray, isNotNull, isNull, ne, sql, unionAll } from '#drizzle';
import type { Tx } from '../../database.ts';
import { samlSessions } from '../../schema/logouts.ts';
import { oidcModels } from '../../schema/oidc.ts';
import { loginHistory, sessions } from '../../schema/sessions.ts';
import type { BrowserSignIns } from './logouts.ts';

/** Lists the IP addresses from which a member has signed in after `since`, excluding sign-ins the member disowned. */
export function listSignInAddresses(tx: Tx, orgCode: string, suid: string, since: number): string[] {
  return tx
    .selectDistinct({ ip: loginHistory.ip })
    .from(loginHistory)
    .where(
      and(
        eq(loginHistory.suid, suid),
        eq(loginHistory.orgCode, orgCode),
        gt(loginHistory.timestamp, since),
        eq(loginHistory.loginStatus, 'Success'),
        isNull(loginHistory.disownedAt),
      ),
    )
    .all()
    .map(({ ip }) => ip);
}

/** Returns true if the member has signed in to the portal or an application in this browser after `since`. */
export function hasSignedIn(tx: Tx, { orgCode, browser, suid }: BrowserSignIns, since: number): boolean {
  const isTheirs = (table: typeof sessions | typeof samlSessions | typeof oidcModels) =>
    and(eq(table.browser, browser), eq(table.orgCode, orgCode), eq(table.suid, suid));
  const one = { one: sql<1>`1` };
  const portal = tx
    .select(one)
    .from(sessions)
    .where(and(isTheirs(sessions), gt(sessions.createdAt, since)));
  const saml = tx
    .select(one)
    .from(samlSessions)
    .where(and(isTheirs(samlSessions), gt(samlSessions.createdAt, since)));
  const oidc = tx
    .select(one)
    .from(oidcModels)
    .where(and(isTheirs(oidcModels), eq(oidcModels.model, 'Session'), gt(oidcModels.expiresAt, since)));
  return unionAll(portal, saml, oidc).limit(1).get() !== undefined;
}

/** Clears these browsers from the records of a member's sign-ins. */
export function forgetBrowsers(
  tx: Tx,
  { orgCode, suid, browsers }: Pick<BrowserSignIns, 'orgCode' | 'suid'> & { browsers: readonly string[] },
): void {
  for (const table of [sessions, samlSessions]) {
    const isTheirs = and(inArray(table.browser, browsers), eq(table.orgCode, orgCode), eq(table.suid, suid));
    tx.update(table).set({ browser: null }).where(isTheirs).run();
  }
}

/**
 * Lists the browsers in which a device has signed in a member since `since`, excluding the browser of session
 * `exceptSid`.
 */
export function listDeviceBrowsers(
  tx: Tx,
  orgCode: string,
  { suid, zid, since, exceptSid }: { suid: string; zid: string | null; since: number; exceptSid: string },
): string[] {
  const isTheirs = and(eq(sessions.suid, suid), eq(sessions.orgCode, orgCode));
  const isByIt = zid === null ? isNull(sessions.zid) : eq(sessions.zid, zid);
  const own = tx.select({ browser: sessions.browser }).from(sessions).where(eq(sessions.sid, exceptSid)).get();
  return tx
    .selectDistinct({ browser: sessions.browser })
    .from(sessions)
    .where(
      and(isTheirs, isByIt, gte(sessions.createdAt, since), ne(sessions.sid, exceptSid), isNotNull(sessions.browser)),
    )
    .all()
    .flatMap(({ browser }) => (browser === null || browser === own?.browser ? [] : [browser]));
}
