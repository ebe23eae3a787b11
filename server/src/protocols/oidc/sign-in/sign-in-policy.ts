import { browserRepo, deviceRepo, oidcApplicationRepo, organisationRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import { mayUseApplication } from '#core/applications.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { findActiveMember } from '#core/sign-in/find-member.ts';
import { allowsDevice, type LoginPolicy, loginPolicyOf } from '#core/sign-in/login-policy.ts';
import type { Deps } from '#deps.ts';
import { isFromAnotherSite } from '#platform/http/callers/browser.ts';
import type { CookieDeps } from '#platform/http/callers/cookie.ts';
import { isClosed } from '../clients/client-store.ts';
import { signInDetailsOf } from '../overrides/store-sign-in-details.ts';
import { timeForPortal } from '../provider/portal-time.ts';
import { essentialContexts, requestsStepUp, STEP_UP } from './acr.ts';

/** Error when the request doesn't allow a sign-in page (OpenID Connect Core 1.0 §3.1.2.6). */
const REFUSAL = 'login_required';

const CLOSED = 'the application has no valid secret; its administrators can add one in the portal';

type Library = Pick<typeof import('oidc-provider'), 'interactionPolicy' | 'errors'>;

/** Prompt value for choosing an account (OpenID Connect Core 1.0 §3.1.2.1). */
export const SELECT_ACCOUNT_PROMPT = 'select_account';

/** Prompt for a signed-in user who can't use the application (decision 177). */
export const NO_ACCESS_PROMPT = 'no_access';

/** Prompt that asks whether to continue to an application not yet used in this browser. */
export const CONFIRM_PROMPT = 'confirm';

/** Error when the request doesn't allow the confirmation page (OpenID Connect Core 1.0 §3.1.2.6). */
const INTERACTION = 'interaction_required';

type Stores = Pick<Deps, 'db' | 'clock'>;

/**
 * Returns the policy that decides when a user must sign in. The reasons come from the library (no session,
 * `prompt=login`, `max_age`, another user expected) or from the portal. Consent is never requested, because
 * applications belong to the organisation.
 */
export function signInPolicy(
  { interactionPolicy: { Check, Prompt, base }, errors }: Library,
  deps: Stores & CookieDeps,
  orgCode: string,
): interactionPolicy.DefaultPolicy {
  // Defined in OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
  const unmet = () => new errors.UnmetAuthenticationRequirements('the essential acr is not available here');
  // Answer with a page: the application can't act on the error, and the user should see the reason.
  const closed = () => Object.assign(new errors.UnauthorizedClient(CLOSED), { allow_redirect: false });
  const policy = base();
  const login = policy.get('login');
  const consent = policy.get('consent');
  if (!login || !consent) {
    const names = policy.map(({ name }) => name);
    throw new Error(`oidc-provider must have the prompts login and consent, but has: ${names.join(', ')}.`);
  }
  // Clients can request `prompt=consent` (OpenID Connect Core 1.0 §11 requires it with `offline_access`), but users
  // aren't asked for consent.
  consent.checks.clear();
  // The prompt has no checks: it leads to the sign-in page, where the user chooses an account.
  policy.add(new Prompt({ name: SELECT_ACCOUNT_PROMPT, requestable: true }));
  const noSession = login.checks.get('no_session');
  if (noSession) noSession.description = 'this browser has no session with this issuer';
  // The library would keep asking for an authentication context that no sign-in here provides.
  for (const name of ['essential_acr', 'essential_acrs']) login.checks.remove(name);
  login.checks.push(
    new Check('closed', 'the application has no secret', ({ oidc: { client } }) => {
      if (client && isClosed(deps, orgCode, client.clientId)) throw closed();
      return false;
    }),
    new Check('essential_context', 'the authentication context is not available', ({ oidc }) => {
      const essential = essentialContexts(oidc.params ?? {});
      if (essential.length > 0 && !essential.includes(STEP_UP)) throw unmet();
      return false;
    }),
    new Check('not_remembered', 'the session no longer replaces a sign-in', REFUSAL, (ctx) => {
      const reason = whyInsufficient(deps, orgCode, ctx);
      // The description depends on the request, which the library doesn't support.
      if (reason !== undefined && ctx.oidc.promptPending('none')) {
        throw Object.assign(new errors.LoginRequired(reason), { status: 303, statusCode: 303 });
      }
      return reason !== undefined;
    }),
    new Check(
      'step_up',
      'step-up is required',
      REFUSAL,
      ({ oidc: { params, session, result } }) =>
        requestsStepUp(params ?? {}) && session?.acr !== STEP_UP && !result?.login,
    ),
  );
  // This prompt runs after the sign-in, when the user is known.
  policy.add(
    new Prompt(
      { name: NO_ACCESS_PROMPT, requestable: false },
      new Check('may_not_use', NO_ACCESS_TEXT, 'access_denied', ({ oidc: { session, client } }) =>
        lacksAccess(deps, orgCode, { suid: session?.accountId, appId: client?.clientId }),
      ),
    ),
  );
  policy.add(
    new Prompt(
      { name: CONFIRM_PROMPT, requestable: false },
      new Check('first_use', 'the user must confirm that they want to use the application', INTERACTION, (ctx) =>
        needsConfirmation(deps, orgCode, ctx),
      ),
    ),
  );
  return policy;
}

/**
 * Returns true if another site sent a signed-in browser to an application that its user hasn't used there before.
 * Without confirmation, any site could sign its visitors in to an application of the site's choice.
 */
function needsConfirmation(deps: Stores & CookieDeps, orgCode: string, { oidc, req }: KoaContextWithOIDC): boolean {
  const { client, result, session } = oidc;
  const suid = session?.accountId;
  if (!client || suid === undefined || result?.login || result?.[CONFIRM_PROMPT] || !isFromAnotherSite(req.headers))
    return false;
  const browser = browserOf(deps, req.headers.cookie);
  return browser === undefined || !browserRepo.hasUsedApp(deps.db, { orgCode, appId: client.clientId, suid, browser });
}

/** Error description that the application receives. */
export const NO_ACCESS_TEXT = 'the user cannot use this application';

/** Returns true if the user is signed in but can't use the application. */
function lacksAccess(
  { db }: Stores,
  orgCode: string,
  { suid, appId = '' }: { suid: string | undefined; appId: string | undefined },
): boolean {
  const member = suid === undefined ? undefined : findActiveMember(db, orgCode, suid);
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  return member !== undefined && application !== undefined && !mayUseApplication(db, application, member);
}

/**
 * Returns why the current login options require a new sign-in, in the characters of an error description (RFC 6749
 * §4.1.2.1), or undefined if they don't: the last sign-in is too old, lacked the step-up that the organisation
 * requires, or used a device type that has been turned off.
 */
function whyInsufficient(deps: Stores, orgCode: string, { oidc }: KoaContextWithOIDC): string | undefined {
  const { session, client, result } = oidc;
  if (result?.login || session?.loginTs === undefined || !client) return undefined;
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  const application = oidcApplicationRepo.findOidcApplication(deps.db, orgCode, client.clientId);
  if (!organisation || !application) return 'the application no longer exists';
  const policy = loginPolicyOf(organisation, application);
  const age = deps.clock.now() - timeForPortal(deps.clock, session.loginTs);
  if (age >= policy.rememberedFor) return limitedBy(organisation, application);
  if (policy.stepUpAuthEnabled && session.acr !== STEP_UP && !signInDetailsOf(session).hasStepUp) {
    return 'the organisation requires step-up, which the last sign-in lacked';
  }
  const device = deviceRepo.findDevice(deps.db, orgCode, signInDetailsOf(session).zid ?? '');
  return device && !allowsDevice(policy, device) ? 'devices of this type can no longer sign in' : undefined;
}

type Limits = { forceAuthnEnabled: boolean; maxCookieLife: number };

/** Names the setting that determines how long sessions replace a sign-in. */
function limitedBy(organisation: Limits, application: Limits): string {
  if (organisation.forceAuthnEnabled) return 'the organisation requires an approval of every sign-in';
  if (application.forceAuthnEnabled) return 'the application requires an approval of every sign-in';
  const [ofOrganisation, ofApplication] = [(organisation.maxCookieLife * MINUTE) / SECOND, application.maxCookieLife];
  const isOfOrganisation = ofOrganisation < ofApplication;
  const owner = isOfOrganisation ? 'organisation' : 'application';
  const setting = isOfOrganisation
    ? `maxCookieLife of ${organisation.maxCookieLife} minutes`
    : `maxCookieLife of ${ofApplication} seconds`;
  const own = isOfOrganisation ? `, which limits the application's ${ofApplication} seconds` : '';
  return Math.min(ofOrganisation, ofApplication) === 0
    ? `the ${owner} does not remember browsers: it has a ${setting}${own}`
    : `the last sign-in is older than the ${owner}'s ${setting}${own}`;
}

function policyFor({ db }: Pick<Deps, 'db'>, orgCode: string, appId: string): LoginPolicy | undefined {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  return organisation && application && loginPolicyOf(organisation, application);
}

/** Returns how long an application allows browsers to be remembered, in milliseconds. */
export const browserLifetimeMs = (deps: Pick<Deps, 'db'>, orgCode: string, appId: string): number =>
  policyFor(deps, orgCode, appId)?.rememberedFor ?? 0;
