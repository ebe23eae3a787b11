import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useCallback } from 'react';
import useSWR from 'swr';
import { ApiRefusal } from './api-refusal.ts';
import { cacheKeyOf } from './cache-key.ts';
import { call, type Replied } from './call.ts';

/**
 * Reads an endpoint through the cache; with null as input it waits. `isLoading` holds until the first answer,
 * `isValidating` during every fetch; `refetch` skips the cache; `mutate` is SWR's, for optimistic changes.
 */
export function useRead<E extends EndpointDefinition>(entry: E, input: InputOf<E> | null) {
  const read = useSWR<Replied<E>, ApiRefusal>(input && cacheKeyOf(entry, input), () =>
    // The fetcher runs only for a key, and there is a key only for an input.
    input ? call(entry, input) : Promise.reject(new ApiRefusal(0, { message: '' })),
  );
  const { data, error, isLoading, isValidating, mutate } = read;
  const refetch = useCallback(() => mutate(), [mutate]);
  return { data, refusal: error, isLoading, isValidating, refetch, mutate };
}
