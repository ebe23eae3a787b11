/**
 * Keys under which the client stores its session in the browser's `localStorage`. Tests can write a session under the
 * same keys.
 */
export const STORED_SESSION = {
  /** Session as JSON: an `AuthState` with `tokenEndsAt`, in milliseconds since the epoch. */
  session: 'orchestrate.session',
  /** The organisation code. */
  organisation: 'orchestrate.organisation',
} as const;
