import { hash } from 'node:crypto';
import { HOUR } from '@orchestrate/shared';
import { and, eq, inArray, isNull, lt, or, type Placeholder, sql } from 'drizzle-orm';
import { withoutInvalidating } from '../../cached-read.ts';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { oidcModels } from '../../schema/oidc.ts';
import { noticeOidcLogout, noticeSamlLogout } from '../sign-in/logout-notices.ts';

export type OidcModelRow = typeof oidcModels.$inferSelect;
/** Which model; the organisation is part of the key, so those of other organisations are never found. */
export type OidcModelKey = Pick<OidcModelRow, 'orgCode' | 'model' | 'idHash'>;

const given = sql.placeholder;
const byKey = and(
  eq(oidcModels.idHash, given('idHash')),
  eq(oidcModels.model, given('model')),
  eq(oidcModels.orgCode, given('orgCode')),
);

const COLUMNS = {
  payload: given('payload'),
  grantId: given('grantId'),
  uid: given('uid'),
  clientId: given('clientId'),
  suid: given('suid'),
  zid: given('zid'),
  expiresAt: given('expiresAt'),
  browser: given('browser'),
} satisfies Record<Exclude<keyof OidcModelRow, keyof OidcModelKey | 'consumedAt'>, Placeholder>;

const put = drizzleStatement((db) =>
  db
    .insert(oidcModels)
    .values({ idHash: given('idHash'), model: given('model'), orgCode: given('orgCode'), ...COLUMNS })
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
      // A session is saved with every request, mostly unchanged: that should not cost a write.
      setWhere: sql`${oidcModels.payload} <> excluded.payload OR excluded."expiresAt" - ${oidcModels.expiresAt} NOT BETWEEN 0 AND ${given('slack')}`,
    })
    .prepare(),
);

/**
 * Writes a new or changed model; a model that has been used stays used.
 * @param slack how many milliseconds the stored expiry may lag behind the right one, where nothing else has changed
 */
export function putOidcModel(tx: Tx, row: Omit<OidcModelRow, 'consumedAt'>, slack = 0): void {
  withoutInvalidating(tx, put(tx).run({ ...row, slack }));
}

const claim = drizzleStatement((db) =>
  db
    .insert(oidcModels)
    .values({ idHash: given('idHash'), model: given('model'), orgCode: given('orgCode'), ...COLUMNS })
    .onConflictDoUpdate({
      target: [oidcModels.idHash, oidcModels.model, oidcModels.orgCode],
      set: { expiresAt: sql`excluded."expiresAt"` },
      setWhere: sql`${oidcModels.expiresAt} <= ${given('now')}`,
    })
    .prepare(),
);

/** Writes a model that nobody else may have written; false where one exists that has not expired. */
export function claimOidcModel(tx: Tx, row: Omit<OidcModelRow, 'consumedAt'>, now: number): boolean {
  return withoutInvalidating(tx, claim(tx).run({ ...row, now })).changes === 1;
}

const find = drizzleStatement((db) => db.select().from(oidcModels).where(byKey).prepare());

/** A model, even one that was used or has expired. */
export function findOidcModel(tx: Tx, key: OidcModelKey): OidcModelRow | undefined {
  return find(tx).get(key);
}

const findUid = drizzleStatement((db) =>
  db
    .select()
    .from(oidcModels)
    .where(
      and(
        eq(oidcModels.uid, given('uid')),
        eq(oidcModels.orgCode, given('orgCode')),
        eq(oidcModels.model, given('model')),
      ),
    )
    .prepare(),
);

/** A model by its `uid`, even one that was used or has expired. */
export function findOidcModelByUid(
  tx: Tx,
  key: Pick<OidcModelRow, 'orgCode' | 'model'> & { uid: string },
): OidcModelRow | undefined {
  return findUid(tx).get(key);
}

/** The session of a person in a browser. */
export function findOidcSessionOfBrowser(
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
    .set({ consumedAt: sql`${given('now')}` })
    .where(and(byKey, isNull(oidcModels.consumedAt)))
    .prepare(),
);

/** Uses up a single-use model; false where it has been used, or is gone. */
export function consumeOidcModel(tx: Tx, key: OidcModelKey, now: number): boolean {
  return withoutInvalidating(tx, use(tx).run({ ...key, now })).changes === 1;
}

const bind = drizzleStatement((db) =>
  db
    .update(oidcModels)
    .set({ browser: sql`${given('browser')}` })
    .where(and(byKey, isNull(oidcModels.browser)))
    .prepare(),
);

/** Binds a model to the first browser that brings it. */
export function bindOidcModel(tx: Tx, key: OidcModelKey, browser: string): void {
  withoutInvalidating(tx, bind(tx).run({ ...key, browser }));
}

const remove = drizzleStatement((db) => db.delete(oidcModels).where(byKey).prepare());

