import { hash } from 'node:crypto';
import { HOUR } from '@orchestrate/shared';
import { and, eq, inArray, isNull, lt, or, type Placeholder, sql } from '#drizzle';
import { withoutInvalidating } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { oidcModels } from '../../schema/oidc.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { queueOidcLogout, queueSamlLogout } from '../sign-in/logout-notices.ts';

export type OidcModelRow = typeof oidcModels.$inferSelect;
/** Key of a model. It includes the organisation, so a lookup never finds another organisation's model. */
export type OidcModelKey = Pick<OidcModelRow, 'orgCode' | 'model' | 'idHash'>;

const param = sql.placeholder;
const byKey = and(
  eq(oidcModels.idHash, param('idHash')),
  eq(oidcModels.model, param('model')),
  eq(oidcModels.orgCode, param('orgCode')),
);

const COLUMNS = {
  payload: param('payload'),
  grantId: param('grantId'),
  uid: param('uid'),
  clientId: param('clientId'),
  suid: param('suid'),
  zid: param('zid'),
  expiresAt: param('expiresAt'),
  browser: param('browser'),
} satisfies Record<Exclude<keyof OidcModelRow, keyof OidcModelKey | 'consumedAt'>, Placeholder>;

const put = drizzleStatement((db) =>
  db
    .insert(oidcModels)
    .values({ idHash: param('idHash'), model: param('model'), orgCode: param('orgCode'), ...COLUMNS })
    .onConflictDoUpdate({
      target: [oidcModels.idHash, oidcModels.model, oidcModels.orgCode],
      set: {
        payload: sql`excluded.payload`,
        grantId: sql`excluded."grantId"`,
        uid: sql`excluded.uid`,
        clientId: sql`excluded."clientId"`,
        suid: sql`excluded.suid`,
        zid: sql`excluded.zid`,
        expiresAt: sql`excluded."expiresAt"`,
        browser: sql`excluded.browser`,
      },
      // The library saves sessions on every request, even without changes. Skip a write that would only extend the
      // expiry by `slack` or less.
      setWhere: sql`${oidcModels.payload} <> excluded.payload OR excluded."expiresAt" - ${oidcModels.expiresAt} NOT BETWEEN 0 AND ${param('slack')}`,
    })
    .prepare(),
);

/**
 * Adds or updates a model. A consumed model stays consumed.
 * @param slack how far the stored expiry may lag behind if nothing else has changed, in milliseconds
 */
export function putOidcModel(tx: Tx, row: Omit<OidcModelRow, 'consumedAt'>, slack = 0): void {
  withoutInvalidating(tx, put(tx).run({ ...row, slack }));
}

const claim = drizzleStatement((db) =>
  db
    .insert(oidcModels)
    .values({ idHash: param('idHash'), model: param('model'), orgCode: param('orgCode'), ...COLUMNS })
    .onConflictDoUpdate({
      target: [oidcModels.idHash, oidcModels.model, oidcModels.orgCode],
      set: { expiresAt: sql`excluded."expiresAt"` },
      setWhere: sql`${oidcModels.expiresAt} <= ${param('now')}`,
    })
    .prepare(),
);

/** Adds a model unless an unexpired model with the same key exists. Returns false if it exists. */
export function claimOidcModel(tx: Tx, row: Omit<OidcModelRow, 'consumedAt'>, now: number): boolean {
  return withoutInvalidating(tx, claim(tx).run({ ...row, now })).changes === 1;
}

const find = drizzleStatement((db) => db.select().from(oidcModels).where(byKey).prepare());

/** Finds a model, even if it has been consumed or has expired. */
export function findOidcModel(tx: Tx, key: OidcModelKey): OidcModelRow | undefined {
  return find(tx).get(key);
}

const findUid = drizzleStatement((db) =>
  db
    .select()
    .from(oidcModels)
    .where(
      and(
        eq(oidcModels.uid, param('uid')),
        eq(oidcModels.orgCode, param('orgCode')),
        eq(oidcModels.model, param('model')),
      ),
    )
    .prepare(),
);

