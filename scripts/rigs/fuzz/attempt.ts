/**
 * Who sends it: a signed-in person by number, a directory with its credentials, an application with its secret, or
 * nobody.
 */
export type Sender = { person: number } | 'directory' | 'application' | 'nobody';

/** One hostile request as plain data, so that a failure can be printed and sent again. */
export type Attempt =
  | { kind: 'http'; what: string; method: string; path: string; type: string; body: string | null; sender: Sender }
  | { kind: 'socket'; what: string; path: string; messages: string[]; sender: Sender }
  /** Bytes on a bare connection, each character one byte. */
  | { kind: 'raw' | 'ldap'; what: string; bytes: string }
  /** A datagram; with a proof, its attributes come from a client that knows the secret. */
  | { kind: 'radius'; what: string; bytes: string; isProven: boolean };

/** How the portal reacted. */
export interface Outcome {
  /**
   * HTTP status; 101 for a socket that still answered at the end; 0 where the portal hung up without an answer, which
   * is allowed.
   */
  status: number;
  /** Milliseconds until the answer was complete. */
  took: number;
}
