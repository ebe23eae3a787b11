import { browserRepo, deviceRepo } from '@orchestrate/db';
import type { LoginMode } from '@orchestrate/shared';
import { decodeJwt } from 'jose/jwt/decode';
import type { InteractionResults, Provider } from 'oidc-provider';
import {
  type AppLoginOfBrowser,
  claimAppLogin,
  hasStepUp,
  reportsStepUp,
} from '#core/sign-in/app-logins/begin-app-login.ts';
import { findActiveMember } from '#core/sign-in/find-member.ts';
import type { Deps } from '#deps.ts';
import { timeForLibrary } from '../provider/portal-time.ts';
import { essentialContexts, requestedOfIdToken, STEP_UP } from './acr.ts';
import { rememberedFor, SELECT_ACCOUNT } from './sign-in-policy.ts';

type SignedIn = NonNullable<ReturnType<typeof claimAppLogin>>;

/**
 * Finishes the sign-in for an authorization request.
 * @returns the path at which the browser continues; undefined if nobody has signed in, the request has expired, or it was
 * started in another browser
 */
export async function finishSignIn(
  deps: Deps,
  provider: Provider,
  { orgCode, ...login }: AppLoginOfBrowser & { orgCode: string },
): Promise<string | undefined> {
  const signedIn = claimAppLogin(deps, orgCode, login);
  const interaction = signedIn?.protocol === 'oidc' ? await provider.Interaction.find(login.id) : undefined;
  if (!signedIn || !interaction) return undefined;
  // The member may have been disabled since the approval, or the device paused or reported lost.
  if (!findActiveMember(deps.db, orgCode, signedIn.suid)) return undefined;
  const device = deviceRepo.findDevice(deps.db, orgCode, signedIn.zid);
  if (device?.status !== 'active') return undefined;
  interaction.result = resultOf(deps, interaction.params, signedIn, device);
  await interaction.persist();
  // Without the origin, so that the browser stays at the host under which it reached the portal.
  return new URL(interaction.returnTo).pathname;
}

function resultOf(
  deps: Deps,
  params: Record<string, unknown>,
  signedIn: SignedIn,
  device: deviceRepo.DeviceRow,
): InteractionResults {
  if (!isExpected(params, signedIn)) {
    return { error: 'login_required', error_description: 'a user other than the one in the request has signed in' };
  }
  const login = loginOf(deps, signedIn, device);
  if (login.acr !== STEP_UP && essentialContexts(params).length > 0) return UNMET;
  return { login, [SELECT_ACCOUNT]: {} };
}

/** OpenID Connect Core Unmet Authentication Requirements 1.0 §2. */
const UNMET = {
  error: 'unmet_authentication_requirements',
  error_description: 'the device is new and must be confirmed by an older one before it provides the essential acr',
};

/**
 * Returns whether a request allows this user: one that names a user by an `id_token_hint` or the claim `sub` allows
 * nobody else (OpenID Connect Core 1.0 §3.1.2.2, §5.5.1).
 */
function isExpected(params: Record<string, unknown>, { suid }: SignedIn): boolean {
  const { id_token_hint: hint } = params;
  // The library has verified the token.
  const hinted = typeof hint === 'string' ? decodeJwt(hint).sub : suid;
  return hinted === suid && (requestedOfIdToken(params)?.sub?.value ?? suid) === suid;
}

function loginOf(
  deps: Deps,
  signedIn: SignedIn,
  device: deviceRepo.DeviceRow,
): NonNullable<InteractionResults['login']> {
  const { orgCode, appId, suid, zid, mode } = signedIn;
  const isStepUp = reportsStepUp(signedIn, device, deps.clock.now());
  return {
    accountId: suid,
    zid,
    browser: signedIn.browser,
    hasStepUp: hasStepUp(signedIn),
    ts: timeForLibrary(deps.clock, authenticatedWhen(deps, signedIn)),
    amr: amrOf(mode, isStepUp),
    remember: rememberedFor(deps, orgCode, appId) > 0,
    ...(isStepUp && { acr: STEP_UP }),
  };
}

/**
 * Returns when the user last proved their presence, in milliseconds. A remembered browser proves nothing about today; if
 * there are several for the same device, the oldest counts.
 */
function authenticatedWhen({ db }: Deps, { orgCode, suid, zid, mode, authenticatedAt }: SignedIn): number {
  if (mode !== 'COOKIE') return authenticatedAt;
  const remembered = browserRepo.listBrowsers(db, orgCode, suid).filter((browser) => browser.zid === zid);
  return Math.min(authenticatedAt, ...remembered.map(({ createdAt }) => createdAt));
}

/** RFC 8176 §2: the key of a device; several factors if the user also proved to be at the browser. */
function amrOf(mode: LoginMode, isStepUp: boolean): string[] {
  if (mode === 'COOKIE') return [];
  return isStepUp ? ['hwk', 'mfa'] : ['hwk'];
}
