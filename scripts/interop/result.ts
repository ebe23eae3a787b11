import type { AnyClient } from './foreign-client.ts';

/** What came of a flow of a client. */
export type Outcome = { result: 'passed' } | { result: 'failed' | 'cannot' | 'not run'; why: string };

/** What came of a client. */
export interface ClientResult {
  client: AnyClient;
  /** Of its first package; absent where it could not be had. */
  version?: string;
  /** By flow, in the order of the client's flows. */
  outcomes: ReadonlyMap<string, Outcome>;
}
