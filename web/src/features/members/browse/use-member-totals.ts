import { countUsers, LIMITS } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import type { MemberFilter } from './use-search-address.ts';

/** Number of members. The server stops counting at a limit. */
export interface Total {
  count: number;
  /** True if there are more members than counted. */
  isMore: boolean;
  /** Display text such as `214` or `1,000+`. */
  text: string;
}
export type MemberTotals = Record<'all' | MemberFilter, Total>;
export type OptionalTotals = { [choice in keyof MemberTotals]?: Total | undefined };

/** Returns the number of members for each status choice. Undefined until they have been counted. */
export function useMemberTotals(search: { q: string | undefined; field: string } | null): MemberTotals | undefined {
  const { data } = useRead(countUsers, search && { query: search });
  if (!data) return undefined;
  const { counts, more, codesExpiring } = data;
  const of = (name: keyof typeof counts) => totalOf(counts[name], more.includes(name));
  return {
    all: of('all'),
    active: of('active'),
    inactive: of('inactive'),
    unregistered: of('unregistered'),
    invited: of('invited'),
    unverified: of('unverified'),
    deleted: of('deleted'),
    expiring: totalOf(codesExpiring, more.includes('codesExpiring')),
  };
}

const totalOf = (count: number, isMore: boolean): Total => ({
  count,
  isMore,
  text: `${formatNumber(count)}${isMore ? '+' : ''}`,
});

/** Returns true if a result is small enough to sort. */
export const isSortable = ({ count, isMore }: Total): boolean => !isMore && count <= LIMITS.searchCountMax;
