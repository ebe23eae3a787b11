/**
 * Sender of a request: a signed-in user by index, a directory with its credentials, an application with its secret, or
 * an anonymous client.
 */
export type Sender = { person: number } | 'directory' | 'application' | 'anonymous';

/** A hostile request as plain data, so that a failure can be printed and replayed. */
export type Attempt =
  | { kind: 'http'; what: string; method: string; path: string; type: string; body: string | null; sender: Sender }
  | { kind: 'socket'; what: string; path: string; messages: string[]; sender: Sender }
  /** Bytes on a TCP connection, one per character. */
  | { kind: 'raw' | 'ldap'; what: string; bytes: string }
  /** A datagram; if `isProven`, with a valid Message-Authenticator. */
  | { kind: 'radius'; what: string; bytes: string; isProven: boolean };

/** The portal's reaction. */
export interface Outcome {
  /**
   * HTTP status; 101 for a socket that still responded at the end; 0 if the portal closed the connection without a
   * response, which is allowed.
   */
  status: number;
  /** Time until the response was complete, in milliseconds. */
  took: number;
}
