import { getLoginHistory, LIMITS } from '@orchestrate/shared';
import { usePages } from '../../lib/api/use-pages.ts';

/** All sign-ins of the signed-in person, newest first, page by page. */
export function useLoginHistory() {
  const { pages, ...list } = usePages(getLoginHistory, (lastItem) => ({
    query: { count: LIMITS.searchPageSize, lastItem },
  }));
  return { ...list, records: pages?.flatMap((page) => page.records) };
}
