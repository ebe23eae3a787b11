import { testSignInRepo } from '@orchestrate/db';
import type { TryCheck } from '@orchestrate/shared';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { BrowserAppSignIn } from './begin-app-login.ts';

/** How long the administrator has to sign in. */
const LIFETIME = 10 * MINUTE;

/** Values the protocol needs for a test sign-in. */
export interface StartedTestSignIn {
  id: string;
  nonce: string;
  codeVerifier: string;
}

/** Starts a test sign-in to an application (decision 177). */
export function startTestSignIn(
  { db, random, clock }: Pick<Deps, 'db' | 'random' | 'clock'>,
  application: Pick<testSignInRepo.NewTestSignIn, 'orgCode' | 'appId' | 'protocol' | 'suid' | 'browser'>,
): StartedTestSignIn {
  const now = clock.now();
  const started = { id: random.id(), nonce: random.secret(), codeVerifier: random.secret() };
  testSignInRepo.insertTestSignIn(db, { ...application, ...started, createdAt: now, expiresAt: now + LIFETIME });
  return started;
}

/** Claims a test sign-in once, before it expires, and only in the browser that started it. */
export function claimTestSignIn(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  orgCode: string,
  { id, browser }: BrowserAppSignIn,
): testSignInRepo.TestSignInRow | undefined {
  return browser === undefined
    ? undefined
    : testSignInRepo.claimTestSignIn(db, orgCode, { id, browser, now: clock.now() });
}

/** Returns the path of a test sign-in's results page. */
export const resultPath = ({ appId, id }: Pick<testSignInRepo.TestSignInRow, 'appId' | 'id'>): `/${string}` =>
  `/applications/${encodeURIComponent(appId)}/try/${encodeURIComponent(id)}`;

export const checkResult = (name: string, isMet: boolean, detail: string): TryCheck => ({ name, isMet, detail });

/**
 * Compares two strings and returns the result, with both strings in its detail. @param what label for the found
 * string
 */
export function checkSame(name: string, what: string, found: string, expected: string): TryCheck {
  const isMet = found === expected;
  return checkResult(
    name,
    isMet,
    isMet ? `${what} is ${expected}.` : `${what} is ${found || 'missing'}, not ${expected}.`,
  );
}
