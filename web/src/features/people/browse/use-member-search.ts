import { LIMITS, type SearchStatus, searchUsers } from '@orchestrate/shared';
import { usePages } from '../../../lib/api/use-pages.ts';
import type { SearchAddress } from './use-search-address.ts';

/** The search to send: null while there are fewer than three characters (spec 1 §5), or just a status. */
export interface MemberQuery {
  /** Absent: everybody of the status. */
  q: string | undefined;
  field: string;
  status: SearchStatus | undefined;
}

export function memberQueryOf({ query, field, status }: SearchAddress): MemberQuery | null {
  const q = query.trim();
  // Counted as people do: an emoji is one character, though JavaScript counts two.
  if ([...q].length >= LIMITS.searchMinLength) return { q, field, status };
  return q === '' && status ? { q: undefined, field, status } : null;
}

/** The members that a search finds, or who have a status, page by page; waits while there is nothing to search for. */
export function useMemberSearch(query: MemberQuery | null) {
  const { pages, ...list } = usePages(searchUsers, (previous) => {
    if (!query || (previous && !previous.LastEvaluatedKey)) return null;
    const lastItem = previous?.LastEvaluatedKey ? JSON.stringify(previous.LastEvaluatedKey) : undefined;
    return { query: { ...query, pageSize: LIMITS.searchPageSize, lastItem } };
  });
  return { ...list, members: pages?.flatMap((page) => page.Items) };
}
