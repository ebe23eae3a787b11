/**
 * Who sends a request: a signed-in user (by index), a directory with its credentials, an application with its secret,
 * or an anonymous client.
 */
export type Sender = { person: number } | 'directory' | 'application' | 'anonymous';

/** A hostile request. Plain data, because a failure must be printable and replayable. */
export type Attempt =
  | { kind: 'http'; what: string; method: string; path: string; type: string; body: string | null; sender: Sender }
  | { kind: 'socket'; what: string; path: string; messages: string[]; sender: Sender }
  /** Bytes sent over a TCP connection, one per character. */
  | { kind: 'raw' | 'ldap'; what: string; bytes: string }
  /** A datagram, with a valid Message-Authenticator if `isProven`. */
  | { kind: 'radius'; what: string; bytes: string; isProven: boolean };

/** The portal's reaction to an attempt. */
export interface Outcome {
  /**
   * HTTP status. 101 for a socket that still responded at the end; 0 if the portal closed the connection without a
   * response, which is allowed.
   */
  status: number;
  /** Time until the response was complete, in milliseconds. */
  took: number;
}
