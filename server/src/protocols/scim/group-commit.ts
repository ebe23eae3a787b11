import type { Db } from '@orchestrate/db';

/** Runs some work, and resolves once it is committed. */
export type GroupCommit = <Result>(work: () => Result) => Promise<Result>;

/** How many are written at once, while everybody else waits. */
const AT_ONCE = 50;

/**
 * Writes what arrives at the same time in one transaction: a commit, which also writes the search index, takes longer
 * than entering a person. Work that fails must not leave half of itself behind, and may throw only if the database
 * cannot be written: then nothing of the group is kept.
 */
export function groupCommits(db: Db): GroupCommit {
  let waiting: { work: () => unknown; done: () => void; fail: (reason: unknown) => void }[] = [];

  function commit(): void {
    const group = waiting.slice(0, AT_ONCE);
    waiting = waiting.slice(AT_ONCE);
    if (waiting.length > 0) setImmediate(commit);
    try {
      db.$client.transaction(() => group.forEach(({ work }) => void work()))();
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
