import { t } from '@lingui/core/macro';
import { fullNameOf, LIMITS, searchUsers } from '@orchestrate/shared';
import { UserRound } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { memberAddress } from '../lib/address/member-address.ts';
import { useRead } from '../lib/api/use-read.ts';
import { useHasRoom } from '../lib/browser/use-media.ts';
import { useCan } from '../lib/session/session.ts';
import { useDebounced } from '../lib/time/use-debounced.ts';
import { paths } from '../paths.ts';
import type { Command } from './commands.ts';

const SHOWN = 6;

interface MemberCommands {
  commands: Command[];
  maySearch: boolean;
  isSearching: boolean;
}

/** Finds members by name, email or attribute, for people who may search for members. */
export function useMemberCommands(query: string): MemberCommands {
  const navigate = useNavigate();
  const hasRoom = useHasRoom();
  const maySearch = useCan('SEARCH_USER') && hasRoom;
  const wanted = query.trim();
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  // Counted as people do: an emoji is one character, though JavaScript counts two.
  const isLongEnough = [...wanted].length >= LIMITS.searchMinLength;
  const isAsked = maySearch && isLongEnough;
  const { data, isLoading } = useRead(
    searchUsers,
    isAsked && q === wanted ? { query: { q, field: 'any', pageSize: SHOWN } } : null,
  );

  const commands = (data?.Items ?? []).map(
    (member): Command => ({
      id: member.suid,
      label: fullNameOf(member),
      detail: member.primaryEmail,
      icon: UserRound,
      kind: t`Member`,
      run: () => void navigate(memberAddress(paths.member, member)),
    }),
  );
  return { commands, maySearch, isSearching: isLoading || (isAsked && q !== wanted) };
}
