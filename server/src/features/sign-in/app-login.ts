import { appLoginRepo, browserRepo, organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { BrowserAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import { requireAppSignIn } from '#core/sign-in/app-logins/require-app-login.ts';
import { readBrowserCookie } from '#core/sign-in/browser-cookie.ts';
import { browserOf, identifyBrowser } from '#core/sign-in/browser-id.ts';
import { claimApproved } from '#core/sign-in/challenges/exchange.ts';
import type { ExchangeTokens } from '#core/sign-in/challenges/exchange-tokens.ts';
import { loginPolicyOf } from '#core/sign-in/login-policy.ts';
import { rememberedBrowserCookie } from '#core/sign-in/remember-browser.ts';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { continuePath } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { rememberBrowserAfterSignIn } from './exchange-login.ts';

/** Serves application sign-ins: data for the sign-in page, and the redirect back to the application. */
export function appSignIn(app: FastifyInstance, deps: Deps, tokens: ExchangeTokens): void {
  implement(app, deps, contract.getAppLogin, ({ params: { appLoginId }, cookie }) => {
    const pending = requireAppSignIn(deps, { id: appLoginId, browser: browserOf(deps, cookie) });
    const { appLogin: found, application } = pending;
    const organisation = organisationRepo.findOrganisation(deps.db, found.orgCode);
    if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
    const { didEnabled, webAuthnEnabled } = loginPolicyOf(organisation, application);
    return {
      orgCode: found.orgCode,
      appName: application.name,
      didEnabled,
      webAuthnEnabled,
      loginHint: found.loginHint,
      needsConfirmation: needsConfirmation(deps, found, cookie),
      expiresAt: isoOf(found.expiresAt),
    };
  });

  implement(
    app,
    deps,
    contract.completeAppLogin,
    ({ params: { appLoginId }, body, ip, userAgent, cookie, setCookie }) => {
      const request = { ...body, ip, userAgent, cookie };
      const { orgCode, protocol, remembered, joined } = deps.db.transaction((tx) => {
        const signIn = claimApproved(deps, tx, tokens, request, 'app-login');
        const { mode, suid, zid, isNumbered } = signIn;
        if (signIn.appLoginId !== appLoginId) throw new Refusal('EXPIRED');
        const { browser, cookie: joined } = identifyBrowser(deps, cookie);
        requireAppSignIn(deps, { id: appLoginId, browser });
        const approval = { suid, zid, mode, isNumbered };
        const completed = appLoginRepo.authenticateAppSignIn(tx, appLoginId, approval, deps.clock.now());
        const protocol = completed?.protocol;
        if (protocol !== 'oidc' && protocol !== 'saml') throw new Refusal('EXPIRED');
        const remembered = rememberBrowserAfterSignIn(deps, tx, signIn, { ...request, browser });
        return { orgCode: signIn.orgCode, protocol, joined, remembered };
      });
      if (remembered) setCookie(rememberedBrowserCookie(deps, orgCode, remembered));
      setCookie(joined);
      const rememberedUntil = remembered && isoOf(remembered.expiresAt);
      return { redirectTo: `${continuePath(protocol, orgCode)}?id=${encodeURIComponent(appLoginId)}`, rememberedUntil };
    },
  );
}

/**
 * Returns true if the remembered member must confirm the sign-in, because another site sent the browser and the
 * member hasn't used the application in this browser before.
 */
function needsConfirmation(
  deps: Deps,
  { isFromAnotherSite, orgCode, appId, browser }: appLoginRepo.AppSignInRow,
  cookie: string | undefined,
): boolean {
  if (!isFromAnotherSite || browser === null) return false;
  const shown = readBrowserCookie(deps, cookie, orgCode);
  const suid = shown && browserRepo.findBrowser(deps.db, orgCode, shown.id)?.suid;
  return suid === undefined || !browserRepo.hasUsedApp(deps.db, { orgCode, appId, suid, browser });
}

/**
 * Rejects continuing an application sign-in that the member must confirm first.
 * @throws Refusal AUTHENTICATION_INCOMPLETE if the member must confirm the sign-in first; as `requireAppSignIn`
 */
export function requireNoConfirmation(deps: Deps, of: BrowserAppSignIn, cookie: string | undefined): void {
  const { appLogin: found, application } = requireAppSignIn(deps, of);
  if (!needsConfirmation(deps, found, cookie)) return;
  const message = `Confirm that you want to sign in to ${application.name}.`;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message });
}
