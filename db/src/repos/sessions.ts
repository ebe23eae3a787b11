import { and, eq, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../open.ts';
import { prepared } from '../prepared.ts';
import { devices } from '../schema/devices.ts';
import { members } from '../schema/members.ts';
import { organisations, roles } from '../schema/organisations.ts';
import { refreshTokens, sessions } from '../schema/sessions.ts';
import type { MemberRow } from './members.ts';

/** A session that may act now, with everything that decides what it may do. */
export interface LiveSession {
  sid: string;
  zid: string;
  expiresAt: number;
  member: MemberRow;
  roleName: string;
  permissions: (typeof roles.$inferSelect)['permissions'];
  allowReporteeSearch: boolean;
}

const live = prepared((db) =>
  db
    .select({
      sid: sessions.sid,
      zid: sessions.zid,
      expiresAt: sessions.expiresAt,
      member: members,
      roleName: roles.name,
      permissions: roles.permissions,
      allowReporteeSearch: organisations.allowReporteeSearch,
    })
    .from(sessions)
    .innerJoin(members, eq(members.suid, sessions.suid))
    .innerJoin(devices, eq(devices.zid, sessions.zid))
    .innerJoin(roles, and(eq(roles.orgCode, members.orgCode), eq(roles.roleCode, members.roleCode)))
    .innerJoin(organisations, eq(organisations.orgCode, sessions.orgCode))
    .where(
      and(
        eq(sessions.sid, sql.placeholder('sid')),
        eq(sessions.orgCode, sql.placeholder('orgCode')),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql.placeholder('now')),
        eq(members.accountStatus, 'active'),
        eq(devices.status, 'active'),
      ),
    )
    .prepare(),
);

/** The session, where it is neither ended nor expired and its member and device are active; read afresh on every call. */
export function findLiveSession(db: Tx, orgCode: string, sid: string, now: number): LiveSession | undefined {
  return live(db).get({ orgCode, sid, now });
}

/** Writes a session with its first refresh token, given as its hash. */
export function insertSession(
  tx: Tx,
  session: Omit<typeof sessions.$inferInsert, 'revokedAt'>,
  refreshHash: string,
): void {
  tx.insert(sessions).values(session).run();
  insertRefreshToken(tx, { hash: refreshHash, sid: session.sid, createdAt: session.createdAt });
}

export function insertRefreshToken(tx: Tx, token: Omit<typeof refreshTokens.$inferInsert, 'usedAt'>): void {
  tx.insert(refreshTokens).values(token).run();
}

/** Claims a refresh token that has not been used: true for one caller only. */
export function claimRefreshToken(tx: Tx, hash: string, now: number): boolean {
  const claimed = tx
    .update(refreshTokens)
    .set({ usedAt: now })
    .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.usedAt)))
    .run();
  return claimed.changes === 1;
}

/** A refresh token with the organisation and member of its session, whatever has become of them. */
export function findRefreshToken(tx: Tx, hash: string) {
  return tx
    .select({
      sid: refreshTokens.sid,
      usedAt: refreshTokens.usedAt,
      orgCode: sessions.orgCode,
      suid: sessions.suid,
    })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.sid, refreshTokens.sid))
    .where(eq(refreshTokens.hash, hash))
    .get();
}

/** Whose sessions to end. */
export type SessionsOf = { sid: string } | { suid: string } | { zid: string };

/** Ends sessions that have not ended, and returns their ids; with them end their refresh tokens. */
export function revokeSessions(tx: Tx, orgCode: string, whose: SessionsOf, now: number): string[] {
  return tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.orgCode, orgCode), isNull(sessions.revokedAt), ownership(whose)))
    .returning({ sid: sessions.sid })
    .all()
    .map(({ sid }) => sid);
}

function ownership(whose: SessionsOf): SQL {
  if ('sid' in whose) return eq(sessions.sid, whose.sid);
  if ('suid' in whose) return eq(sessions.suid, whose.suid);
  return eq(sessions.zid, whose.zid);
}

/** Forgets sessions that expired before `before`, of every organisation. */
export function purgeSessions(db: Tx, before: number): void {
  const expired = db.select({ sid: sessions.sid }).from(sessions).where(lt(sessions.expiresAt, before));
  db.transaction((tx) => {
    tx.delete(refreshTokens).where(inArray(refreshTokens.sid, expired)).run();
    tx.delete(sessions).where(lt(sessions.expiresAt, before)).run();
  });
}
