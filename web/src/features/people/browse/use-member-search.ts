import { type AccountStatus, LIMITS, type SearchSort, searchUsers } from '@orchestrate/shared';
import { usePages } from '../../../lib/api/use-pages.ts';
import type { SearchAddress } from './use-search-address.ts';

/**
 * The search to send: a text of three characters or more (spec 1 §5), with or without a status or codes that expire
 * soon; or one of these alone.
 */
export interface MemberQuery {
  /** Absent: everybody of the status, or with such a code. */
  q: string | undefined;
  field: string;
  status: AccountStatus | undefined;
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
  if (q === null || (q === undefined && !status && !codes)) return null;
  if (codes) return { q, field, status: undefined, codes };
  return { q, field, status, sort };
}

/** The members that a search finds, or who have a status, page by page; waits while there is nothing to search for. */
export function useMemberSearch(query: MemberQuery | null) {
  const { pages, ...list } = usePages(
    searchUsers,
    (lastItem) => query && { query: { ...query, pageSize: LIMITS.searchPageSize, lastItem } },
  );
  return { ...list, members: pages?.flatMap((page) => page.Items) };
}
