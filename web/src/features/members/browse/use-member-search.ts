import { type AccountStatus, LIMITS, type SearchSort, searchUsers } from '@orchestrate/shared';
import { usePages } from '#lib/api/use-pages.ts';
import type { SearchAddress } from './use-search-address.ts';

/**
 * The search to send: a text of three characters or more, or a shorter one submitted with Enter (spec 1 §5), optionally
 * with a status or with codes that expire soon; or one of these alone.
 */
export interface MemberQuery {
  /** Absent to list all members with the status or an expiring code. */
  q: string | undefined;
  field: string;
  status: AccountStatus | undefined;
  codes?: 'expiring' | undefined;
  sort?: SearchSort | undefined;
}

/** True if a text is searched for only on Enter. Counts code points, so an emoji is one character. */
export const isShort = (text: string): boolean => [...text.trim()].length < LIMITS.searchMinLength;

/** Returns the text to search for; undefined if there is none, null while it is too short and not submitted. */
export function searchTextOf({ query, entered }: Pick<SearchAddress, 'query' | 'entered'>): string | null | undefined {
  const q = query.trim();
  if (q === '') return undefined;
  return isShort(q) && !entered ? null : q;
}

/** Returns the search for an address; null if there is nothing to search for yet. */
export function memberQueryOf(address: SearchAddress): MemberQuery | null {
  const { field, status, codes, sort } = address;
  const q = searchTextOf(address);
  if (q === null || (q === undefined && !status && !codes)) return null;
  if (codes) return { q, field, status: undefined, codes };
  return { q, field, status, sort };
}

/** Reads the members that match a search, page by page; waits while `query` is null. */
export function useMemberSearch(query: MemberQuery | null) {
  const { pages, ...list } = usePages(
    searchUsers,
    (lastItem) => query && { query: { ...query, pageSize: LIMITS.searchPageSize, lastItem } },
  );
  return { ...list, members: pages?.flatMap((page) => page.Items) };
}
