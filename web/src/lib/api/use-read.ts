import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import { ApiRefusal } from './api-refusal.ts';
import { cacheKeyOf } from './cache.ts';
import { call, type Replied } from './call.ts';
import { pendingChanges, previewChange, subscribeToChanges, withChanges } from './pending-changes.ts';
import { dropEarlyReads } from './timed-fetch.ts';

/**
 * Reads an endpoint through the cache; waits while the input is null. `isLoading` is true until the first response
 * and `isValidating` during every fetch; `refetch` skips the cache. `preview` displays a change before the server has
 * confirmed it: pass its result to the write's `run`.
 */
export function useRead<E extends EndpointDefinition>(entry: E, input: InputOf<E> | null) {
  const { cache, mutate: mutateAny } = useSWRConfig();
  const key = input && cacheKeyOf(entry, input);
  const read = useSWR<Replied<E>, ApiRefusal>(key, () =>
    // SWR calls the fetcher only if there is a key, and there is a key only if there is an input.
    input ? call(entry, input) : Promise.reject(new ApiRefusal(0, { message: '' })),
  );
  const { data, error, isLoading, isValidating, mutate } = read;
  const refetch = useCallback(() => {
    dropEarlyReads();
    return mutate();
  }, [mutate]);

  const name = unstable_serialize(key);
  const pending = useSyncExternalStore(subscribeToChanges, () => pendingChanges<Replied<E>>(cache, name));
  const shown = useMemo(() => data && withChanges(data, pending), [data, pending]);
  const preview = (apply: (data: Replied<E>) => Replied<E>) =>
    // Captures the current key, because the page can display something else by the time the response arrives.
    previewChange(cache, name, apply, (made) => {
      void mutateAny<Replied<E>>(key, (read) => read && withChanges(read, made), { revalidate: false });
    });
  return { data: shown, refusal: error, isLoading, isValidating, refetch, preview };
}
