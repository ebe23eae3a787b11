import { ScimError } from './scim-error.ts';

/** Runs tasks that read a whole organisation, one at a time. @throws ScimError 429 if too many tasks are waiting */
export type PerOrganisationQueue = <Result>(orgCode: string, work: () => Promise<Result>) => Promise<Result>;

/** Maximum number of waiting tasks per organisation. */
const WAITING_MAX = 20;

export function perOrganisationQueue(): PerOrganisationQueue {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>();

  return async (orgCode, work) => {
    const queue = queues.get(orgCode) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= WAITING_MAX) {
      throw new ScimError(429, 'Too many searches of the whole organisation are running. Try again in a few seconds.');
    }
    queues.set(orgCode, queue);
    queue.waiting += 1;
    const done = queue.last.then(work);
    queue.last = done.catch(() => {});
    try {
      return await done;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(orgCode);
    }
  };
}
