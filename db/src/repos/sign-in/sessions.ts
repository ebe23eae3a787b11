import { and, eq, gt, inArray, isNull, lt, ne, type Placeholder, type SQL, sql } from '#drizzle';
import { cachedRead } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import type { roles } from '../../schema/organisations.ts';
import { refreshTokens, sessions } from '../../schema/sessions.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { endAppSignIns } from '../applications/oidc-models.ts';
import { findDevice } from '../devices/devices.ts';
import { findMember, type MemberRow } from '../members/members.ts';
import { findRole } from '../members/roles.ts';
import { findOrganisation } from '../settings/organisations.ts';
import { revokeBrowsers } from './browsers.ts';
import type { BrowserSignIns } from './logouts.ts';

/** A valid session, with the data needed to authorise its requests. */
export interface LiveSession {
  readonly sid: string;
  /** Empty if no device approved the session. */
  readonly zid: string;
  readonly mode: string;
  readonly expiresAt: number;
  readonly member: Readonly<MemberRow>;
  readonly roleName: string;
  readonly permissions: Readonly<(typeof roles.$inferSelect)['permissions']>;
  readonly allowReporteeSearch: boolean;
  /**
   * Addresses from which the organisation allows access. Until the next write, every read returns the same array
   * instance.
   */
  readonly allowedIps: readonly string[];
}

const param = sql.placeholder;

const sessionBySid = drizzleStatement((db) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.sid, param('sid')), eq(sessions.orgCode, param('orgCode'))))
    .prepare(),
);

interface SessionKey {
  orgCode: string;
  sid: string;
}

/** Returns a session that hasn't been revoked, if its member and any approving device are active. */
const unendedSession = cachedRead(
  ({ orgCode, sid }: SessionKey) => `${orgCode} ${sid}`,
  (db, { orgCode, sid }): LiveSession | null => {
    const session = sessionBySid(db).get({ orgCode, sid });
    if (!session || session.revokedAt !== null) return null;
    const member = findMember(db, orgCode, session.suid);
    if (member?.accountStatus !== 'active') return null;
    if (session.zid !== null && findDevice(db, orgCode, session.zid)?.status !== 'active') return null;
    const role = findRole(db, orgCode, member.roleCode);
    const organisation = findOrganisation(db, orgCode);
    if (!role || !organisation) return null;
    return {
      sid,
      zid: session.zid ?? '',
      mode: session.mode,
      expiresAt: session.expiresAt,
      member,
      roleName: role.name,
      permissions: role.permissions,
      allowReporteeSearch: organisation.allowReporteeSearch,
      allowedIps: organisation.allowedIps,
    };
  },
);

/** Finds a session that is neither revoked nor expired and whose member and device are active. */
export function findLiveSession(db: Tx, orgCode: string, sid: string, now: number): LiveSession | undefined {
  const session = unendedSession(db, { orgCode, sid });
  return session && session.expiresAt > now ? session : undefined;
}

const insertion = drizzleStatement((db) =>
  db
    .insert(sessions)
    .values({
      sid: param('sid'),
      orgCode: param('orgCode'),
      suid: param('suid'),
      zid: param('zid'),
      mode: param('mode'),
      userAgent: param('userAgent'),
      ip: param('ip'),
      createdAt: param('createdAt'),
      expiresAt: param('expiresAt'),
      externalIdentityId: param('externalIdentityId'),
      browser: param('browser'),
    } satisfies Record<keyof Omit<typeof sessions.$inferSelect, 'revokedAt' | 'lastUsedAt'>, Placeholder>)
    .prepare(),
);

/** Adds a session with the hash of its first refresh token. */
export function insertSession(
  tx: Tx,
  session: Omit<typeof sessions.$inferSelect, 'revokedAt' | 'lastUsedAt' | 'externalIdentityId' | 'browser'> & {
    externalIdentityId?: string | undefined;
    browser?: string | undefined;
  },
  refreshHash: string,
): void {
  insertion(tx).run({
    ...session,
    externalIdentityId: session.externalIdentityId ?? null,
    browser: session.browser ?? null,
  });
  insertRefreshToken(tx, { hash: refreshHash, sid: session.sid, createdAt: session.createdAt });
}

const tokenInsertion = drizzleStatement((db) =>
  db
    .insert(refreshTokens)
    .values({ hash: param('hash'), sid: param('sid'), createdAt: param('createdAt') })
    .prepare(),
);

/** Stores the hash of a session's next refresh token. */
export function insertRefreshToken(tx: Tx, token: Omit<typeof refreshTokens.$inferInsert, 'usedAt'>): void {
  tokenInsertion(tx).run({ ...token });
}

