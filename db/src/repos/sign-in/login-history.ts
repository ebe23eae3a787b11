import { and, desc, eq, gte, lt, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { appSignIns } from '../../schema/app-logins.ts';
import { devices } from '../../schema/devices.ts';
import { members } from '../../schema/members.ts';
import { loginHistory } from '../../schema/sessions.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import type { MemberRow } from '../members/members.ts';

export type LoginHistoryRow = typeof loginHistory.$inferSelect;

/** A sign-in record with its device's current nickname. */
export type LoginHistoryEntry = LoginHistoryRow & { nickName: string | null };

const param = sql.placeholder;

const insertion = drizzleStatement((db) =>
  db
    .insert(loginHistory)
    .values({
      id: param('id'),
      orgCode: param('orgCode'),
      suid: param('suid'),
      zid: param('zid'),
      deviceName: param('deviceName'),
      deviceType: param('deviceType'),
      appName: param('appName'),
      mode: param('mode'),
      ip: param('ip'),
      loginStatus: param('loginStatus'),
      reason: param('reason'),
      timestamp: param('timestamp'),
      appId: sql`coalesce((SELECT ${appSignIns.appId} FROM ${appSignIns} WHERE ${appSignIns.id} = ${param('appLoginId')}), '')`,
    })
    .prepare(),
);

/**
 * Records the outcome of a sign-in. Call it in the transaction that answers the sign-in.
 * @param record its `appLoginId` identifies the application; null for the portal itself
 */
export function insertLoginRecord(
  tx: Tx,
  record: Omit<LoginHistoryRow, 'appId' | 'disownedAt'> & { appLoginId?: string | null },
): void {
  insertion(tx).run({ appLoginId: null, ...record });
}

/** Lists at most `count` of a member's sign-ins older than the record `before`, newest first. */
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

/** Returns true if the member has a sign-in record with this ID. */
export function hasLoginRecord(tx: Tx, orgCode: string, suid: string, id: string): boolean {
  const found = tx
    .select({ id: loginHistory.id })
    .from(loginHistory)
    .where(and(eq(loginHistory.id, id), eq(loginHistory.orgCode, orgCode), eq(loginHistory.suid, suid)))
    .get();
  return found !== undefined;
}

/** Number of an organisation's sign-ins with a given outcome and reason. */
export interface SignInCount {
  loginStatus: LoginHistoryRow['loginStatus'];
  reason: string | null;
  logins: number;
}

/**
 * Counts sign-ins by outcome and reason. The time range includes `from` and excludes `until`, both in milliseconds.
 * Only failures are grouped, because grouping a million sign-ins would take ten times as long as counting them.
 */
export function countSignIns(tx: Tx, orgCode: string, { from, until }: { from: number; until: number }): SignInCount[] {
  const { loginStatus, reason, timestamp } = loginHistory;
  const within = and(eq(loginHistory.orgCode, orgCode), gte(timestamp, from), lt(timestamp, until));
  const { logins: all } = tx.get<{ logins: number }>(
    sql`SELECT count(*) AS logins FROM ${loginHistory} INDEXED BY login_history_org WHERE ${within}`,
  );
  const failed = tx.all<SignInCount>(
    sql`SELECT ${loginStatus}, ${reason}, count(*) AS logins FROM ${loginHistory} INDEXED BY login_history_failed
      WHERE ${within} AND ${loginStatus} = 'Failed' GROUP BY ${reason}`,
  );
  const logins = failed.reduce((rest, counted) => rest - counted.logins, all);
  return logins > 0 ? [{ loginStatus: 'Success', reason: null, logins }, ...failed] : failed;
}

/** Conditions that a sign-in must all meet. The time range includes `from` and excludes `to`, both in milliseconds. */
export interface SignInFilter {
  status?: LoginHistoryRow['loginStatus'] | undefined;
  suid?: string | undefined;
  /** ID of the application, or '' for the portal itself. */
  appId?: string | undefined;
  mode?: string | undefined;
  ip?: string | undefined;
  reason?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

type Key = Pick<LoginHistoryRow, 'timestamp' | 'id'>;

export interface SignInEntry
  extends LoginHistoryEntry,
    Pick<MemberRow, 'primaryAttr' | 'firstName' | 'lastName' | 'primaryEmail' | 'accountStatus'> {}

/**
 * Lists at most `count` of an organisation's sign-ins older than the record `before`, newest first. Reads at most
 * `reach` entries from the index of the most selective filter, which limits the time for any combination of filters.
 * @returns `last`: cursor of the next page, or null
 */
export function listSignIns(
  tx: Tx,
  orgCode: string,
  filter: SignInFilter,
  { count, before, reach }: { count: number; before?: Key | undefined; reach: number },
): { entries: SignInEntry[]; last: Key | null } {
  const { reached, fits } = searchOf(orgCode, filter, before);
  const found = tx.all<LoginHistoryRow>(
    sql`SELECT * FROM (${reached} LIMIT ${reach}) WHERE ${fits} LIMIT ${count + 1}`,
  );
  const page = found.slice(0, count);
  const last =
    found.length > count
      ? page.at(-1)
      : tx.get<LoginHistoryRow | undefined>(sql`${reached} LIMIT 1 OFFSET ${reach - 1}`);
  return {
    entries: page.map((record) => named(tx, record)),
    last: last ? { timestamp: last.timestamp, id: last.id } : null,
  };
}

/** Returns the query of the entries to examine, newest first, and the conditions that each of them must meet. */
function searchOf(orgCode: string, filter: SignInFilter, before?: Key): { reached: SQL; fits: SQL | undefined } {
  const { from, to, ...wanted } = filter;
  const { timestamp, id } = loginHistory;
  const { index, condition } = narrowest(filter);
  const within = and(
    condition,
    eq(loginHistory.orgCode, orgCode),
    from === undefined ? undefined : gte(timestamp, from),
    to === undefined ? undefined : lt(timestamp, to),
    before && sql`(${timestamp}, ${id}) < (${before.timestamp}, ${before.id})`,
  );
  // Name the index, because without statistics SQLite would always use the time index.
  const reached = sql`SELECT * FROM ${loginHistory} INDEXED BY ${sql.identifier(index)} WHERE ${within}
    ORDER BY ${timestamp} DESC, ${id} DESC`;
  const fits = Object.entries(wanted)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${COLUMN_OF[name] ?? sql.identifier(name)} = ${value}`);
  return { reached, fits: and(sql`true`, ...fits) };
}

/** Columns for filters that don't have the same name as their column. */
const COLUMN_OF: Readonly<Record<string, SQL>> = { status: sql`"loginStatus"` };

/**
 * Counts the sign-ins that meet the conditions, by outcome and reason. Examines at most the `reach` latest entries in
 * the index of the most selective filter.
 * @returns `isMore`: true if there are more entries than were examined
 */
export function countMatchingSignIns(
  tx: Tx,
  orgCode: string,
  filter: SignInFilter,
  reach: number,
): { counts: SignInCount[]; isMore: boolean } {
  const { loginStatus, reason } = loginHistory;
  const { reached, fits } = searchOf(orgCode, filter);
  const counts = tx.all<SignInCount>(
    sql`SELECT ${loginStatus}, ${reason}, count(*) AS logins FROM (${reached} LIMIT ${reach}) AS ${loginHistory}
      WHERE ${fits} GROUP BY ${loginStatus}, ${reason}`,
  );
  return { counts, isMore: tx.get(sql`${reached} LIMIT 1 OFFSET ${reach}`) !== undefined };
}

/**
 * Returns the most selective filter and its index. The other filters are checked entry by entry. A member has the
 * fewest entries, followed by an IP address.
 */
function narrowest({ suid, ip, appId, status, reason }: SignInFilter): { index: string; condition?: SQL } {
  if (suid !== undefined) return { index: 'login_history_member', condition: eq(loginHistory.suid, suid) };
  if (appId) return { index: 'login_history_app', condition: eq(loginHistory.appId, appId) };
  if (status === 'Failed' || reason !== undefined) {
    return { index: 'login_history_failed', condition: sql`${loginHistory.loginStatus} = 'Failed'` };
  }
  if (ip !== undefined) return { index: 'login_history_ip', condition: eq(loginHistory.ip, ip) };
  return { index: 'login_history_time' };
}

const personOf = drizzleStatement((db) =>
  db
    .select({
      primaryAttr: members.primaryAttr,
      firstName: members.firstName,
      lastName: members.lastName,
      primaryEmail: members.primaryEmail,
      accountStatus: members.accountStatus,
    })
    .from(members)
    .where(and(eq(members.suid, param('suid')), eq(members.orgCode, param('orgCode'))))
    .prepare(),
);

const nickNameOf = drizzleStatement((db) =>
  db
    .select({ nickName: devices.nickName })
    .from(devices)
    .where(and(eq(devices.zid, param('zid')), eq(devices.orgCode, param('orgCode'))))
    .prepare(),
);

const NO_MEMBER = { primaryAttr: '', firstName: '', lastName: '', primaryEmail: '', accountStatus: 'deleted' } as const;

function named(tx: Tx, record: LoginHistoryRow): SignInEntry {
  const { orgCode, suid, zid } = record;
  const person = personOf(tx).get({ suid, orgCode }) ?? NO_MEMBER;
  const nickName = zid === null ? null : (nickNameOf(tx).get({ zid, orgCode })?.nickName ?? null);
  return { ...record, ...person, nickName };
}
