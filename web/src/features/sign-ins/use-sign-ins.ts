import { listSignIns } from '@orchestrate/shared';
import { spanOf } from '../../events/period.ts';
import { usePages } from '../../lib/api/use-pages.ts';
import type { SignInFilters } from './use-sign-in-filters.ts';

const PAGE_SIZE = 50;

/** The organisation's sign-ins that match the filters, newest first, page by page. */
export function useSignIns({ from, to, ...filters }: SignInFilters) {
  const { pages, ...list } = usePages(listSignIns, (lastItem) => ({
    query: { ...filters, ...spanOf({ from, to }), pageSize: PAGE_SIZE, lastItem },
  }));
  return { ...list, records: pages?.flatMap((page) => page.Items) };
}