const tokenClaim = drizzleStatement((db) =>
  db
    .update(refreshTokens)
    .set({ usedAt: sql`${param('now')}` })
    .where(and(eq(refreshTokens.hash, param('hash')), isNull(refreshTokens.usedAt)))
    .prepare(),
);

/** Claims a refresh token. Returns false if it has already been used. */
export function claimRefreshToken(tx: Tx, hash: string, now: number): boolean {
  return tokenClaim(tx).run({ hash, now }).changes === 1;
}

const tokenByHash = drizzleStatement((db) =>
  db
    .select({
      sid: refreshTokens.sid,
      usedAt: refreshTokens.usedAt,
      orgCode: sessions.orgCode,
      suid: sessions.suid,
    })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.sid, refreshTokens.sid))
    .where(eq(refreshTokens.hash, param('hash')))
    .prepare(),
);

const use = drizzleStatement((db) =>
  db
    .update(sessions)
    .set({ lastUsedAt: sql`${param('now')}` })
    .where(eq(sessions.sid, param('sid')))
    .prepare(),
);

/** Records that a session is in use. Called only on token renewal, which keeps reads free of writes. */
export function touchSession(tx: Tx, sid: string, now: number): void {
  use(tx).run({ sid, now });
}

/** Finds a refresh token together with its session's organisation and member, regardless of status. */
export function findRefreshToken(tx: Tx, hash: string) {
  return tokenByHash(tx).get({ hash });
}

/** Selects which sessions to revoke. */
export type SessionFilter =
  | { sid: string }
  | { suid: string }
  | { zid: string }
  | { externalIdentityId: string }
  | { inBrowser: BrowserSignIns };

/**
 * Revokes open sessions with their refresh tokens and returns their IDs. Revoking all sessions of a member or device
 * also ends their application sign-ins and forgets their remembered browsers. Otherwise, a browser paused with its
 * device would sign in again once the device is enabled.
 */
export function revokeSessions(tx: Tx, orgCode: string, whose: SessionFilter, now: number): string[] {
  if ('suid' in whose || 'zid' in whose) {
    endAppSignIns(tx, orgCode, whose, now);
    revokeBrowsers(tx, orgCode, whose, now);
  }
  return tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.orgCode, orgCode), isNull(sessions.revokedAt), ownership(whose)))
    .returning({ sid: sessions.sid })
    .all()
    .map(({ sid }) => sid);
}

function ownership(whose: SessionFilter): SQL {
  if ('sid' in whose) return eq(sessions.sid, whose.sid);
  if ('suid' in whose) return eq(sessions.suid, whose.suid);
  if ('externalIdentityId' in whose) return eq(sessions.externalIdentityId, whose.externalIdentityId);
  if ('inBrowser' in whose) return ofBrowser(whose.inBrowser);
  return eq(sessions.zid, whose.zid);
}

const ofBrowser = ({ browser, suid }: BrowserSignIns): SQL =>
  sql`${sessions.browser} = ${browser} AND ${sessions.suid} = ${suid}`;

/** Finds the browser recorded for a session. */
export function findSessionBrowser(tx: Tx, orgCode: string, sid: string): string | undefined {
  const found = tx
    .select({ browser: sessions.browser })
    .from(sessions)
    .where(and(eq(sessions.sid, sid), eq(sessions.orgCode, orgCode)))
    .get();
  return found?.browser ?? undefined;
}

/** Returns true if the member is signed in to the portal in this browser. */
export function isSignedInOnBrowser(tx: Tx, where: BrowserSignIns): boolean {
  const found = tx
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(and(ofBrowser(where), eq(sessions.orgCode, where.orgCode), isNull(sessions.revokedAt)))
    .limit(1)
    .get();
  return found !== undefined;
}

/**
 * Sets the expiry of an organisation's open sessions to `lifetime` milliseconds after they started, and returns the
 * IDs of the sessions whose expiry changed.
 */
export function changeSessionLifetime(tx: Tx, orgCode: string, lifetime: number, now: number): string[] {
  const end = sql<number>`${sessions.createdAt} + ${lifetime}`;
  return tx
    .update(sessions)
    .set({ expiresAt: end })
    .where(
      and(
        gt(sessions.expiresAt, now),
        eq(sessions.orgCode, orgCode),
        isNull(sessions.revokedAt),
        ne(sessions.expiresAt, end),
      ),
    )
    .returning({ sid: sessions.sid })
    .all()
    .map(({ sid }) => sid);
}

/** Deletes sessions that expired before `before`, across all organisations. */
export function pruneSessions(db: Tx, before: number): void {
  const expired = db.select({ sid: sessions.sid }).from(sessions).where(lt(sessions.expiresAt, before));
  db.transaction((tx) => {
    tx.delete(refreshTokens).where(inArray(refreshTokens.sid, expired)).run();
    tx.delete(sessions).where(lt(sessions.expiresAt, before)).run();
  });
}
