import { and, desc, eq, gt, gte, isNotNull, isNull, ne, type SQL } from '#drizzle';
import type { Tx } from '../../database.ts';
import { applications } from '../../schema/applications.ts';
import { rememberedBrowsers } from '../../schema/browsers.ts';
import { devices } from '../../schema/devices.ts';
import { oidcModels } from '../../schema/oidc.ts';
import { loginHistory, sessions } from '../../schema/sessions.ts';
import {
  appsOfSession,
  deleteOidcModel,
  putOidcModel,
  sessionsWithGrants,
  withoutApps,
} from '../applications/oidc-models.ts';
import { queueOidcLogout } from './logout-notices.ts';

/** A session that has not ended, and the device that approved it; null if an external provider did. */
export interface SessionRow {
  session: typeof sessions.$inferSelect;
  deviceName: string | null;
}

/** Lists at most `count` of a member's sessions that have not ended, latest first. */
export function listSessions(
  tx: Tx,
  orgCode: string,
  suid: string,
  { now, count }: { now: number; count: number },
): SessionRow[] {
  return tx
    .select({ session: sessions, nickName: devices.nickName, name: devices.name })
    .from(sessions)
    .leftJoin(devices, eq(devices.zid, sessions.zid))
    .where(
      and(
        eq(sessions.suid, suid),
        eq(sessions.orgCode, orgCode),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.sid))
    .limit(count)
    .all()
    .map(({ session, nickName, name }) => ({ session, deviceName: nickName || name }));
}

/** A member's OpenID Connect sign-in to an application: one grant per member, application and device. */
export interface AppSessionRow {
  /** Hash of the grant ID. The hash identifies the grant but gives no access. */
  id: string;
  appName: string;
  deviceName: string | null;
  expiresAt: number;
}

/** Lists at most `count` of a member's valid application sign-ins. */
export function listAppSessions(
  tx: Tx,
  orgCode: string,
  suid: string,
  { now, count }: { now: number; count: number },
): AppSessionRow[] {
  return tx
    .select({
      id: oidcModels.idHash,
      appName: applications.name,
      nickName: devices.nickName,
      name: devices.name,
      expiresAt: oidcModels.expiresAt,
    })
    .from(oidcModels)
    .innerJoin(
      applications,
      and(eq(applications.orgCode, oidcModels.orgCode), eq(applications.appId, oidcModels.clientId)),
    )
    .leftJoin(devices, eq(devices.zid, oidcModels.zid))
    .where(
      and(
        eq(oidcModels.suid, suid),
        eq(oidcModels.orgCode, orgCode),
        eq(oidcModels.model, 'Grant'),
        gt(oidcModels.expiresAt, now),
      ),
    )
    .orderBy(desc(oidcModels.expiresAt), oidcModels.idHash)
    .limit(count)
    .all()
    .map(({ nickName, name, ...row }) => ({ ...row, deviceName: nickName || name }));
}

/**
 * Ends a sign-in to an application: deletes its grant, removes the application from the provider session and notifies
 * the application. The browser's next request then requires a new sign-in, for any application. The other
 * applications stay in the session, so a later logout still reaches them. Returns undefined if the sign-in doesn't
 * exist.
 */
export function endAppSession(
  tx: Tx,
  orgCode: string,
  { id, suid, now }: { id: string; suid: string; now: number },
): { appName: string } | undefined {
  const grant = tx
    .delete(oidcModels)
    .where(
      and(
        eq(oidcModels.idHash, id),
        eq(oidcModels.model, 'Grant'),
        eq(oidcModels.orgCode, orgCode),
        eq(oidcModels.suid, suid),
      ),
    )
    .returning({ appId: oidcModels.clientId })
    .get();
  if (!grant) return undefined;
  for (const { session, lost } of sessionsWithGrants(tx, { orgCode, suid }, [{ idHash: id }])) {
    queueOidcLogout(tx, { orgCode, suid }, lost, now);
    const { payload, ...others } = withoutApps(session, lost);
    // Make the sign-in older than any application allows, so the next request requires a new sign-in.
    if (appsOfSession(payload).length > 0) putOidcModel(tx, { ...others, payload: { ...payload, loginTs: 0 } });
    else deleteOidcModel(tx, session);
  }
  const application = tx
    .select({ name: applications.name })
    .from(applications)
    .where(and(eq(applications.orgCode, orgCode), eq(applications.appId, grant.appId ?? '')))
    .get();
  return { appName: application?.name ?? '' };
}

/** Finds one of the member's sessions, in any state. */
export function findOwnSession(tx: Tx, orgCode: string, { sid, suid }: { sid: string; suid: string }) {
  return tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.sid, sid), eq(sessions.orgCode, orgCode), eq(sessions.suid, suid)))
    .get();
}

interface OtherSessions {
  suid: string;
  exceptSid: string;
  now: number;
}

/** Ends all of a member's sessions except one, or the sessions that meet a condition. Returns their IDs. */
export function revokeOtherSessions(
  tx: Tx,
  orgCode: string,
  { suid, exceptSid, now }: OtherSessions,
  condition?: SQL,
): string[] {
  return tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.suid, suid),
        eq(sessions.orgCode, orgCode),
        isNull(sessions.revokedAt),
        ne(sessions.sid, exceptSid),
        condition,
      ),
    )
    .returning({ sid: sessions.sid })
    .all()
    .map(({ sid }) => sid);
}

/** Selects sign-ins since a given time with one device, or with an external provider if `zid` is null. */
export interface SignInsSince extends OtherSessions {
  zid: string | null;
  since: number;
}

/**
 * Ends the selected sessions and forgets browsers that were remembered or used since the same time.
 * @returns how many sessions ended and how many browsers were forgotten
 */
export function revokeSignInsSince(
  tx: Tx,
  orgCode: string,
  { suid, zid, since, exceptSid, now }: SignInsSince,
): { sessions: string[]; browsers: number } {
  const isByIt = zid === null ? isNull(sessions.zid) : eq(sessions.zid, zid);
  const ended = revokeOtherSessions(tx, orgCode, { suid, exceptSid, now }, and(gte(sessions.createdAt, since), isByIt));
  if (zid === null) return { sessions: ended, browsers: 0 };
  const browsers = tx
    .update(rememberedBrowsers)
    .set({ revokedAt: now })
    .where(
      and(
        eq(rememberedBrowsers.suid, suid),
        eq(rememberedBrowsers.orgCode, orgCode),
        eq(rememberedBrowsers.zid, zid),
        isNull(rememberedBrowsers.revokedAt),
        gte(rememberedBrowsers.lastUsedAt, since),
      ),
    )
    .run().changes;
  return { sessions: ended, browsers };
}

/**
 * Records that a member reports a sign-in as not theirs. Returns undefined if the record doesn't exist or isn't
 * theirs.
 */
export function disownSignIn(
  tx: Tx,
  orgCode: string,
  { id, suid, now }: { id: string; suid: string; now: number },
): { record: typeof loginHistory.$inferSelect; isNew: boolean } | undefined {
  const own = and(eq(loginHistory.id, id), eq(loginHistory.orgCode, orgCode), eq(loginHistory.suid, suid));
  const claimed = tx
    .update(loginHistory)
    .set({ disownedAt: now })
    .where(and(own, isNull(loginHistory.disownedAt)))
    .returning()
    .get();
  if (claimed) return { record: claimed, isNew: true };
  const record = tx
    .select()
    .from(loginHistory)
    .where(and(own, isNotNull(loginHistory.disownedAt)))
    .get();
  return record && { record, isNew: false };
}
