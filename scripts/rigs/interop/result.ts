import type { AnyClient } from './foreign-client.ts';

/** How a flow of a client went. */
export type Outcome = { result: 'passed' } | { result: 'failed' | 'cannot' | 'not run'; why: string };

/** How a client did. */
export interface ClientResult {
  client: AnyClient;
  /** Of its first package; absent where it could not be had. */
  version?: string;
  /** By flow, in the order of the client's flows. */
  outcomes: ReadonlyMap<string, Outcome>;
}
