import { fullNameOf, listReportees, type Member, plainText, statusesFoundBy } from '@orchestrate/shared';
import { useRead } from '../../../lib/api/use-read.ts';
import type { SearchAddress } from './use-search-address.ts';

/** The signed-in manager's direct reports, all of them. */
export function useReportees() {
  const { data, refusal, refetch } = useRead(listReportees, { query: {} });
  return { reportees: data?.reportee, refusal, refetch };
}

/**
 * Reports whose name, username (primary attribute) or email contains the text, and who have the status; deleted ones
 * only where that is the status.
 */
export function matchingReportees(
  reportees: readonly Member[],
  { query, status }: Pick<SearchAddress, 'query' | 'status'>,
): Member[] {
  const wanted = plainText(query.trim());
  return reportees.filter((member) => {
    const { accountStatus } = member;
    if (status ? !statusesFoundBy(status).includes(accountStatus) : accountStatus === 'deleted') return false;
    const searched = [fullNameOf(member), member.primaryAttr, member.primaryEmail];
    return searched.some((text) => plainText(text).includes(wanted));
  });
}
