import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import { ApiRefusal } from './api-refusal.ts';
import { cacheKeyOf } from './cache.ts';
import { call, type Replied } from './call.ts';
import { pendingChanges, previewChange, subscribeToChanges, withChanges } from './pending-changes.ts';

/**
 * Reads an endpoint through the cache; with null as input it waits. `isLoading` holds until the first answer,
 * `isValidating` during every fetch; `refetch` skips the cache. `preview` shows a change before the server has answered
 * it: pass its result to the `run` of the write.
 */
export function useRead<E extends EndpointDefinition>(entry: E, input: InputOf<E> | null) {
  const { cache, mutate: mutateAny } = useSWRConfig();
  const key = input && cacheKeyOf(entry, input);
  const read = useSWR<Replied<E>, ApiRefusal>(key, () =>
    // The fetcher runs only for a key, and there is a key only for an input.
    input ? call(entry, input) : Promise.reject(new ApiRefusal(0, { message: '' })),
  );
  const { data, error, isLoading, isValidating, mutate } = read;
  const refetch = useCallback(() => mutate(), [mutate]);

  const name = unstable_serialize(key);
  const pending = useSyncExternalStore(subscribeToChanges, () => pendingChanges<Replied<E>>(cache, name));
  const shown = useMemo(() => data && withChanges(data, pending), [data, pending]);
  const preview = (apply: (data: Replied<E>) => Replied<E>) =>
    // The key as it is now: by the time of the answer the page may show something else.
    previewChange(cache, name, apply, (made) => {
      void mutateAny<Replied<E>>(key, (read) => read && withChanges(read, made), { revalidate: false });
    });
  return { data: shown, refusal: error, isLoading, isValidating, refetch, preview };
}
