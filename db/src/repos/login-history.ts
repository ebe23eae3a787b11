import { and, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { appLogins } from '../schema/app-logins.ts';
import { devices } from '../schema/devices.ts';
import { members } from '../schema/members.ts';
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
      appId: sql`coalesce((SELECT ${appLogins.appId} FROM ${appLogins} WHERE ${appLogins.id} = ${given('appLoginId')}), '')`,
    })
    .prepare(),
);

/**
 * Writes what became of a sign-in, in the transaction of its answer.
 * @param record its `appLoginId` says to which application; null for the portal itself
 */
export function insertLoginRecord(
  tx: Tx,
  record: Omit<LoginHistoryRow, 'appId' | 'disownedAt'> & { appLoginId?: string | null },
): void {
  insertion(tx).run({ appLoginId: null, ...record });
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

/** All that are given must hold. Times in milliseconds: not before `from`, and before `to`. */
export interface SignInFilter {
  status?: LoginHistoryRow['loginStatus'] | undefined;
  suid?: string | undefined;
  /** '' for the portal itself. */
  appId?: string | undefined;
  mode?: string | undefined;
  ip?: string | undefined;
  reason?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

type Key = Pick<LoginHistoryRow, 'timestamp' | 'id'>;

export interface SignInEntry extends LoginHistoryEntry {
  firstName: string;
  lastName: string;
  primaryEmail: string;
}

/**
 * Sign-ins of an organisation, newest first: at most `count`, older than the record `before`. Reads the index of the most
 * selective filter, and at most `reach` entries of it: so the rarest combination takes no longer than that.
 * @returns `last`: where to go on; null where there is nothing older
 */
export function listSignIns(
  tx: Tx,
  orgCode: string,
  filter: SignInFilter,
  { count, before, reach }: { count: number; before?: Key | undefined; reach: number },
): { entries: SignInEntry[]; last: Key | null } {
  const history = loginHistory;
  const { from, to } = filter;
  const reached = tx
    .select()
    .from(history)
    .where(
      and(
        narrowest(filter),
        eq(history.orgCode, orgCode),
        from === undefined ? undefined : gte(history.timestamp, from),
        to === undefined ? undefined : lt(history.timestamp, to),
        before && sql`(${history.timestamp}, ${history.id}) < (${before.timestamp}, ${before.id})`,
      ),
    )
    .orderBy(desc(history.timestamp), desc(history.id))
    .$dynamic();
  const candidates = reached.limit(reach).as('candidates');
  const found = tx
    .select()
    .from(candidates)
    .where(
      and(
        filter.status === undefined ? undefined : eq(candidates.loginStatus, filter.status),
        filter.suid === undefined ? undefined : eq(candidates.suid, filter.suid),
        filter.appId === undefined ? undefined : eq(candidates.appId, filter.appId),
        filter.mode === undefined ? undefined : eq(candidates.mode, filter.mode),
        filter.ip === undefined ? undefined : eq(candidates.ip, filter.ip),
        filter.reason === undefined ? undefined : eq(candidates.reason, filter.reason),
      ),
    )
    .limit(count + 1)
    .all();
  const page = found.slice(0, count);
  const last =
    found.length > count
      ? page.at(-1)
      : reached
          .limit(1)
          .offset(reach - 1)
          .get();
  return {
    entries: page.map((record) => named(tx, record)),
    last: last ? { timestamp: last.timestamp, id: last.id } : null,
  };
}

/** The one filter whose index is read; the others are looked at entry by entry. A person has few, an address some. */
function narrowest({ suid, ip, appId, status, reason }: SignInFilter): SQL | undefined {
  if (suid !== undefined) return eq(loginHistory.suid, suid);
  if (appId) return eq(loginHistory.appId, appId);
  if (status === 'Failed' || reason !== undefined) return sql`${loginHistory.loginStatus} = 'Failed'`;
  return ip === undefined ? undefined : eq(loginHistory.ip, ip);
}

const personOf = prepared((db) =>
  db
    .select({ firstName: members.firstName, lastName: members.lastName, primaryEmail: members.primaryEmail })
    .from(members)
    .where(and(eq(members.suid, given('suid')), eq(members.orgCode, given('orgCode'))))
    .prepare(),
);

const nickNameOf = prepared((db) =>
  db
    .select({ nickName: devices.nickName })
    .from(devices)
    .where(and(eq(devices.zid, given('zid')), eq(devices.orgCode, given('orgCode'))))
    .prepare(),
);

function named(tx: Tx, record: LoginHistoryRow): SignInEntry {
  const { orgCode, suid, zid } = record;
  const person = personOf(tx).get({ suid, orgCode }) ?? { firstName: '', lastName: '', primaryEmail: '' };
  const nickName = zid === null ? null : (nickNameOf(tx).get({ zid, orgCode })?.nickName ?? null);
  return { ...record, ...person, nickName };
}
