import { type logoutRepo, oidcApplicationRepo, oidcModelRepo } from '@orchestrate/db';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { beginLogout, endsNoOtherSignIn, notifyOidcLater } from '#core/sign-in/logouts.ts';
import type { Deps } from '#deps.ts';
import { oidcAddresses, oidcPath } from '#platform/own-addresses.ts';
import { signInDetailsOf } from '../overrides/store-sign-in-details.ts';

type Participant = logoutRepo.LogoutParticipant;

/** Results of the library's back-channel logout, by application. */
type States = Map<string, Participant['state'] | undefined>;

/**
 * Extends a logout that an application started to everything else the browser is signed in to, before the browser
 * returns to the application.
 */
export function resumeLogout(deps: Deps, orgCode: string, provider: Provider): void {
  const statesOf = ({ state }: KoaContextWithOIDC): States => (state.backchannel ??= new Map());
  provider.on('backchannel.success', (ctx, { clientId }) => void statesOf(ctx).set(clientId, 'done'));
  provider.on('backchannel.error', (ctx, _reason, { clientId: appId }, suid, sid) => {
    statesOf(ctx).set(appId, 'failed');
    notifyOidcLater(deps, { orgCode, suid }, { appId, sid });
  });

  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    const { oidc } = ctx;
    if (ctx.status !== 303 || oidc?.route !== 'end_session_confirm') return;
    const { session, params } = oidc;
    const [suid, to] = [session?.accountId, ctx.response.get('location')];
    const browser = session && signInDetailsOf(session).browser;
    // No one is signed in, or the user chose to stay signed in.
    if (!session || suid === undefined || browser === undefined || !params?.logout) return;
    // Another user is signing in. That ends only the previous user's session, so continue the sign-in without
    // extending the logout.
    if (new URL(to, provider.issuer).pathname.startsWith(`${oidcPath(orgCode)}/auth/`)) return;
    const where = { orgCode, browser, suid };
    const apps = oidcModelRepo.appsOfSession(session);
    const participants = participantsOf(deps, orgCode, apps, statesOf(ctx));
    const begunBy = oidc.client?.clientId ?? '-';
    if (participants.every(({ state }) => state === 'done') && endsNoOtherSignIn(deps, where, begunBy)) return;
    const isOwn = to.startsWith(`${provider.issuer}/session/end/success`);
    const goesTo = isOwn ? ({ kind: 'none' } as const) : ({ kind: 'redirect', to } as const);
    const startedBy = browserOf(deps, ctx.req.headers.cookie);
    ctx.redirect(beginLogout(deps, { ...where, startedBy, begunBy, goesTo, participants }));
  });
}

/** Returns a logout's participants. @param states results of the back-channel logout, by application */
export function participantsOf(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  signedIn: readonly { appId: string; sid: string }[],
  states: Readonly<States>,
): Participant[] {
  const { issuer } = oidcAddresses(publicUrl, orgCode);
  return signedIn.flatMap(({ appId, sid }): Participant[] => {
    const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
    if (!application) return [];
    const { name, frontchannelLogoutUri } = application;
    const state = states.get(appId);
    // The browser must load a logout page only if the application's server wasn't notified.
    if (frontchannelLogoutUri === null || state === 'done') return [{ appId, name, state: state ?? 'done' }];
    const page = new URL(frontchannelLogoutUri);
    page.searchParams.set('iss', issuer);
    page.searchParams.set('sid', sid);
    return [{ appId, name, state: 'told', page: page.href }];
  });
}
