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
  /** Expiry of this state, in milliseconds since the epoch. */
  expiresAt?: number;
}

type LoginFacts = Pick<
  challengeRepo.ChallengeRow,
  'status' | 'resultCode' | 'mode' | 'deviceName' | 'expiresAt' | 'resolvedAt' | 'answeredAt' | 'exchangedAt'
>;

/** Returns the sign-in state reported to the browser at time `now`. */
export function loginStateOf(login: LoginFacts, now: number): LoginState {
  switch (outcomeOf(login, now)) {
    case 'pending':
      return { ...pendingState(login), expiresAt: login.expiresAt };
    case 'approved':
      return approved(login, now);
    case 'cancelled':
      return login.resultCode === challengeRepo.WITHDRAWN_RESULT ? EXPIRED : rejected(login);
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

/**
 * Returns the state of a sign-in that awaits a response. A push waits for the member's device from the start; a code
 * must be scanned or typed first.
 */
function pendingState(login: LoginFacts): LoginState {
  const isOpened = login.mode === 'PUSH' || login.resolvedAt !== null;
  if (!isOpened) return { state: 'init', result: 'LOGIN_INIT' };
  return { state: 'pending', result: 'LOGIN_PENDING', ...deviceOf(login) };
}

/** Reports success only while the sign-in can be exchanged, so neither a late nor a second browser can continue. */
function approved(login: LoginFacts, now: number): LoginState {
  const expiresAt = (login.answeredAt ?? 0) + LIMITS.loginExchangeSeconds * SECOND;
  if (login.exchangedAt !== null || expiresAt <= now) return EXPIRED;
  return { state: 'success', result: 'LOGIN_SUCCESS', ...deviceOf(login), expiresAt };
}

/** Anyone can start a push for a member, so the device name stays hidden until the device has responded. */
const deviceOf = ({ deviceName }: LoginFacts) => (deviceName === null ? {} : { deviceName });

/**
 * Returns a sign-in by its ID, which only the browser that started the sign-in knows.
 * @throws Refusal ID_DOESNOT_EXIST
 */
export function requireLogin({ db }: Deps, loginId: string): challengeRepo.ChallengeRow {
  const found = challengeRepo.findChallengeBySecretId(db, loginId);
  if (!found || !isSignIn(found)) throw new Refusal('ID_DOESNOT_EXIST');
  return found;
}
