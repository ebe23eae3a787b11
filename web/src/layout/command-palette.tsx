import { Box, chakra, Dialog, Flex, Kbd, Portal, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, LIMITS, searchUsers } from '@orchestrate/shared';
import { CornerDownLeft, Search, UserRound } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { memberAddress } from '#lib/address/member-address.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { useCan } from '#lib/session/session.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { paths } from '#paths.ts';
import { type Command, filterCommands } from './commands.ts';

const SHOWN = 6;

interface MemberCommands {
  commands: Command[];
  maySearch: boolean;
  isSearching: boolean;
}

/** Searches members by name, email or attribute if the user has permission. */
function useMemberCommands(query: string): MemberCommands {
  const navigate = useNavigate();
  const hasRoom = useHasRoomForAdministration();
  const maySearch = useCan('SEARCH_USER') && hasRoom;
  const wanted = query.trim();
  const q = useDebounced(wanted, LIMITS.searchDebounceMs);
  // Count code points, so that an emoji is one character.
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

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  commands: Command[];
}

const Field = chakra('input', {
  base: {
    flex: '1',
    minW: '0',
    h: '14',
    bg: 'transparent',
    fontSize: 'lg',
    outline: 'none',
  },
});

/** A keyboard-driven search for screens, actions and, with permission, members. */
export default function CommandPalette({ isOpen, onClose, commands }: CommandPaletteProps) {
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={({ open }) => !open && onClose()}
      onFocusOutside={(event) => event.preventDefault()}
      size="md"
      placement="top"
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content overflow="hidden">
            <VisuallyHidden>
              <Dialog.Title>{t`Find anything`}</Dialog.Title>
            </VisuallyHidden>
            <Finder commands={commands} onClose={onClose} />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

function Finder({ commands, onClose }: { commands: Command[]; onClose: () => void }) {
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const members = useMemberCommands(query);
  const found = [...filterCommands(commands, query), ...members.commands];
  const optionId = (at: number) => `${listId}-${at}`;
  const activeOption = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ref moves to another option when `active` changes.
  useEffect(() => {
    activeOption.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setActive((active + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(found[active]);
    }
  };

  return (
    <>
      <Flex align="center" gap="3" px="5" borderBottomWidth="1px" color="fg.muted">
        <Search size={18} aria-hidden />
        <Field
          color="fg"
          role="combobox"
          aria-label={members.maySearch ? t`Find a screen, an action or a member` : t`Find a screen or an action`}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found.length > 0 ? optionId(active) : undefined}
          placeholder={members.maySearch ? t`Find a screen, an action or a member` : t`Find a screen or an action`}
          maxLength={100}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd>Esc</Kbd>
      </Flex>
      <Box id={listId} role="listbox" aria-label={t`Screens and actions`} p="2" maxH="96" overflowY="auto">
        {found.map((command, at) => (
          <Flex
            key={command.id ?? command.label}
            id={optionId(at)}
            ref={at === active ? activeOption : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            align="center"
            gap="3"
            minH="10"
            px="3"
            borderRadius="l2"
            cursor="pointer"
            bg={at === active ? 'bg.muted' : undefined}
            onPointerMove={() => setActive(at)}
            onClick={() => run(command)}
          >
            <Box color="fg.muted">
              <command.icon size={18} strokeWidth={1.75} aria-hidden />
            </Box>
            <Text flex="1" minW="0" truncate>
              {command.label}
              {command.detail && (
                <chakra.span ps="2" textStyle="sm" color="fg.muted">
                  {command.detail}
                </chakra.span>
              )}
            </Text>
            <Text textStyle="xs" color="fg.subtle">
              {command.kind}
            </Text>
            <Box color="fg.subtle" visibility={at === active ? 'visible' : 'hidden'}>
              <CornerDownLeft size={14} aria-hidden />
            </Box>
          </Flex>
        ))}
      </Box>
      {(members.isSearching || found.length === 0) && (
        <Text role="status" px="5" pb={found.length === 0 ? '6' : '3'} pt="2" textAlign="center" color="fg.muted">
          {members.isSearching ? t`Searching members…` : t`No results for “${query.trim()}”.`}
        </Text>
      )}
    </>
  );
}
