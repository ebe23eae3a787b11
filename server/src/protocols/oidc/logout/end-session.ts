import type { logoutRepo } from '@orchestrate/db';
import { closeOidcSession } from '#core/sign-in/close-oidc-session.ts';
import { tellOidcLater } from '#core/sign-in/logouts.ts';
import type { Deps } from '#deps.ts';
import { createProviders } from '../provider/providers.ts';
import { participantsOf } from './resume-logout.ts';

type Participant = logoutRepo.LogoutParticipant;

/** Ends the session of a browser as the library would, and tells its applications. @returns what became of each */
export async function endOidcSession(deps: Deps, where: logoutRepo.InBrowser): Promise<Participant[]> {
  const { orgCode, suid } = where;
  const apps = deps.db.transaction((tx) => closeOidcSession(tx, where));
  const told = apps.map(async ({ appId, sid }) => {
    const state = await tellByBackChannel(deps, { orgCode, appId, suid, sid });
    if (state === 'failed') tellOidcLater(deps, where, { appId, sid });
    return [appId, state] as const;
  });
  return participantsOf(deps, orgCode, apps, new Map(await Promise.all(told)));
}

/**
 * Tells an application's server that somebody has signed out (OpenID Connect Back-Channel Logout 1.0 §2.5), once.
 * @returns undefined where the application has no address for it
 */
export async function tellByBackChannel(
  deps: Deps,
  { orgCode, appId, suid, sid }: { orgCode: string; appId: string; suid: string; sid: string },
): Promise<'done' | 'failed' | undefined> {
  try {
    const client = await (await createProviders(deps).providerOf(orgCode))?.provider.Client.find(appId);
    if (!client?.backchannelLogoutUri) return undefined;
    // The library has it, and its types do not.
    const tell: unknown = Reflect.get(client, 'backchannelLogout');
    if (typeof tell !== 'function') return 'failed';
    await Reflect.apply(tell, client, [suid, sid]);
    return 'done';
  } catch (reason) {
    deps.log.warn({ appId, reason: String(reason) }, 'an application could not be told of a logout');
    return 'failed';
  }
}
