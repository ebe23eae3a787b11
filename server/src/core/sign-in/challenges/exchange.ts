import { challengeRepo, deviceRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, type LoginMode, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireActiveMember } from '../active-member.ts';
import type { SignIn } from '../sessions.ts';
import { outcomeOf } from './challenge.ts';
import type { ExchangeTokens } from './exchange-tokens.ts';

/** A sign-in with how it was made, and the application sign-in it belongs to. */
export interface ClaimedSignIn extends SignIn {
  mode: LoginMode;
  appLoginId: string | null;
  /** Whether the person chose the number that the browser displayed. */
  isNumbered: boolean;
}

/**
 * Claims an approved sign-in, once and soon after its approval, in the transaction of what it is for.
 * @throws Refusal AUTHENTICATION_INCOMPLETE not approved yet; LOGIN_NO_CONSENT denied; USER_INACTIVE the person has
 * been disabled since; IP_NOT_VALID the organisation lets nobody in from there; EXPIRED everything else: unknown,
 * expired, late, exchanged before, or a wrong token, so that nobody learns which (decision 020)
 */
export function claimApproved(
  deps: Deps,
  tx: Tx,
  tokens: ExchangeTokens,
  { loginId, exchangeToken, ip }: Record<'loginId' | 'exchangeToken' | 'ip', string>,
  kind: 'login' | 'app-login',
): ClaimedSignIn {
  requireApproved(deps, tx, loginId, kind);
  if (!tokens.isRight(loginId, exchangeToken)) throw new Refusal('EXPIRED');
  return claimKnown(deps, tx, { loginId, ip }, kind);
}

/** The same for a sign-in whose id has never left the portal. @throws Refusal as `claimApproved` */
export function claimKnown(
  deps: Deps,
  tx: Tx,
  { loginId, ip }: Record<'loginId' | 'ip', string>,
  kind: 'login' | 'app-login',
): ClaimedSignIn {
  const { orgCode } = requireApproved(deps, tx, loginId, kind);
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
  const isNumbered = claimed.matchNumber !== null;
  requireActiveMember(tx, orgCode, suid);
  if (deviceRepo.findDevice(tx, orgCode, zid)?.status !== 'active') throw new Refusal('EXPIRED');
  return { orgCode, suid, zid, mode, appLoginId, isNumbered };
}
