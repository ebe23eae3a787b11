import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useCallback, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { ApiRefusal } from './api-refusal.ts';
import { type CacheGroup, isInGroups } from './cache-groups.ts';
import { type CallOptions, call, type Replied } from './call.ts';
import { revalidateLists } from './paged-lists.ts';
import type { Preview } from './pending-changes.ts';
import { dropEarlyReads } from './timed-fetch.ts';

/**
 * Returns a function that invalidates groups of cached responses and reloads the visible ones. The activity lists are
 * always included, because every change appears in one of them.
 */
export function useInvalidate(): (...groups: CacheGroup[]) => Promise<void> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(
    async (...named) => {
      const groups: CacheGroup[] = [...named, 'Activity'];
      dropEarlyReads();
      await mutate((key) => isInGroups(key, groups));
      await revalidateLists(cache, mutate, (name) => isInGroups([name], groups));
    },
    [cache, mutate],
  );
}

export interface WriteOptions extends CallOptions {
  /** Result of a read's `preview`, if that read already displays the change. */
  preview?: Preview | undefined;
}

/**
 * Calls an endpoint that makes a change. `run` returns the response as `call` does, and throws on a refusal, which
 * `refusal` also contains until the next run or `reset`. The groups in `invalidates` are reloaded after every
 * success, even during other changes, and after a refusal that isn't about the input. If an item no longer exists,
 * members and devices are reloaded too.
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
          if (isAboutState(failure))
            void invalidate(...groups.current, ...(failure.status === 404 ? NOT_FOUND_CACHE_GROUPS : []));
        }
        throw failure;
      }
    },
    [entry, invalidate],
  );
  const reset = useCallback(() => setRefusal(undefined), []);
  return { run, reset, isPending: pending > 0, refusal };
}

/** Returns true if a refusal suggests that the displayed state is outdated. */
const isAboutState = ({ status, issues }: ApiRefusal) => status > 0 && status !== 401 && issues.length === 0;

/** Cache groups to reload if an item no longer exists, because they can still contain items deleted elsewhere. */
export const NOT_FOUND_CACHE_GROUPS = ['Member Profile', 'Device Listing'] as const satisfies readonly CacheGroup[];
