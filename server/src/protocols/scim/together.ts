import type { Db } from '@orchestrate/db';

/** Runs some work, and answers once it is kept. */
export type Together = <Result>(work: () => Result) => Promise<Result>;

/** So many at once: somebody else waits meanwhile. */
const AT_ONCE = 50;

/**
 * Writes what comes in together in one transaction: a commit, which also writes out the search index, takes longer than
 * entering a person. The work must not leave half of itself behind when it fails, and throws only where the database cannot be
 * written: then nothing of the group is kept.
 */
export function together(db: Db): Together {
  let waiting: { work: () => unknown; done: () => void; fail: (reason: unknown) => void }[] = [];

  function commit(): void {
    const group = waiting.slice(0, AT_ONCE);
    waiting = waiting.slice(AT_ONCE);
    if (waiting.length > 0) setImmediate(commit);
    try {
      db.$client.transaction(() => group.forEach(({ work }) => void work())).immediate();
    } catch (reason) {
      for (const { fail } of group) fail(reason);
      return;
    }
    for (const { done } of group) done();
  }

  return (work) =>
    new Promise((resolve, fail) => {
      let result: ReturnType<typeof work>;
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({
        work: () => {
          result = work();
        },
        done: () => resolve(result),
        fail,
      });
    });
}
