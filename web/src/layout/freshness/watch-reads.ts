import { useEffect } from 'react';
import type { Middleware } from 'swr';
import { now } from '../../adapters/clock.ts';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { addFailingRead } from './failing-reads.ts';

/** When each answer came, in milliseconds. */
const arrivals = new WeakMap<object, number>();

function noteArrival<Answer>(answer: Answer): Answer {
  if (typeof answer === 'object' && answer !== null) arrivals.set(answer, now());
  return answer;
}

/** When the oldest part of what is shown arrived: a list has a part for each page. An edited copy counts as of now. */
function arrivalOf(shown: unknown): number | undefined {
  if (shown === undefined) return undefined;
  const parts: unknown[] = Array.isArray(shown) ? shown : [shown];
  const times = parts.map((part) => (typeof part === 'object' && part !== null ? arrivals.get(part) : undefined));
  return Math.min(...times.map((time) => time ?? now()));
}

/** Whether the same call may succeed later: the portal did not answer, was busy, or has a fault. */
const mayPass = (failure: unknown) =>
  failure instanceof ApiRefusal && (failure.status === 0 || failure.status === 429 || failure.status >= 500);

/** Keeps a record of the reads of the page in view that fail (middleware of SWR). */
export const watchReads: Middleware = (useNext) => (key, fetcher, config) => {
  const timed = fetcher && (async (...input: Parameters<typeof fetcher>) => noteArrival(await fetcher(...input)));
  const read = useNext(key, timed as typeof fetcher, config);
  const { data, mutate } = read;
  const isFailing = mayPass(read.error);
  useEffect(() => {
    if (isFailing) return addFailingRead({ readAt: arrivalOf(data), again: () => void mutate() });
  }, [isFailing, data, mutate]);
  return read;
};
