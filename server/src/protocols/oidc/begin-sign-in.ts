import type { Interaction, KoaContextWithOIDC } from 'oidc-provider';
import { appLoginCookie } from '../../core/sign-in/app-login-cookie.ts';
import { beginAppLogin } from '../../core/sign-in/begin-app-login.ts';
import type { Deps } from '../../deps.ts';
import { asksForStepUp } from './acr.ts';
import { continuePath } from './continue-path.ts';

/** The library's reasons by which a client wants the person there now. */
const ANEW = ['login_prompt', 'max_age'];

/** What a client may hint at: an e-mail address has at most 254 characters. */
const HINT_MAX_LENGTH = 254;

/**
 * Begins the portal's sign-in for an authorization request (decision 110), and keeps its secret in the browser.
 * @param uid of the library's interaction, which goes on with it. @param prompt why somebody has to sign in
 * @returns the address of the sign-in page
 */
export function beginSignIn(
  deps: Deps,
  orgCode: string,
  ctx: KoaContextWithOIDC,
  { uid, prompt }: Pick<Interaction, 'uid' | 'prompt'>,
): string {
  const { client, params } = ctx.oidc;
  if (!client) throw new Error('Somebody is to sign in to no application.');
  const { login_hint: hint, acr_values: acrValues } = params ?? {};
  const begun = beginAppLogin(deps, {
    id: uid,
    orgCode,
    appId: client.clientId,
    protocol: 'oidc',
    request: '',
    loginHint: typeof hint === 'string' ? hint.trim().slice(0, HINT_MAX_LENGTH) : '',
    // A browser that is remembered signs nobody in anew: step-up is what it cannot do.
    needsStepUp: asksForStepUp(acrValues) || prompt.reasons.some((reason) => ANEW.includes(reason)),
  });
  ctx.append('set-cookie', appLoginCookie(deps, begun, continuePath(orgCode)));
  return begun.path;
}
