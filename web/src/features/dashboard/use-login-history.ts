import { getLoginHistory, LIMITS, type LoginRecord, type ReplyOf } from '@orchestrate/shared';
import useSWRInfinite from 'swr/infinite';
import { call } from '../../lib/api.ts';
import type { ApiRefusal } from '../../lib/api-refusal.ts';
import { cacheKeyOf } from '../../lib/cache-groups.ts';

type Page = ReplyOf<typeof getLoginHistory>;

/** The query of the page that follows `previous`, null where that was the last one. */
function queryAfter(previous: Page | null) {
  if (previous && !previous.LastEvaluatedKey) return null;
  const lastItem = previous?.LastEvaluatedKey ? JSON.stringify(previous.LastEvaluatedKey) : undefined;
  return { count: LIMITS.searchPageSize, lastItem };
}

/** All sign-ins of the signed-in person, newest first, page by page. */
export function useLoginHistory() {
  const { data, error, size, setSize, isLoading, mutate } = useSWRInfinite<Page, ApiRefusal>(
    (_, previous: Page | null) => {
      const query = queryAfter(previous);
      return query && cacheKeyOf(getLoginHistory, { query });
    },
    ([, input]: [string, { query: NonNullable<ReturnType<typeof queryAfter>> }]) => call(getLoginHistory, input),
    { revalidateFirstPage: false },
  );
  const records: LoginRecord[] | undefined = data?.flatMap((page) => page.records);
  const isLoadingMore = size > (data?.length ?? 0) && !error;
  return {
    records,
    refusal: error,
    isLoading,
    isLoadingMore,
    hasMore: Boolean(data?.at(-1)?.LastEvaluatedKey),
    loadMore: () => setSize(size + 1),
    refetch: () => mutate(),
  };
}
