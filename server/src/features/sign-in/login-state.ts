import { challengeRepo } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import { outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { isSignIn } from '#core/sign-in/login-policy.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';

export type LoginProgress = 'init' | 'pending' | 'rejected' | 'success' | 'expired';

export type LoginResult = 'LOGIN_INIT' | 'LOGIN_PENDING' | 'LOGIN_REJECTED' | 'LOGIN_SUCCESS' | 'EXPIRED';

export interface LoginState {
  state: LoginProgress;
  result: LoginResult;
  deviceName?: string;
  /** When this state expires, in milliseconds since the epoch. */
  expiresAt?: number;
}

type LoginFacts = Pick<
  challengeRepo.ChallengeRow,
  'status' | 'resultCode' | 'mode' | 'deviceName' | 'expiresAt' | 'resolvedAt' | 'answeredAt' | 'exchangedAt'
>;

/** Returns the state of a sign-in for its browser, at `now`. */
export function loginStateOf(login: LoginFacts, now: number): LoginState {
  switch (outcomeOf(login, now)) {
    case 'pending':
      return { ...pendingState(login), expiresAt: login.expiresAt };
    case 'approved':
      return approved(login, now);
    case 'cancelled':
      return login.resultCode === challengeRepo.WITHDRAWN ? EXPIRED : rejected(login);
    case 'denied':
      return rejected(login);
    case 'expired':
      return EXPIRED;
  }
}

const EXPIRED: LoginState = { state: 'expired', result: 'EXPIRED' };

const rejected = (login: LoginFacts): LoginState => ({
  state: 'rejected',
  result: 'LOGIN_REJECTED',
  ...deviceOf(login),
});

/** A push waits for the member's device from the start; a code must first be scanned or typed. */
function pendingState(login: LoginFacts): LoginState {
  const isOpened = login.mode === 'PUSH' || login.resolvedAt !== null;
  if (!isOpened) return { state: 'init', result: 'LOGIN_INIT' };
  return { state: 'pending', result: 'LOGIN_PENDING', ...deviceOf(login) };
}

/** Reports success only while it can be exchanged, so that neither a late nor a second browser continues. */
function approved(login: LoginFacts, now: number): LoginState {
  const expiresAt = (login.answeredAt ?? 0) + LIMITS.loginExchangeSeconds * SECOND;
  if (login.exchangedAt !== null || expiresAt <= now) return EXPIRED;
  return { state: 'success', result: 'LOGIN_SUCCESS', ...deviceOf(login), expiresAt };
}

/** The person who starts a push may be a stranger, so they learn no device name before it has answered. */
const deviceOf = ({ deviceName }: LoginFacts) => (deviceName === null ? {} : { deviceName });

/** Returns a sign-in by its id, which only its browser knows. @throws Refusal ID_DOESNOT_EXIST */
export function requireLogin({ db }: Deps, loginId: string): challengeRepo.ChallengeRow {
  const found = challengeRepo.findChallengeBySecretId(db, loginId);
  if (!found || !isSignIn(found)) throw new Refusal('ID_DOESNOT_EXIST');
  return found;
}
