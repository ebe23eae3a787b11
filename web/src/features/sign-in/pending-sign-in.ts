import { type LoginMode, type login, type ReplyOf, readJson, SECOND, withdrawLogin } from '@orchestrate/shared';
import { logQuietly, now } from '#adapters/browser.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { DEFAULT_TEXT } from '#lib/notices/result-text.ts';

/** A sign-in in progress: the POST user/login reply for one of the sign-in modes. */
export type StartedSignIn = ReplyOf<typeof login> & {
  loginId: string;
  /** Lifetime in seconds. */
  idTimeout: number;
  /** Expiry by this browser's clock, in milliseconds since the epoch. */
  endsAt: number;
};

/** Returns the reply with its expiry by this browser's clock. @throws ApiRefusal if it is incomplete */
export function startedOf(reply: ReplyOf<typeof login>): StartedSignIn {
  const { loginId, idTimeout } = reply;
  if (!loginId || !idTimeout) throw new ApiRefusal(0, { message: DEFAULT_TEXT });
  return { ...reply, loginId, idTimeout, endsAt: now() + idTimeout * SECOND };
}

/** Purpose and mode of a sign-in. */
export interface SignInPurpose {
  orgCode: string;
  mode: Extract<LoginMode, 'QID' | 'DID' | 'PUSH'>;
  appLoginId: string | undefined;
}

export interface PendingSignIn extends SignInPurpose {
  started: StartedSignIn;
  /** User name as entered, for PUSH. */
  name?: string | undefined;
  /** Full name of the remembered member to whom a PUSH was sent without entering a name. */
  remembered?: string | undefined;
}

/** Storage key of the tab's pending sign-in, which must survive a reload. */
const KEY = 'orchestrate.pendingSignIn';

function read(): PendingSignIn | undefined {
  const stored = readJson(readStored(KEY, 'sessionStorage')) as PendingSignIn | undefined;
  return typeof stored?.started?.loginId === 'string' ? stored : undefined;
}

/** Returns the tab's pending sign-in if it matches this purpose and hasn't expired. */
export function findPendingSignIn({ orgCode, mode, appLoginId }: SignInPurpose): PendingSignIn | undefined {
  const found = read();
  const isWanted = found?.orgCode === orgCode && found.mode === mode && found.appLoginId === appLoginId;
  return isWanted && found.started.endsAt > now() + SECOND ? found : undefined;
}

/** Withdraws the tab's previous pending sign-in and stores the new one. */
export function storePendingSignIn(pending: PendingSignIn): void {
  withdrawPendingSignIn();
  writeStored(KEY, JSON.stringify(pending), 'sessionStorage');
}

/** Removes a pending sign-in that was answered or has expired from the tab's storage. */
export function forgetPendingSignIn(loginId: string): void {
  if (read()?.started.loginId === loginId) writeStored(KEY, null, 'sessionStorage');
}

/** Withdraws the tab's pending sign-in from the device. With `loginId`, withdraws only the sign-in with this ID. */
export function withdrawPendingSignIn(loginId = read()?.started.loginId): void {
  if (loginId === undefined || read()?.started.loginId !== loginId) return;
  writeStored(KEY, null, 'sessionStorage');
  call(withdrawLogin, { body: { loginId } }).catch((failure: unknown) => {
    logQuietly('Failed to withdraw a sign-in. It will expire soon.', failure);
  });
}

let followed: string | undefined;

/**
 * Marks a sign-in as displayed and withdraws it once no component displays it. The sign-in survives a reload, which
 * doesn't unmount components.
 * @returns cleanup function for the effect
 */
export function trackDisplayedSignIn(loginId: string): () => void {
  followed = loginId;
  return () => {
    if (followed === loginId) followed = undefined;
    // StrictMode runs the cleanup and immediately repeats the effect, so wait a tick before withdrawing.
    setTimeout(() => followed !== loginId && withdrawPendingSignIn(loginId));
  };
}
