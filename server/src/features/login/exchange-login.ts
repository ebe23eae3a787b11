import { challengeRepo, deviceRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { type AuthState, LIMITS, type LoginMode, SECOND } from '@orchestrate/shared';
import { readBrowserCookie } from '../../core/sign-in/browser-cookie.ts';
import { outcomeOf } from '../../core/sign-in/challenge-outcome.ts';
import { type Remembered, rememberBrowser } from '../../core/sign-in/remember-browser.ts';
import { authStateOf, openSession, type SignIn } from '../../core/sign-in/sessions.ts';
import type { Deps } from '../../deps.ts';
import { requireAllowedIp } from '../../platform/http/allowed-ip.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ExchangeTokens } from './exchange-tokens.ts';

export interface ExchangeRequest {
  loginId: string;
  exchangeToken: string;
  /** From where the browser asks, and which one it is. */
  ip: string;
  userAgent: string;
  /** Its `Cookie` header. */
  cookie: string | undefined;
}

/** A sign-in with how it was made, and to which application's sign-in it belongs. */
export interface ClaimedSignIn extends SignIn {
  mode: LoginMode;
  appLoginId: string | null;
}

/**
 * Tokens for an approved sign-in, once, and soon after it was approved.
 * @throws Refusal 74 not approved yet; 58 denied; 35 the person has been disabled since; 69 the organisation lets nobody
 * in from there; 10 everything else: unknown,
 * expired, late, exchanged before, or a wrong token, so that nobody learns which (decision 021)
 */
export function exchangeLogin(
  deps: Deps,
  tokens: ExchangeTokens,
  request: ExchangeRequest,
): AuthState & { orgCode: string; remembered: Remembered | undefined } {
  const { session, remembered } = deps.db.transaction(
    (tx) => {
      const signIn = claimApproved(deps, tx, tokens, request, 'login');
      const { ip, userAgent } = request;
      return {
        session: openSession(deps, tx, { ...signIn, ip, userAgent }),
        remembered: rememberAfter(deps, tx, signIn, request),
      };
    },
    { behavior: 'immediate' },
  );
  return { ...authStateOf(deps, session), orgCode: session.orgCode, remembered };
}

/** Remembers the browser of a sign-in that a device has approved; one that is remembered already stays as it is. */
export function rememberAfter(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, zid, mode }: ClaimedSignIn,
  { ip, userAgent, cookie }: ExchangeRequest,
): Remembered | undefined {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (mode === 'COOKIE' || !organisation) return undefined;
  const shown = readBrowserCookie(deps, cookie, orgCode);
  return rememberBrowser(deps, tx, organisation, { suid, zid, userAgent, ip, shown });
}

/**
 * Whoever has signed in, claimed once: inside the transaction of what the sign-in is for.
 * @throws Refusal as `exchangeLogin`
 */
export function claimApproved(
  deps: Deps,
  tx: Tx,
  tokens: ExchangeTokens,
  { loginId, exchangeToken, ip }: Pick<ExchangeRequest, 'loginId' | 'exchangeToken' | 'ip'>,
  kind: 'login' | 'app-login',
): ClaimedSignIn {
  const { orgCode } = requireApproved(deps, tx, loginId, kind);
  if (!tokens.isRight(loginId, exchangeToken)) throw new Refusal('EXPIRED');
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (organisation) requireAllowedIp(ip, organisation);
  return claimSignIn(deps, tx, loginId);
}

function requireApproved(
  { clock }: Deps,
  tx: Tx,
  loginId: string,
  kind: 'login' | 'app-login',
): challengeRepo.ChallengeRow {
  const login = challengeRepo.findChallengeBySecretId(tx, loginId);
  if (login?.kind !== kind) throw new Refusal('EXPIRED');
  const outcome = outcomeOf(login, clock.now());
  if (outcome === 'pending') throw new Refusal('AUTHENTICATION_INCOMPLETE');
  if (outcome === 'expired') throw new Refusal('EXPIRED');
  if (outcome !== 'approved') throw new Refusal('LOGIN_NO_CONSENT');
  return login;
}

function claimSignIn({ clock }: Deps, tx: Tx, loginId: string): ClaimedSignIn {
  const now = clock.now();
  const answeredAfter = now - LIMITS.loginExchangeSeconds * SECOND;
  const claimed = challengeRepo.claimChallengeExchange(tx, loginId, { answeredAfter, now });
  if (!claimed?.suid || !claimed.zid) throw new Refusal('EXPIRED');
  const { orgCode, suid, zid, mode, appLoginId } = claimed;
  if (memberRepo.findMember(tx, orgCode, suid)?.accountStatus !== 'active') throw new Refusal('USER_INACTIVE');
  if (deviceRepo.findDevice(tx, orgCode, zid)?.status !== 'active') throw new Refusal('EXPIRED');
  return { orgCode, suid, zid, mode, appLoginId };
}
