/**
 * Where somebody wanted to go when the guard sent them to sign in; kept in that navigation's state. `suid` is present
 * where a session ended on that page: it is opened again for the same person only.
 */
export interface ReturnState {
  from: string;
  suid: string | undefined;
  /** The session ended by itself, in the middle of something. */
  isCutOff: boolean;
}

/** The page to open once `suid` has signed in; undefined where there is none for this person. */
export function pageAfterSignIn(suid: string, state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state) || typeof state.from !== 'string') return;
  const isForAnybody = !('suid' in state) || state.suid === undefined;
  return isForAnybody || state.suid === suid ? state.from : undefined;
}
