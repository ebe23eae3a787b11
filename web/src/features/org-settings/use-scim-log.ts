import { getScimLog, LIMITS } from '@orchestrate/shared';
import { usePages } from '../../lib/api/use-pages.ts';

/** What the directory has done, newest first, page by page. */
export function useScimLog() {
  const { pages, ...list } = usePages(getScimLog, (lastItem) => ({
    query: { count: LIMITS.searchPageSize, lastItem },
  }));
  return { ...list, records: pages?.flatMap((page) => page.records) };
}
