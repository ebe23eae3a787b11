import { memberRepo, oidcModelRepo } from '@orchestrate/db';
import type { Interaction, KoaContextWithOIDC } from 'oidc-provider';
import { startAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { isFromAnotherSite } from '#platform/http/callers/browser.ts';
import { idTokenClaimsRequest, requestsStepUp } from './acr.ts';
import { confirmPath } from './confirm-application.ts';
import { noAccessPath } from './refuse-access.ts';
import { CONFIRM_PROMPT, NO_ACCESS_PROMPT } from './sign-in-policy.ts';

/** The library's sign-in reasons that a remembered browser can't satisfy. */
const SIGN_IN_AGAIN = ['login_prompt', 'select_account_prompt', 'max_age'];

/** Maximum length of a login hint. An email address has at most 254 characters. */
const HINT_MAX_LENGTH = 254;

/**
 * Starts the portal's sign-in for an authorization request (decision 110), bound to this browser.
 * @param interaction `uid` is the ID for resuming the request; `prompt` is the reason for the sign-in
 * @returns the path of the sign-in page
 */
export function beginSignIn(
  deps: Deps,
  orgCode: string,
  ctx: KoaContextWithOIDC,
  { uid, prompt }: Pick<Interaction, 'uid' | 'prompt'>,
): string {
  const { client, params, entities } = ctx.oidc;
  const { browser, cookie } = identifyBrowser(deps, ctx.req.headers.cookie);
  ctx.append('set-cookie', cookie);
  const pushed = entities.PushedAuthorizationRequest?.jti;
  if (pushed !== undefined) {
    const key = { orgCode, model: 'PushedAuthorizationRequest', idHash: hashSecret(pushed) };
    oidcModelRepo.bindOidcModel(deps.db, key, browser);
  }
  if (prompt.name === NO_ACCESS_PROMPT) return noAccessPath(orgCode);
  if (prompt.name === CONFIRM_PROMPT) return confirmPath(orgCode);
  if (!client) throw new Error(`OpenID Connect interaction ${uid} has no client.`);
  const { login_hint: hint = hintedEmail(deps, orgCode, ctx) } = params ?? {};
  const { path } = startAppSignIn(deps, {
    id: uid,
    orgCode,
    appId: client.clientId,
    protocol: 'oidc',
    request: '',
    loginHint: typeof hint === 'string' ? hint.trim().slice(0, HINT_MAX_LENGTH) : '',
    // A remembered browser doesn't prove the user's presence and can't perform a step-up.
    needsStepUp: requestsStepUp(params ?? {}) || prompt.reasons.some((reason) => SIGN_IN_AGAIN.includes(reason)),
    browser,
    isFromAnotherSite: isFromAnotherSite(ctx.req.headers),
  });
  return path;
}

/** Returns the email of the member that the request identifies by ID. */
function hintedEmail({ db }: Deps, orgCode: string, { oidc }: KoaContextWithOIDC): string | undefined {
  const sub = oidc.entities.IdTokenHint?.payload.sub ?? idTokenClaimsRequest(oidc.params ?? {})?.sub?.value;
  return typeof sub === 'string' ? memberRepo.findMember(db, orgCode, sub)?.primaryEmail : undefined;
}
