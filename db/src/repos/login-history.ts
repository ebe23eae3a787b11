import { and, count, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { devices } from '../schema/devices.ts';
import { loginHistory } from '../schema/sessions.ts';

export type LoginHistoryRow = typeof loginHistory.$inferSelect;

/** A record with the nickname that its device has today. */
export type LoginHistoryEntry = LoginHistoryRow & { nickName: string | null };

const given = sql.placeholder;

const insertion = prepared((db) =>
  db
    .insert(loginHistory)
    .values({
      id: given('id'),
      orgCode: given('orgCode'),
      suid: given('suid'),
      zid: given('zid'),
      deviceName: given('deviceName'),
      deviceType: given('deviceType'),
      appName: given('appName'),
      mode: given('mode'),
      ip: given('ip'),
      loginStatus: given('loginStatus'),
      reason: given('reason'),
      timestamp: given('timestamp'),
    })
    .prepare(),
);

/** Writes what became of a sign-in, in the transaction of its answer. */
export function insertLoginRecord(tx: Tx, record: LoginHistoryRow): void {
  insertion(tx).run({ ...record });
}

/** Sign-ins of a member, newest first: at most `count`, older than the record `before`. */
export function listLoginHistory(
  tx: Tx,
  orgCode: string,
  suid: string,
  { count, before }: { count: number; before?: { timestamp: number; id: string } },
): LoginHistoryEntry[] {
  const older = before && sql`(${loginHistory.timestamp}, ${loginHistory.id}) < (${before.timestamp}, ${before.id})`;
  return tx
    .select({ record: loginHistory, nickName: devices.nickName })
    .from(loginHistory)
    .leftJoin(devices, and(eq(devices.zid, loginHistory.zid), eq(devices.orgCode, loginHistory.orgCode)))
    .where(and(eq(loginHistory.orgCode, orgCode), eq(loginHistory.suid, suid), older))
    .orderBy(desc(loginHistory.timestamp), desc(loginHistory.id))
    .limit(count)
    .all()
    .map(({ record, nickName }) => ({ ...record, nickName }));
}

export function hasLoginRecord(tx: Tx, orgCode: string, suid: string, id: string): boolean {
  const found = tx
    .select({ id: loginHistory.id })
    .from(loginHistory)
    .where(and(eq(loginHistory.id, id), eq(loginHistory.orgCode, orgCode), eq(loginHistory.suid, suid)))
    .get();
  return found !== undefined;
}

/** What became of the sign-ins of an organisation in a time. */
export interface LoginCount {
  loginStatus: LoginHistoryRow['loginStatus'];
  reason: string | null;
  logins: number;
}

/** By outcome and its reason, from `from` to before `until`, in milliseconds. */
export function countLogins(tx: Tx, orgCode: string, { from, until }: { from: number; until: number }): LoginCount[] {
  const { loginStatus, reason, timestamp } = loginHistory;
  return tx
    .select({ loginStatus, reason, logins: count() })
    .from(loginHistory)
    .where(and(eq(loginHistory.orgCode, orgCode), gte(timestamp, from), lt(timestamp, until)))
    .groupBy(loginStatus, reason)
    .all();
}
