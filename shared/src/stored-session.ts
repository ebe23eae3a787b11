/**
 * The names under which the client keeps its sign-in in a browser's `localStorage`, so that a test can put one there.
 */
export const STORED_SESSION = {
  /** JSON: an `AuthState` with `tokenEndsAt`, in milliseconds since the epoch. */
  session: 'orchestrate.session',
  /** The organisation's code. */
  organisation: 'orchestrate.organisation',
} as const;
