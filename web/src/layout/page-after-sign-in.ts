/**
 * The page that a visitor requested before being redirected to sign-in, stored in the navigation state. If a session
 * ended on that page, `suid` identifies its user, and the page is opened only for that user.
 */
export interface ReturnState {
  from: string;
  suid: string | undefined;
  /** True if the session ended without a logout, e.g. because it expired. */
  hasExpired: boolean;
}

/** Returns the page to open after `suid` has signed in, or undefined if no page is stored for this user. */
export function pageAfterSignIn(suid: string, state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state) || typeof state.from !== 'string') return;
  const isForAnybody = !('suid' in state) || state.suid === undefined;
  return isForAnybody || state.suid === suid ? state.from : undefined;
}
