import { organisationRepo, type Tx } from '@orchestrate/db';
import type { AuthState } from '@orchestrate/shared';
import { readBrowserCookie } from '#core/sign-in/browser-cookie.ts';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import { type ClaimedSignIn, claimApproved } from '#core/sign-in/challenges/exchange.ts';
import type { ExchangeTokens } from '#core/sign-in/challenges/exchange-tokens.ts';
import { type Remembered, rememberBrowser } from '#core/sign-in/remember-browser.ts';
import { authStateOf, openSession } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';

export interface ExchangeRequest {
  loginId: string;
  exchangeToken: string;
  /** Address of the browser. */
  ip: string;
  userAgent: string;
  /** Its `Cookie` header. */
  cookie: string | undefined;
}

/**
 * Exchanges an approved sign-in for tokens, once and soon after the approval.
 * @throws Refusal as `claimApproved`
 */
export function exchangeLogin(
  deps: Deps,
  tokens: ExchangeTokens,
  request: ExchangeRequest,
): AuthState & { orgCode: string; joined: string; remembered: Remembered | undefined } {
  const { session, remembered, joined } = deps.db.transaction((tx) => {
    const signIn = claimApproved(deps, tx, tokens, request, 'login');
    const { ip, userAgent, cookie } = request;
    const { browser, cookie: joined } = identifyBrowser(deps, cookie);
    return {
      joined,
      session: openSession(deps, tx, { ...signIn, ip, userAgent, browser }),
      remembered: rememberAfter(deps, tx, signIn, { ...request, browser }),
    };
  });
  return { ...authStateOf(deps, session), orgCode: session.orgCode, joined, remembered };
}

/** Remembers the browser of a sign-in approved on a device, unless it is already remembered. */
export function rememberAfter(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, zid, mode }: ClaimedSignIn,
  { ip, userAgent, cookie, browser }: ExchangeRequest & { browser: string },
): Remembered | undefined {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (mode === 'COOKIE' || !organisation) return undefined;
  const shown = readBrowserCookie(deps, cookie, orgCode);
  return rememberBrowser(deps, tx, organisation, { suid, zid, browser, userAgent, ip, shown });
}
