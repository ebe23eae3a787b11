import { type LoginMode, type login, type ReplyOf, readJson, SECOND, withdrawLogin } from '@orchestrate/shared';
import { now } from '#adapters/clock.ts';
import { logQuietly } from '#adapters/log.ts';
import { call } from '#lib/api/call.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';

/** A sign-in in progress: the reply of POST user/login for one of its modes. */
export type StartedSignIn = ReplyOf<typeof login> & {
  loginId: string;
  /** Lifetime in seconds. */
  idTimeout: number;
  /** Expiry in milliseconds by this browser's clock. */
  endsAt: number;
};

/** Purpose and mode of a sign-in. */
export interface SignInAim {
  orgCode: string;
  mode: Extract<LoginMode, 'QID' | 'DID' | 'PUSH'>;
  appLoginId: string | undefined;
}

interface PendingSignIn extends SignInAim {
  started: StartedSignIn;
  /** PUSH: the name as entered. */
  name?: string | undefined;
}

/** One sign-in is pending per tab; it is stored so that it survives a reload. */
const KEY = 'orchestrate.pendingSignIn';

function read(): PendingSignIn | undefined {
  const stored = readJson(readStored(KEY, 'sessionStorage')) as PendingSignIn | undefined;
  return typeof stored?.started?.loginId === 'string' ? stored : undefined;
}

/** Returns the tab's pending sign-in if it has this aim and hasn't expired. */
export function findPendingSignIn({ orgCode, mode, appLoginId }: SignInAim): PendingSignIn | undefined {
  const found = read();
  const isWanted = found?.orgCode === orgCode && found.mode === mode && found.appLoginId === appLoginId;
  return isWanted && found.started.endsAt > now() + SECOND ? found : undefined;
}

/** Stores the tab's pending sign-in and withdraws the previous one. */
export function storePendingSignIn(pending: PendingSignIn): void {
  withdrawPendingSignIn();
  writeStored(KEY, JSON.stringify(pending), 'sessionStorage');
}

/** Removes a sign-in that was answered or has expired. */
export function forgetPendingSignIn(loginId: string): void {
  if (read()?.started.loginId === loginId) writeStored(KEY, null, 'sessionStorage');
}

/** Withdraws the tab's pending sign-in from the device; with `loginId` only that one. */
export function withdrawPendingSignIn(loginId = read()?.started.loginId): void {
  if (loginId === undefined || read()?.started.loginId !== loginId) return;
  writeStored(KEY, null, 'sessionStorage');
  call(withdrawLogin, { body: { loginId } }).catch((failure: unknown) => {
    logQuietly('A sign-in was not withdrawn. It expires soon.', failure);
  });
}

let followed: string | undefined;

/**
 * Marks a sign-in as displayed, and withdraws it once no component displays it. A reload unmounts nothing, so the
 * sign-in stays.
 * @returns the cleanup of the effect
 */
export function followPendingSignIn(loginId: string): () => void {
  followed = loginId;
  return () => {
    if (followed === loginId) followed = undefined;
    // StrictMode runs the cleanup and the effect again immediately.
    setTimeout(() => followed !== loginId && withdrawPendingSignIn(loginId));
  };
}
