import { type AccountStatus, LIMITS, type SearchSort, searchUsers } from '@orchestrate/shared';
import { usePages } from '#lib/api/use-pages.ts';
import type { SearchAddress } from './use-search-address.ts';

/**
 * Search to send to the server. The text has at least three characters, or fewer if submitted with Enter (spec 1 §5).
 * A status or the filter for codes that expire soon can narrow the search, and also works without a text.
 */
export interface MemberQuery {
  /** Search text. Undefined to list all members with the status or an expiring code. */
  q: string | undefined;
  field: string;
  status: AccountStatus | undefined;
  codes?: 'expiring' | undefined;
  sort?: SearchSort | undefined;
}

/**
 * Returns true if a text is so short that it is searched for only on Enter. Counts code points, so an emoji is one
 * character.
 */
export const isShortSearch = (text: string): boolean => [...text.trim()].length < LIMITS.searchMinLength;

/**
 * Returns the text to search for. Returns undefined if there is no text, and null if it is too short and Enter wasn't
 * pressed.
 */
export function searchTextOf({ query, entered }: Pick<SearchAddress, 'query' | 'entered'>): string | null | undefined {
  const q = query.trim();
  if (q === '') return undefined;
  return isShortSearch(q) && !entered ? null : q;
}

/** Returns the search described by the URL, or null if there is nothing to search for yet. */
export function memberQueryOf(address: SearchAddress): MemberQuery | null {
  const { field, status, codes, sort } = address;
  const q = searchTextOf(address);
  if (q === null || (q === undefined && !status && !codes)) return null;
  if (codes) return { q, field, status: undefined, codes };
  return { q, field, status, sort };
}

/** Fetches the members that match a search, page by page. Waits while `query` is null. */
export function useMemberSearch(query: MemberQuery | null) {
  const { pages, ...list } = usePages(
    searchUsers,
    (lastItem) => query && { query: { ...query, pageSize: LIMITS.searchPageSize, lastItem } },
  );
  return { ...list, members: pages?.flatMap((page) => page.Items) };
}
