/** Keys under which the client stores its session in a browser's `localStorage`, so that a test can write one there. */
export const STORED_SESSION = {
  /** JSON: an `AuthState` with `tokenEndsAt`, in milliseconds since the epoch. */
  session: 'orchestrate.session',
  /** The organisation's code. */
  organisation: 'orchestrate.organisation',
} as const;
