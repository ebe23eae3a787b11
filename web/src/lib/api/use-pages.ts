import type { EndpointDefinition, InputOf, ReplyOf } from '@orchestrate/shared';
import { useCallback, useEffect } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite, { unstable_serialize } from 'swr/infinite';
import type { ApiRefusal } from './api-refusal.ts';
import { type CacheKey, cacheKeyOf } from './cache.ts';
import { call } from './call.ts';
import { knowList } from './paged-lists.ts';

/**
 * Reads a keyset-paged endpoint page by page through the cache. A list that is shown again comes from the cache as far
 * as it was read; one older than 60 s is read again in the background.
 * @param inputFor the input of the page after `lastItem`, of the first one where that is undefined; null while nothing
 * is to be read
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
    // The input is the second part of the key from `keyOf`.
    ([, input]: [string, InputOf<E>]) => call(entry, input),
    { revalidateFirstPage: false, revalidateOnMount: true },
  );

  const listKey = unstable_serialize(keyOf);
  useEffect(() => knowList(cache, listKey, `${entry.method} ${entry.path}`), [cache, listKey, entry]);

  const pages = data?.length ?? 0;
  const last = data?.at(-1);
  const hasMore = last !== undefined && inputAfter(last) !== null;
  const loadMore = useCallback(() => setSize(pages + 1), [setSize, pages]);
  const refetch = useCallback(() => mutate(), [mutate]);
  return { pages: data, refusal: error, isLoadingMore: hasMore && size > pages && !error, hasMore, loadMore, refetch };
}
