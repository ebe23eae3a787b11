import { challengeRepo, deviceRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, type LoginMode, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireActiveMember } from '../find-member.ts';
import type { SignIn } from '../sessions.ts';
import { outcomeOf } from './challenge.ts';
import type { ExchangeTokens } from './exchange-tokens.ts';

/** A claimed sign-in, and the application sign-in it completes, if any. */
export interface ClaimedSignIn extends SignIn {
  mode: LoginMode;
  appLoginId: string | null;
  /** True if the member picked the number displayed in the browser. */
  isNumbered: boolean;
}

/**
 * Claims an approved sign-in, once and soon after its approval. Call it in the transaction that uses the sign-in.
 * @throws Refusal AUTHENTICATION_INCOMPLETE if it is pending; LOGIN_NO_CONSENT if denied; USER_INACTIVE if the member
 * is no longer active; IP_NOT_VALID if the organisation doesn't allow the address; EXPIRED in all other cases
 * (unknown, expired, late, exchanged before, wrong token), so clients can't tell these apart (decision 020)
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
  return claimWithoutToken(deps, tx, { loginId, ip }, kind);
}

/** Like `claimApproved`, but for a sign-in whose ID never left the portal. @throws Refusal in the same cases */
export function claimWithoutToken(
  deps: Deps,
  tx: Tx,
  { loginId, ip }: Record<'loginId' | 'ip', string>,
  kind: 'login' | 'app-login',
): ClaimedSignIn {
  const login = requireApproved(deps, tx, loginId, kind);
  const organisation = organisationRepo.findOrganisation(tx, login.orgCode);
  if (organisation) requireAllowedIp(ip, organisation);
  return claimSignIn(deps, tx, login);
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

function claimSignIn({ clock }: Deps, tx: Tx, login: challengeRepo.ChallengeRow): ClaimedSignIn {
  const now = clock.now();
  const answeredAfter = now - LIMITS.loginExchangeSeconds * SECOND;
  const { id, orgCode, suid, zid, mode, appLoginId } = login;
  const isClaimed = challengeRepo.claimChallengeExchange(tx, id, { answeredAfter, now });
  if (!isClaimed || !suid || !zid) throw new Refusal('EXPIRED');
  const isNumbered = login.matchNumber !== null;
  requireActiveMember(tx, orgCode, suid);
  if (deviceRepo.findDevice(tx, orgCode, zid)?.status !== 'active') throw new Refusal('EXPIRED');
  return { orgCode, suid, zid, mode, appLoginId, isNumbered };
}
