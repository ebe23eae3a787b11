import { LIMITS, type Member, searchUsers } from '@orchestrate/shared';
import { UserRound } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { memberAddress } from '../lib/address/member-address.ts';
import { useRead } from '../lib/api/use-read.ts';
import { useIsDesktop } from '../lib/browser/use-media.ts';
import { fullNameOf } from '../lib/format/full-name.ts';
import { useCan } from '../lib/session/session.ts';
import { useDebounced } from '../lib/time/use-debounced.ts';
import { paths } from '../paths.ts';
import type { Command } from './commands.ts';

const SHOWN = 6;

const longest = (words: readonly string[]) =>
  words.reduce((found, word) => (word.length > found.length ? word : found), '');

/** Members whose name contains every word, without duplicates. */
function matching(members: readonly Member[], words: readonly string[]): Member[] {
  const matches = (member: Member) =>
    words.every((word) => fullNameOf(member).toLocaleLowerCase().includes(word.toLocaleLowerCase()));
  return [...new Map(members.filter(matches).map((member) => [member.suid, member])).values()].slice(0, SHOWN);
}

interface MemberCommands {
  commands: Command[];
  maySearch: boolean;
  isSearching: boolean;
}

/** Finds members by first or last name, for people who may search for members. */
export function useMemberCommands(query: string): MemberCommands {
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const maySearch = useCan('SEARCH_USER') && isDesktop;
  const words = query.trim().split(/\s+/);
  const wanted = longest(words);
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  const input = (field: string) =>
    maySearch && q === wanted && q.length >= LIMITS.searchMinLength
      ? { query: { q, field, pageSize: LIMITS.searchPageSize } }
      : null;
  const byFirstName = useRead(searchUsers, input('firstName'));
  const byLastName = useRead(searchUsers, input('lastName'));

  const found = matching([...(byFirstName.data?.Items ?? []), ...(byLastName.data?.Items ?? [])], words);
  const commands = found.map(
    (member): Command => ({
      id: member.suid,
      label: fullNameOf(member),
      detail: member.primaryEmail,
      icon: UserRound,
      kind: 'Member',
      run: () => void navigate(memberAddress(paths.member, member)),
    }),
  );
  const isWaiting = maySearch && q !== wanted && wanted.length >= LIMITS.searchMinLength;
  return { commands, maySearch, isSearching: isWaiting || byFirstName.isLoading || byLastName.isLoading };
}
