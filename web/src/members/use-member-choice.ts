import { LIMITS, searchUsers } from '@orchestrate/shared';
import { useRead } from '../lib/api/use-read.ts';
import { useDebounced } from '../lib/time/use-debounced.ts';

const SHOWN = 6;

/** The members with a text in any field, at most six, for people who may search for members. */
export function useMemberChoice(query: string) {
  const wanted = query.trim();
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  const isAsked = [...wanted].length >= LIMITS.searchMinLength;
  const { data, isLoading } = useRead(
    searchUsers,
    isAsked && q === wanted ? { query: { q, field: 'any', pageSize: SHOWN } } : null,
  );
  return { members: data?.Items ?? [], isSearching: isAsked && (q !== wanted || isLoading), isAsked };
}
