import { type EndpointDefinition, type InputOf, LIMITS, type ReplyOf } from '@orchestrate/shared';
import { useCallback, useRef, useState } from 'react';
import useSWR, { type SWRConfiguration, useSWRConfig } from 'swr';
import { call } from './api.ts';
import { ApiRefusal } from './api-refusal.ts';
import { type CacheGroup, cacheKeyOf, isInGroups } from './cache-groups.ts';
import { freshenLists } from './paged-lists.ts';

const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/** How reads are cached (spec 1 §7): 60 s, again on reconnect but not on focus, one retry where one can help. */
export const cacheOptions: SWRConfiguration = {
  dedupingInterval: LIMITS.cacheMs,
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  errorRetryCount: 1,
  errorRetryInterval: 1_000,
  shouldRetryOnError: (failure) => !(failure instanceof ApiRefusal && FINAL_STATUSES.has(failure.status)),
};

/**
 * Reads an endpoint through the cache; with null as input it waits. `isLoading` holds until the first answer,
 * `isValidating` during every fetch; `refetch` skips the cache; `mutate` is SWR's, for optimistic changes.
 */
export function useRead<E extends EndpointDefinition>(entry: E, input: InputOf<E> | null) {
  const read = useSWR<ReplyOf<E>, ApiRefusal>(input && cacheKeyOf(entry, input), () =>
    // The fetcher runs only for a key, and there is a key only for an input.
    input ? call(entry, input) : Promise.reject(new ApiRefusal(0, { message: '' })),
  );
  const { data, error, isLoading, isValidating, mutate } = read;
  const refetch = useCallback(() => mutate(), [mutate]);
  return { data, refusal: error, isLoading, isValidating, refetch, mutate };
}

/** Makes the named groups of cached answers stale and reads again those that are on the screen. */
export function useInvalidate(): (...groups: CacheGroup[]) => Promise<void> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(
    async (...groups) => {
      await mutate((key) => isInGroups(key, groups));
      await freshenLists(cache, mutate, (name) => isInGroups([name], groups));
    },
    [cache, mutate],
  );
}

/**
 * Calls an endpoint that changes something. `run` answers as `call` does and throws the refusal, which also stands in
 * `refusal` until the next run or `reset`; the groups in `invalidates` are read again after a success.
 */
export function useWrite<E extends EndpointDefinition>(
  entry: E,
  options: { invalidates?: readonly CacheGroup[] } = {},
) {
  const invalidate = useInvalidate();
  const [state, setState] = useState<{ isPending: boolean; refusal: ApiRefusal | undefined }>(idle);
  const groups = useRef(options.invalidates ?? []);

  const run = useCallback(
    async (input: InputOf<E>): Promise<ReplyOf<E>> => {
      setState({ isPending: true, refusal: undefined });
      try {
        const reply = await call(entry, input);
        setState(idle);
        if (groups.current.length > 0) await invalidate(...groups.current);
        return reply;
      } catch (failure) {
        if (failure instanceof ApiRefusal) setState({ isPending: false, refusal: failure });
        else setState(idle);
        throw failure;
      }
    },
    [entry, invalidate],
  );
  const reset = useCallback(() => setState(idle), []);
  return { run, reset, ...state };
}

const idle = { isPending: false, refusal: undefined };
