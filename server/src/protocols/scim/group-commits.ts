import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '@orchestrate/db';

/** Runs a task and resolves once its changes are committed. */
export type GroupCommit = <Result>(work: () => Result) => Promise<Result>;

/** Maximum number of tasks per transaction. All other requests wait during the transaction. */
const BATCH_SIZE = 50;

/**
 * Returns a function that commits tasks arriving at the same time in one transaction, because a commit takes longer
 * than most tasks. If a task throws, the transaction is rolled back and each task runs again in its own transaction.
 */
export function createGroupCommit(db: Db): GroupCommit {
  let waiting: Waiting[] = [];

  function commit(): void {
    const group = waiting.slice(0, BATCH_SIZE);
    waiting = waiting.slice(BATCH_SIZE);
    if (waiting.length > 0) setImmediate(commit);
    try {
      db.transaction(() => {
        for (const { work } of group) work();
      });
    } catch {
      for (const one of group) commitAlone(one);
      return;
    }
    for (const { done } of group) done();
  }

  function commitAlone({ work, done, fail }: Waiting): void {
    try {
      db.transaction(work);
      done();
    } catch (reason) {
      fail(reason);
    }
  }

  return (work) =>
    new Promise((resolve, fail) => {
      let result: ReturnType<typeof work>;
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({
        // Keep this request's async context: the request that opens the transaction may belong to a different world.
        work: AsyncLocalStorage.bind(() => {
          result = work();
        }),
        done: () => resolve(result),
        fail,
      });
    });
}

interface Waiting {
  work: () => void;
  done: () => void;
  fail: (reason: unknown) => void;
}
