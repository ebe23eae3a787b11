import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, LIMITS, type Member, searchUsers } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { SearchField } from '#ui/form/search-field.tsx';

const SHOWN = 6;

/** Finds up to six members with the search text in any field. Requires permission to search. */
function useMemberChoice(query: string) {
  const wanted = query.trim();
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  const isAsked = [...wanted].length >= LIMITS.searchMinLength;
  const { data, isLoading } = useRead(
    searchUsers,
    isAsked && q === wanted ? { query: { q, field: 'any', pageSize: SHOWN } } : null,
  );
  return { members: data?.Items ?? [], isSearching: isAsked && (q !== wanted || isLoading), isAsked };
}

const QUERY_MAX_LENGTH = 254;

interface MemberChoiceProps {
  /** Field label, e.g. 'Select another member'. */
  label: string;
  onChoose: (member: Member) => void;
}

/** Selects a member by name or email. */
export function MemberPicker({ label, onChoose }: MemberChoiceProps) {
  const [query, setQuery] = useState('');
  const { members, isSearching, isAsked } = useMemberChoice(query);
  const choose = (member: Member) => {
    onChoose(member);
    setQuery('');
  };
  return (
    <Flex
      direction="column"
      gap="2"
      maxW="2xl"
      role="search"
      // Keep Enter from submitting the surrounding form.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <SearchField
        label={label}
        placeholder={t`Name or email (at least ${LIMITS.searchMinLength} characters)`}
        maxLength={QUERY_MAX_LENGTH}
        value={query}
        onChange={setQuery}
      />
      {members.length > 0 && (
        <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="l2" overflow="hidden">
          {members.map((member) => (
            <li key={member.suid}>
              <Results member={member} onChoose={() => choose(member)} />
            </li>
          ))}
        </Box>
      )}
      {isAsked && !isSearching && members.length === 0 && (
        <Text color="fg.muted" role="status">
          {t`No members match. Try another name or email.`}
        </Text>
      )}
    </Flex>
  );
}

function Results({ member, onChoose }: { member: Member; onChoose: () => void }) {
  return (
    <chakra.button
      type="button"
      onClick={onChoose}
      display="flex"
      gap="3"
      w="full"
      px="3"
      py="2"
      textAlign="start"
      cursor="pointer"
      outline="0"
      focusVisibleRing="inside"
      _hover={{ bg: 'bg.subtle' }}
    >
      <chakra.span fontWeight="medium">{fullNameOf(member)}</chakra.span>
      <chakra.span color="fg.muted" truncate>
        {member.primaryEmail}
      </chakra.span>
    </chakra.button>
  );
}
