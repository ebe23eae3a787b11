import { type logoutRepo, oidcApplicationRepo, oidcModelRepo } from '@orchestrate/db';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { beginLogout, isAlone, tellOidcLater } from '#core/sign-in/logouts.ts';
import type { Deps } from '#deps.ts';
import { oidcAddresses, oidcPath } from '#platform/own-addresses.ts';

type Participant = logoutRepo.LogoutParticipant;

/** @param states what the back channel has done, by application */
export function participantsOf(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  signedIn: readonly { appId: string; sid: string }[],
  states: ReadonlyMap<string, Participant['state'] | undefined>,
): Participant[] {
  const { issuer } = oidcAddresses(publicUrl, orgCode);
  return signedIn.flatMap(({ appId, sid }): Participant[] => {
    const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
    if (!application) return [];
    const { name, frontchannelLogoutUri } = application;
    const state = states.get(appId);
    // Who is told by us needs no page besides; a failure is made good by the page.
    if (frontchannelLogoutUri === null || state === 'done') return [{ appId, name, state: state ?? 'done' }];
    const page = new URL(frontchannelLogoutUri);
    page.searchParams.set('iss', issuer);
    page.searchParams.set('sid', sid);
    return [{ appId, name, state: 'told', page: page.href }];
  });
}

/**
 * Lets a logout that an application has begun go on to everything else that the browser is signed in to, before it goes
 * back to the application.
 */
export function resumeLogout(deps: Deps, orgCode: string, provider: Provider): void {
  /** What the library's own back channel has done, by request. */
  const told = new WeakMap<KoaContextWithOIDC['oidc'], Map<string, Participant['state']>>();
  const note = ({ oidc }: KoaContextWithOIDC, appId: string, state: Participant['state']) =>
    told.set(oidc, (told.get(oidc) ?? new Map()).set(appId, state));
  provider.on('backchannel.success', (ctx, { clientId }) => note(ctx, clientId, 'done'));
  provider.on('backchannel.error', (ctx, _reason, { clientId: appId }, suid, sid) => {
    note(ctx, appId, 'failed');
    tellOidcLater(deps, { orgCode, suid }, { appId, sid });
  });

  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    const { oidc } = ctx;
    if (ctx.status !== 303 || oidc?.route !== 'end_session_confirm') return;
    const { session } = oidc;
    const [suid, to] = [session?.accountId, ctx.response.get('location')];
    const browser: unknown = session && Reflect.get(session, 'browser');
    if (!session || suid === undefined || typeof browser !== 'string' || !Reflect.get(session, 'destroyed')) return;
    // Somebody else signs in: that ends the session of the one before, and then goes on.
    if (new URL(to, provider.issuer).pathname.startsWith(`${oidcPath(orgCode)}/auth/`)) return;
    const where = { orgCode, browser, suid };
    const apps = oidcModelRepo.appsOfSession(session);
    const participants = participantsOf(deps, orgCode, apps, told.get(oidc) ?? new Map());
    const begunBy = oidc.client?.clientId ?? '-';
    if (participants.every(({ state }) => state === 'done') && isAlone(deps, where, begunBy)) return;
    const isOwn = to.startsWith(`${provider.issuer}/session/end/success`);
    const goesTo = isOwn ? ({ kind: 'none' } as const) : ({ kind: 'redirect', to } as const);
    const startedBy = browserOf(deps, ctx.req.headers.cookie);
    ctx.redirect(beginLogout(deps, { ...where, startedBy, begunBy, goesTo, participants }));
  });
}