/** Finds a model by its `uid`, even if it has been consumed or has expired. */
export function findOidcModelByUid(
  tx: Tx,
  key: Pick<OidcModelRow, 'orgCode' | 'model'> & { uid: string },
): OidcModelRow | undefined {
  return findUid(tx).get(key);
}

/** Finds a user's session in a browser. */
export function findOidcSessionByBrowser(
  tx: Tx,
  { orgCode, browser, suid }: { orgCode: string; browser: string; suid: string },
): OidcModelRow | undefined {
  return tx
    .select()
    .from(oidcModels)
    .where(
      and(
        eq(oidcModels.browser, browser),
        eq(oidcModels.orgCode, orgCode),
        eq(oidcModels.model, 'Session'),
        eq(oidcModels.suid, suid),
      ),
    )
    .get();
}

const use = drizzleStatement((db) =>
  db
    .update(oidcModels)
    .set({ consumedAt: sql`${param('now')}` })
    .where(and(byKey, isNull(oidcModels.consumedAt)))
    .prepare(),
);

/** Consumes a single-use model. Returns false if it has already been consumed or deleted. */
export function consumeOidcModel(tx: Tx, key: OidcModelKey, now: number): boolean {
  return withoutInvalidating(tx, use(tx).run({ ...key, now })).changes === 1;
}

const bind = drizzleStatement((db) =>
  db
    .update(oidcModels)
    .set({ browser: sql`${param('browser')}` })
    .where(and(byKey, isNull(oidcModels.browser)))
    .prepare(),
);

/** Binds a model to the first browser that sends it. */
export function bindOidcModel(tx: Tx, key: OidcModelKey, browser: string): void {
  withoutInvalidating(tx, bind(tx).run({ ...key, browser }));
}

const remove = drizzleStatement((db) => db.delete(oidcModels).where(byKey).prepare());

export function deleteOidcModel(tx: Tx, key: OidcModelKey): void {
  withoutInvalidating(tx, remove(tx).run(key));
}

/** Deletes a grant's codes and tokens, and the tokens that other applications got in exchange for them. */
export function deleteOidcModelsOfGrant(tx: Tx, orgCode: string, grantId: string): void {
  const deleted = tx
    .delete(oidcModels)
    .where(and(eq(oidcModels.grantId, grantId), eq(oidcModels.orgCode, orgCode)))
    .returning({ model: oidcModels.model, uid: oidcModels.uid })
    .all();
  const signIns = deleted.flatMap(({ model, uid }) => (uid !== null && TOKENS.includes(model) ? [uid] : []));
  for (const uid of new Set(signIns)) deleteOidcTokens(tx, orgCode, uid);
}

const TOKENS = ['AccessToken', 'RefreshToken'];

/** Deletes the tokens of a sign-in, found by its `uid`, including those that other applications got in exchange. */
export function deleteOidcTokens(tx: Tx, orgCode: string, uid: string): void {
  tx.delete(oidcModels)
    .where(and(eq(oidcModels.uid, uid), eq(oidcModels.orgCode, orgCode), inArray(oidcModels.model, TOKENS)))
    .run();
}

/** An application to which the user signed in during a provider session. */
export interface SessionApp {
  appId: string;
  /** Session ID issued to this application. */
  sid: string;
  grantId: string | undefined;
  /** True if the application's tokens survive a logout (OpenID Connect Core 1.0 §11). */
  persistsLogout: boolean;
}

/**
 * Returns a session's applications.
 * @param session payload as stored by the library
 */
export function appsOfSession(session: object): SessionApp[] {
  const authorizations: Record<string, { sid?: string; grantId?: string; persistsLogout?: boolean }> =
    Reflect.get(session, 'authorizations') ?? {};
  return Object.entries(authorizations).map(([appId, { sid = '', grantId, persistsLogout = false }]) => ({
    appId,
    sid,
    grantId,
    persistsLogout,
  }));
}

