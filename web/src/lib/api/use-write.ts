import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useCallback, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { ApiRefusal } from './api-refusal.ts';
import { type CacheGroup, isInGroups } from './cache-groups.ts';
import { type CallOptions, call, type Replied } from './call.ts';
import { freshenLists } from './paged-lists.ts';
import type { Preview } from './pending-changes.ts';

/**
 * Makes the named groups of cached answers stale and reads visible ones again. The activity lists are always included,
 * because every change appears in one.
 */
export function useInvalidate(): (...groups: CacheGroup[]) => Promise<void> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(
    async (...named) => {
      const groups: CacheGroup[] = [...named, 'Activity'];
      await mutate((key) => isInGroups(key, groups));
      await freshenLists(cache, mutate, (name) => isInGroups([name], groups));
    },
    [cache, mutate],
  );
}

export interface WriteOptions extends CallOptions {
  /** The change as a read already shows it, from its `preview`. */
  preview?: Preview | undefined;
}

/**
 * Calls an endpoint that changes something. `run` returns as `call` does and throws the refusal, which is also in
 * `refusal` until the next run or `reset`. After every success the groups in `invalidates` are read again, however many
 * other changes are under way: what is shown last is what the server knows after the last answer. So they are after a
 * refusal that is not about the input. If something no longer exists, members and devices are read again too: the page
 * then shows what is left.
 */
export function useWrite<E extends EndpointDefinition>(
  entry: E,
  options: { invalidates?: readonly CacheGroup[] } = {},
) {
  const invalidate = useInvalidate();
  const [pending, setPending] = useState(0);
  const [refusal, setRefusal] = useState<ApiRefusal>();
  const groups = useRef(options.invalidates ?? []);

  const run = useCallback(
    async (input: InputOf<E>, { preview, ...given }: WriteOptions = {}): Promise<Replied<E>> => {
      setPending((count) => count + 1);
      setRefusal(undefined);
      try {
        const reply = await call(entry, input, given).finally(() => setPending((count) => count - 1));
        preview?.settle(true);
        await invalidate(...groups.current);
        return reply;
      } catch (failure) {
        preview?.settle(false);
        if (failure instanceof ApiRefusal) {
          setRefusal(failure);
          if (isAboutState(failure)) void invalidate(...groups.current, ...(failure.status === 404 ? GONE : []));
        }
        throw failure;
      }
    },
    [entry, invalidate],
  );
  const reset = useCallback(() => setRefusal(undefined), []);
  return { run, reset, isPending: pending > 0, refusal };
}

/** Whether the server refused something that looked possible here, so that what is shown may be outdated. */
const isAboutState = ({ status, issues }: ApiRefusal) => status > 0 && status !== 401 && issues.length === 0;

/** The groups in which whatever has been deleted elsewhere may still be shown. */
export const GONE = ['Member Profile', 'Device Listing'] as const satisfies readonly CacheGroup[];
