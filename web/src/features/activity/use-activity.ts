import { type InputOf, listActivity } from '@orchestrate/shared';
import { usePages } from '../../lib/api/use-pages.ts';

const PAGE_SIZE = 50;

export type ActivityQuery = Omit<NonNullable<InputOf<typeof listActivity>['query']>, 'pageSize' | 'lastItem'>;

/** The changes that match the filters, newest first, page by page. */
export function useActivity(filters: ActivityQuery) {
  const { pages, ...list } = usePages(listActivity, (lastItem) => ({
    query: { ...filters, pageSize: PAGE_SIZE, lastItem },
  }));
  return { ...list, events: pages?.flatMap((page) => page.Items) };
}
