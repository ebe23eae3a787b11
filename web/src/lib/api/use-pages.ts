import type { EndpointDefinition, InputOf, ReplyOf } from '@orchestrate/shared';
import { useCallback, useEffect } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite, { unstable_serialize } from 'swr/infinite';
import type { ApiRefusal } from './api-refusal.ts';
import { type CacheKey, cacheKeyOf } from './cache.ts';
import { call } from './call.ts';
import { registerList } from './paged-lists.ts';
import { dropEarlyReads } from './timed-fetch.ts';

/**
 * Reads a keyset-paged endpoint page by page through the cache. When a list is displayed again, its loaded pages are
 * restored from the cache, and reloaded in the background if they are older than 60 s.
 * @param inputFor returns the input for the page after `lastItem` (undefined for the first page), or null to wait
 */
export function usePages<E extends EndpointDefinition>(
  entry: E,
  inputFor: (lastItem: string | undefined) => InputOf<E> | null,
) {
  const { cache } = useSWRConfig();
  const inputAfter = (previous: ReplyOf<E> | null) => {
    if (!previous) return inputFor(undefined);
    const next = 'LastEvaluatedKey' in previous && previous.LastEvaluatedKey;
    return next ? inputFor(JSON.stringify(next)) : null;
  };
  const keyOf = (_: number, previous: ReplyOf<E> | null): CacheKey | null => {
    const input = inputAfter(previous);
    return input && cacheKeyOf(entry, input);
  };
  const { data, error, size, setSize, mutate } = useSWRInfinite<ReplyOf<E>, ApiRefusal>(
    keyOf,
    // `keyOf` puts the input in the key's second item.
    ([, input]: [string, InputOf<E>]) => call(entry, input),
    { revalidateFirstPage: false, revalidateOnMount: true },
  );

  const listKey = unstable_serialize(keyOf);
  useEffect(() => registerList(cache, listKey, `${entry.method} ${entry.path}`), [cache, listKey, entry]);

  const pages = data?.length ?? 0;
  const last = data?.at(-1);
  const hasMore = last !== undefined && inputAfter(last) !== null;
  const loadMore = useCallback(() => setSize(pages + 1), [setSize, pages]);
  const refetch = useCallback(() => {
    dropEarlyReads();
    return mutate();
  }, [mutate]);
  return { pages: data, refusal: error, isLoadingMore: hasMore && size > pages && !error, hasMore, loadMore, refetch };
}
