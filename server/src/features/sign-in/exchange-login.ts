import { organisationRepo, type Tx } from '@orchestrate/db';
import type { AuthState } from '@orchestrate/shared';
import { readBrowserCookie } from '#core/sign-in/browser-cookie.ts';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import { type ClaimedSignIn, claimApproved } from '#core/sign-in/challenges/exchange.ts';
import type { ExchangeTokens } from '#core/sign-in/challenges/exchange-tokens.ts';
import { type RememberedBrowser, rememberBrowser } from '#core/sign-in/remember-browser.ts';
import { authStateOf, openSession } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';

export interface ExchangeRequest {
  loginId: string;
  exchangeToken: string;
  /** IP address of the browser. */
  ip: string;
  userAgent: string;
  /** The browser's `Cookie` header. */
  cookie: string | undefined;
}

/**
 * Exchanges an approved sign-in for tokens. The exchange works once, and only for a short time after approval.
 * @throws Refusal as `claimApproved`
 */
export function exchangeLogin(
  deps: Deps,
  tokens: ExchangeTokens,
  request: ExchangeRequest,
): AuthState & { orgCode: string; joined: string; remembered: RememberedBrowser | undefined } {
  const { session, remembered, joined } = deps.db.transaction((tx) => {
    const signIn = claimApproved(deps, tx, tokens, request, 'login');
    const { ip, userAgent, cookie } = request;
    const { browser, cookie: joined } = identifyBrowser(deps, cookie);
    return {
      joined,
      session: openSession(deps, tx, { ...signIn, ip, userAgent, browser }),
      remembered: rememberBrowserAfterSignIn(deps, tx, signIn, { ...request, browser }),
    };
  });
  return { ...authStateOf(deps, session), orgCode: session.orgCode, joined, remembered };
}

/** Remembers the browser after a sign-in, unless the member signed in through an already remembered browser. */
export function rememberBrowserAfterSignIn(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, zid, mode }: ClaimedSignIn,
  { ip, userAgent, cookie, browser }: ExchangeRequest & { browser: string },
): RememberedBrowser | undefined {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (mode === 'COOKIE' || !organisation) return undefined;
  const shown = readBrowserCookie(deps, cookie, orgCode);
  return rememberBrowser(deps, tx, organisation, { suid, zid, browser, userAgent, ip, shown });
}
