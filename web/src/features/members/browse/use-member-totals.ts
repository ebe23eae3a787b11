import { countUsers, LIMITS } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import type { MemberFilter } from './use-search-address.ts';

/** A number of members; the server counts at most a thousand. */
export interface Total {
  count: number;
  /** True if there are more than were counted. */
  isMore: boolean;
  /** Text such as `214` or `1,000+`. */
  text: string;
}
export type MemberTotals = Record<'all' | MemberFilter, Total>;
export type ShownTotals = { [choice in keyof MemberTotals]?: Total | undefined };

/** Returns the number of members for each choice of a search; undefined until they are counted. */
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

/** True if the result is small enough to sort. */
export const isSortable = ({ count, isMore }: Total): boolean => !isMore && count <= LIMITS.searchCountMax;
