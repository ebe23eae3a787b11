import type { logoutRepo } from '@orchestrate/db';
import { closeOidcSession } from '#core/sign-in/close-oidc-session.ts';
import { notifyOidcLater } from '#core/sign-in/logouts.ts';
import type { Deps } from '#deps.ts';
import { sendLogoutToken } from '../overrides/send-logout-token.ts';
import { participantsOf } from './resume-logout.ts';

type Participant = logoutRepo.LogoutParticipant;

/**
 * Ends a browser's session as the library would, and notifies the session's applications. Returns the result for each
 * application.
 */
export async function endOidcSession(deps: Deps, where: logoutRepo.BrowserSignIns): Promise<Participant[]> {
  const { orgCode, suid } = where;
  const apps = deps.db.transaction((tx) => closeOidcSession(tx, where));
  const notified = apps.map(async ({ appId, sid }) => {
    const state = await notifyByBackchannel(deps, { orgCode, appId, suid, sid });
    if (state === 'failed') notifyOidcLater(deps, where, { appId, sid });
    return [appId, state] as const;
  });
  return participantsOf(deps, orgCode, apps, new Map(await Promise.all(notified)));
}

/**
 * Notifies an application's server once that a user has signed out (OpenID Connect Back-Channel Logout 1.0 §2.5).
 * @returns undefined if the application has no back-channel logout URL
 */
export async function notifyByBackchannel(
  deps: Deps,
  { orgCode, appId, suid, sid }: { orgCode: string; appId: string; suid: string; sid: string },
): Promise<'done' | 'failed' | undefined> {
  try {
    const serving = await (await deps.oidcProviders()).providerOf(orgCode);
    const client = await serving?.provider.Client.find(appId);
    if (!client?.backchannelLogoutUri) return undefined;
    await sendLogoutToken(client, suid, sid);
    return 'done';
  } catch (reason) {
    deps.log.warn({ appId, reason: String(reason) }, 'could not notify an application of a logout');
    return 'failed';
  }
}
