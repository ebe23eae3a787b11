import { and, eq, inArray, isNotNull, lte, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { oidcClients } from '../../schema/applications.ts';
import { logoutNotices, samlSessions } from '../../schema/logouts.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { BrowserSignIns } from './logouts.ts';

export type LogoutNoticeRow = typeof logoutNotices.$inferSelect;

/**
 * Queues logout notices for a member's ended application sign-ins. Only OpenID clients with a back-channel address
 * are notified.
 */
export function queueOidcLogout(
  tx: Tx,
  { orgCode, suid }: { orgCode: string; suid: string },
  apps: readonly { appId: string; sid: string }[],
  nextAttemptAt: number,
): void {
  for (const { appId, sid } of apps) {
    const client = tx
      .select({ appId: oidcClients.appId })
      .from(oidcClients)
      .where(
        and(
          eq(oidcClients.orgCode, orgCode),
          eq(oidcClients.appId, appId),
          isNotNull(oidcClients.backchannelLogoutUri),
        ),
      )
      .get();
    if (client) tx.insert(logoutNotices).values({ orgCode, appId, suid, protocol: 'oidc', sid, nextAttemptAt }).run();
  }
}

/**
 * Selects SAML application sign-ins: a single sign-in, or all sign-ins of a member, a device, or a member in one
 * browser.
 */
export type SamlSignIns = { id: string } | { suid: string } | { zid: string } | { inBrowser: BrowserSignIns };

/** Queues logout notices to SAML applications for these sign-ins. */
export function queueSamlLogout(tx: Tx, orgCode: string, whose: SamlSignIns, nextAttemptAt: number): void {
  const ended = tx
    .select({ appId: samlSessions.appId, suid: samlSessions.suid, sid: samlSessions.id })
    .from(samlSessions)
    .where(and(ownership(whose), eq(samlSessions.orgCode, orgCode)))
    .all();
  for (const one of ended)
    tx.insert(logoutNotices)
      .values({ ...one, orgCode, protocol: 'saml', nextAttemptAt })
      .run();
}

function ownership(whose: SamlSignIns): SQL | undefined {
  if ('id' in whose) return eq(samlSessions.id, whose.id);
  if ('suid' in whose) return eq(samlSessions.suid, whose.suid);
  if ('zid' in whose) return eq(samlSessions.zid, whose.zid);
  const { browser, suid } = whose.inBrowser;
  return and(eq(samlSessions.browser, browser), eq(samlSessions.suid, suid));
}

/** Claims a due notice until the lease ends. If the process dies, the notice becomes due again at that time. */
export function claimDueNotice(
  tx: Tx,
  { now, leaseMs }: { now: number; leaseMs: number },
): LogoutNoticeRow | undefined {
  const due = tx
    .select({ number: logoutNotices.number })
    .from(logoutNotices)
    .where(lte(logoutNotices.nextAttemptAt, now))
    .orderBy(logoutNotices.nextAttemptAt)
    .limit(1);
  return tx
    .update(logoutNotices)
    .set({ attempts: sql`${logoutNotices.attempts} + 1`, nextAttemptAt: now + leaseMs })
    .where(inArray(logoutNotices.number, due))
    .returning()
    .get();
}

const nextNoticeTime = drizzleStatement((db) =>
  db
    .select({ at: logoutNotices.nextAttemptAt })
    .from(logoutNotices)
    .orderBy(logoutNotices.nextAttemptAt)
    .limit(1)
    .prepare(),
);

/** Returns when the next notice is due, or null if none is due. */
export function findNextNoticeTime(tx: Tx): number | null {
  return nextNoticeTime(tx).get()?.at ?? null;
}

/**
 * Records the result of an attempt.
 * @param nextAttemptAt null if the notice won't be sent again
 */
export function settleNotice(tx: Tx, { number }: LogoutNoticeRow, nextAttemptAt: number | null): void {
  const isThis = eq(logoutNotices.number, number);
  if (nextAttemptAt === null) tx.delete(logoutNotices).where(isThis).run();
  else tx.update(logoutNotices).set({ nextAttemptAt }).where(isThis).run();
}
