import { LIMITS, type SearchSort, type SearchStatus, searchUsers } from '@orchestrate/shared';
import { usePages } from '../../../lib/api/use-pages.ts';
import type { SearchAddress } from './use-search-address.ts';

/** The search to send: a text of three characters or more (spec 1 §5), a status, or codes that expire soon. */
export interface MemberQuery {
  /** Absent: everybody of the status. */
  q: string | undefined;
  field: string;
  status: SearchStatus | undefined;
  codes?: 'expiring' | undefined;
  sort?: SearchSort | undefined;
}

/** The text to search for; undefined where there is none, null while it is too short. */
export function searchTextOf({ query }: SearchAddress): string | null | undefined {
  const q = query.trim();
  if (q === '') return undefined;
  // Counted as people do: an emoji is one character, though JavaScript counts two.
  return [...q].length >= LIMITS.searchMinLength ? q : null;
}

/** null while there is nothing to search for. */
export function memberQueryOf(address: SearchAddress): MemberQuery | null {
  const { field, status, codes, sort } = address;
  const q = searchTextOf(address);
  if (codes && q === undefined) return { q, field, status: undefined, codes };
  if (q === null || (q === undefined && !status)) return null;
  return { q, field, status, sort };
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