/**
 * Ends the application sign-ins of a member, or of one of their devices, and queues logout notices for the
 * applications. Deletes the OpenID provider's sessions and grants, so codes and tokens stop working.
 */
export function endAppSignIns(tx: Tx, orgCode: string, whose: { suid: string } | { zid: string }, now: number): void {
  const ownership = 'suid' in whose ? eq(oidcModels.suid, whose.suid) : eq(oidcModels.zid, whose.zid);
  const ended = tx
    .delete(oidcModels)
    .where(and(ownership, eq(oidcModels.orgCode, orgCode)))
    .returning()
    .all();
  for (const { model, suid, payload } of ended)
    if (model === 'Session' && suid !== null) queueOidcLogout(tx, { orgCode, suid }, appsOfSession(payload), now);
  const grants = ended.filter(({ model }) => model === 'Grant');
  for (const suid of new Set(grants.flatMap((grant) => grant.suid ?? []))) {
    // The member may have used another device to sign in to other applications in these sessions, so remove only the
    // applications of the deleted grants.
    for (const { session, lost } of sessionsWithGrants(tx, { orgCode, suid }, grants)) {
      queueOidcLogout(tx, { orgCode, suid }, lost, now);
      putOidcModel(tx, withoutApps(session, lost));
    }
  }
  queueSamlLogout(tx, orgCode, whose, now);
}

/** Returns a member's sessions that contain applications with one of these grants, together with those applications. */
export function sessionsWithGrants(
  tx: Tx,
  { orgCode, suid }: { orgCode: string; suid: string },
  grants: readonly Pick<OidcModelRow, 'idHash'>[],
): { session: OidcModelRow; lost: SessionApp[] }[] {
  const hashes = new Set(grants.map(({ idHash }) => idHash));
  return tx
    .select()
    .from(oidcModels)
    .where(and(eq(oidcModels.suid, suid), eq(oidcModels.orgCode, orgCode), eq(oidcModels.model, 'Session')))
    .all()
    .flatMap((session) => {
      const isLost = ({ grantId }: SessionApp) =>
        grantId !== undefined && hashes.has(hash('sha256', grantId, 'base64url'));
      const lost = appsOfSession(session.payload).filter(isLost);
      return lost.length > 0 ? [{ session, lost }] : [];
    });
}

/** Returns a copy of the session without these applications. */
export function withoutApps(session: OidcModelRow, apps: readonly SessionApp[]): OidcModelRow {
  const gone = new Set(apps.map(({ appId }) => appId));
  const authorizations = Object.entries(Object(session.payload.authorizations)).filter(([appId]) => !gone.has(appId));
  return { ...session, payload: { ...session.payload, authorizations: Object.fromEntries(authorizations) } };
}

/** Deletes every organisation's models that expired before `before`. */
export function pruneOidcModels(tx: Tx, before: number): void {
  tx.delete(oidcModels).where(lt(oidcModels.expiresAt, before)).run();
}

/** Request models. Anyone can create them, and nothing reads them after they expire. */
const REQUESTS = ['Interaction', 'PushedAuthorizationRequest'];

/** How long devices that are still polling get `expired_token` (RFC 8628 §3.5), in milliseconds. */
const DEVICE_CODES_KEPT_MS = HOUR;

/** Deletes expired requests, and device codes that expired more than an hour ago. */
export function pruneOidcRequests(tx: Tx, now: number): void {
  const { model, expiresAt } = oidcModels;
  const isRequest = and(inArray(model, REQUESTS), lt(expiresAt, now));
  const isDeviceCode = and(eq(model, 'DeviceCode'), lt(expiresAt, now - DEVICE_CODES_KEPT_MS));
  tx.delete(oidcModels).where(or(isRequest, isDeviceCode)).run();
}
