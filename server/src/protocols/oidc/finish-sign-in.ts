import { browserRepo, deviceRepo } from '@orchestrate/db';
import type { LoginMode } from '@orchestrate/shared';
import { decodeJwt } from 'jose/jwt/decode';
import type { InteractionResults, Provider } from 'oidc-provider';
import { findActiveMember } from '../../core/sign-in/active-member.ts';
import { claimAppLogin } from '../../core/sign-in/app-logins/begin-app-login.ts';
import type { Deps } from '../../deps.ts';
import { askedOfIdToken, STEP_UP } from './acr.ts';
import { timeForLibrary } from './portal-time.ts';
import { rememberedFor, SELECT_ACCOUNT } from './sign-in-policy.ts';

type SignedIn = NonNullable<ReturnType<typeof claimAppLogin>>;

/**
 * Continues an authorization request once somebody has signed in for it.
 * @returns the path that continues; undefined if nobody has signed in, it is too late, or another browser began
 */
export async function finishSignIn(
  deps: Deps,
  provider: Provider,
  { orgCode, id, browserSecret }: { orgCode: string; id: string; browserSecret: string },
): Promise<string | undefined> {
  const signedIn = claimAppLogin(deps, orgCode, { id, browserSecret });
  const interaction = signedIn?.protocol === 'oidc' ? await provider.Interaction.find(id) : undefined;
  if (!signedIn || !interaction) return undefined;
  // Since they approved, they may have been disabled, or their device paused or lost.
  if (!findActiveMember(deps.db, orgCode, signedIn.suid)) return undefined;
  if (deviceRepo.findDevice(deps.db, orgCode, signedIn.zid)?.status !== 'active') return undefined;
  interaction.result = isExpected(interaction.params, signedIn)
    ? { login: loginOf(deps, signedIn), [SELECT_ACCOUNT]: {} }
    : { error: 'login_required', error_description: 'somebody else has signed in than the request names' };
  await interaction.persist();
  // Without the origin: the browser stays at whichever name it reached the portal by.
  return new URL(interaction.returnTo).pathname;
}

/**
 * A request that names somebody by an `id_token_hint` or the claim `sub` lets in nobody else (OpenID Connect Core 1.0
 * §3.1.2.2, §5.5.1).
 */
function isExpected(params: Record<string, unknown>, { suid }: SignedIn): boolean {
  const { id_token_hint: hint } = params;
  // The library has checked whose token it is.
  const hinted = typeof hint === 'string' ? decodeJwt(hint).sub : suid;
  return hinted === suid && (askedOfIdToken(params)?.sub?.value ?? suid) === suid;
}

function loginOf(deps: Deps, signedIn: SignedIn): InteractionResults['login'] {
  const { orgCode, appId, suid, zid, mode } = signedIn;
  // A push always shows a number (decision 090), and a passkey verifies its owner in this browser (decision 130); a
  // remembered browser does neither.
  const isStepUp = mode !== 'COOKIE' && (signedIn.needsStepUp || mode === 'PUSH' || mode === 'WEBAUTHN');
  return {
    accountId: suid,
    zid,
    browser: signedIn.browser,
    ts: timeForLibrary(deps.clock, authenticatedWhen(deps, signedIn)),
    amr: amrOf(mode, isStepUp),
    remember: rememberedFor(deps, orgCode, appId) > 0,
    ...(isStepUp && { acr: STEP_UP }),
  };
}

/**
 * When the person was last known to be there. A remembered browser proves nothing about today; if there are several for
 * the same device, the oldest counts.
 */
function authenticatedWhen({ db }: Deps, { orgCode, suid, zid, mode, authenticatedAt }: SignedIn): number {
  if (mode !== 'COOKIE') return authenticatedAt;
  const remembered = browserRepo.listBrowsers(db, orgCode, suid).filter((browser) => browser.zid === zid);
  return Math.min(authenticatedAt, ...remembered.map(({ createdAt }) => createdAt));
}

/** RFC 8176 §2: the key of a device; several factors if the person also proved to be at the browser. */
function amrOf(mode: LoginMode, isStepUp: boolean): string[] {
  if (mode === 'COOKIE') return [];
  return isStepUp ? ['hwk', 'mfa'] : ['hwk'];
}
