import { LIMITS, type Member, searchUsers } from '@orchestrate/shared';
import { useRead } from '../lib/api/use-read.ts';
import { useDebounced } from '../lib/time/use-debounced.ts';

const FIELDS = ['firstName', 'lastName', 'primaryEmail'] as const;
const SHOWN = 6;

/** The members whose first name, last name or e-mail contains a text, at most six, for people who may search for members. */
export function useMemberChoice(query: string) {
  const wanted = query.trim();
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  const isAsked = [...wanted].length >= LIMITS.searchMinLength;
  const input = (field: (typeof FIELDS)[number]) =>
    isAsked && q === wanted ? { query: { q, field, pageSize: LIMITS.searchPageSize } } : null;
  const reads = [
    useRead(searchUsers, input('firstName')),
    useRead(searchUsers, input('lastName')),
    useRead(searchUsers, input('primaryEmail')),
  ];
  const items = reads.flatMap(({ data }): Member[] => data?.Items ?? []);
  const members = [...new Map(items.map((member) => [member.suid, member])).values()].slice(0, SHOWN);
  const isSearching = isAsked && (q !== wanted || reads.some(({ isLoading }) => isLoading));
  return { members, isSearching, isAsked };
}