/** Deletes what the OpenID Connect provider has stored under this key. */
export function deleteOidcModel(tx: Tx, key: OidcModelKey): void {
  withoutInvalidating(tx, remove(tx).run(key));
}

/** Deletes the codes and tokens of a grant. */
export function deleteOidcModelsOfGrant(tx: Tx, orgCode: string, grantId: string): void {
  tx.delete(oidcModels)
    .where(and(eq(oidcModels.grantId, grantId), eq(oidcModels.orgCode, orgCode)))
    .run();
}

/** Deletes the tokens of a sign-in, which have its `uid`. */
export function deleteOidcTokens(tx: Tx, orgCode: string, uid: string): void {
  tx.delete(oidcModels)
    .where(
      and(
        eq(oidcModels.uid, uid),
        eq(oidcModels.orgCode, orgCode),
        inArray(oidcModels.model, ['AccessToken', 'RefreshToken']),
      ),
    )
    .run();
}

/** What a session at the provider says of an application that the person has signed in to by it. */
export interface AppOfSession {
  appId: string;
  /** The session as that application was told it. */
  sid: string;
  grantId: string | undefined;
  /** Its tokens live on after a logout (OpenID Connect Core 1.0 §11). */
  persistsLogout: boolean;
}

/** The applications of a session. @param session as the library writes it */
export function appsOfSession(session: object): AppOfSession[] {
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
 * Ends the sign-ins of a person, or of one of their devices, to applications: their sessions and grants at the OpenID
 * provider, without which no code or token works. The applications are told.
 */
export function endAppSignIns(tx: Tx, orgCode: string, whose: { suid: string } | { zid: string }, now: number): void {
  const ownership = 'suid' in whose ? eq(oidcModels.suid, whose.suid) : eq(oidcModels.zid, whose.zid);
  const ended = tx
    .delete(oidcModels)
    .where(and(ownership, eq(oidcModels.orgCode, orgCode)))
    .returning()
    .all();
  for (const { model, suid, payload } of ended)
    if (model === 'Session' && suid !== null) noticeOidcLogout(tx, { orgCode, suid }, appsOfSession(payload), now);
  const grants = ended.filter(({ model }) => model === 'Grant');
  for (const suid of new Set(grants.flatMap((grant) => grant.suid ?? []))) {
    // Another device has signed in to something else there since.
    for (const { session, lost } of sessionsWithGrants(tx, { orgCode, suid }, grants)) {
      noticeOidcLogout(tx, { orgCode, suid }, lost, now);
      putOidcModel(tx, withoutApps(session, lost));
    }
  }
  noticeSamlLogout(tx, orgCode, whose, now);
}

/** A person's sessions in which applications were signed in to by one of these grants, with those applications. */
export function sessionsWithGrants(
  tx: Tx,
  { orgCode, suid }: { orgCode: string; suid: string },
  grants: readonly Pick<OidcModelRow, 'idHash'>[],
): { session: OidcModelRow; lost: AppOfSession[] }[] {
  const hashes = new Set(grants.map(({ idHash }) => idHash));
  return tx
    .select()
    .from(oidcModels)
    .where(and(eq(oidcModels.suid, suid), eq(oidcModels.orgCode, orgCode), eq(oidcModels.model, 'Session')))
    .all()
    .flatMap((session) => {
      const isLost = ({ grantId }: AppOfSession) =>
        grantId !== undefined && hashes.has(hash('sha256', grantId, 'base64url'));
      const lost = appsOfSession(session.payload).filter(isLost);
      return lost.length > 0 ? [{ session, lost }] : [];
    });
}

/** The session without these applications. */
export function withoutApps(session: OidcModelRow, apps: readonly AppOfSession[]): OidcModelRow {
  const gone = new Set(apps.map(({ appId }) => appId));
  const authorizations = Object.entries(Object(session.payload.authorizations)).filter(([appId]) => !gone.has(appId));
  return { ...session, payload: { ...session.payload, authorizations: Object.fromEntries(authorizations) } };
}

/** Deletes those that expired before `before`, of every organisation. */
export function pruneOidcModels(tx: Tx, before: number): void {
  tx.delete(oidcModels).where(lt(oidcModels.expiresAt, before)).run();
}

/** Requests of browsers and clients: anyone can write them, and nothing reads them once they have expired. */
const REQUESTS = ['Interaction', 'PushedAuthorizationRequest'];

/** Devices that still poll get `expired_token` for this long (RFC 8628 §3.5). */
const DEVICE_CODES_KEPT_MS = HOUR;

/** Deletes requests that have expired, and device codes that expired a while ago. */
export function pruneOidcRequests(tx: Tx, now: number): void {
  const { model, expiresAt } = oidcModels;
  const isRequest = and(inArray(model, REQUESTS), lt(expiresAt, now));
  const isDeviceCode = and(eq(model, 'DeviceCode'), lt(expiresAt, now - DEVICE_CODES_KEPT_MS));
  tx.delete(oidcModels).where(or(isRequest, isDeviceCode)).run();
}
