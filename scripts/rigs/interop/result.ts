import type { AnyClient } from './foreign-client.ts';

/** Outcome of a client's flow. */
export type Outcome = { result: 'passed' } | { result: 'failed' | 'cannot' | 'not run'; why: string };

/** Results of a client. */
export interface ClientResult {
  client: AnyClient;
  /** Version of its first package; absent if it couldn't be installed. */
  version?: string;
  /** Outcomes by flow, in the order of the client's flows. */
  outcomes: ReadonlyMap<string, Outcome>;
}
