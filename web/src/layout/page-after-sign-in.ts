/**
 * The page that a visitor requested before the redirect to sign-in, in that navigation's state. `suid` is set if a
 * session ended on the page, which is then opened only for the same user.
 */
export interface ReturnState {
  from: string;
  suid: string | undefined;
  /** True if the session ended without a sign-out. */
  hasExpired: boolean;
}

/** Returns the page to open after `suid` has signed in, if there is one for this user. */
export function pageAfterSignIn(suid: string, state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state) || typeof state.from !== 'string') return;
  const isForAnybody = !('suid' in state) || state.suid === undefined;
  return isForAnybody || state.suid === suid ? state.from : undefined;
}
