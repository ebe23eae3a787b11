import { Box, chakra, Dialog, Flex, Kbd, Portal, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Profile } from '@orchestrate/shared';
import { CornerDownLeft, Search } from 'lucide-react';
import { Fragment, type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isMac } from '#lib/browser/use-media.ts';
import { splitByMatches } from '#ui/text/matched-text.tsx';
import { addRecentCommand, type Command, foundSynonyms } from './commands.ts';
import type { MenuGroup } from './menu.ts';
import { useFound } from './use-found.ts';

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  profile: Profile;
  groups: readonly MenuGroup[];
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

/** A keyboard-driven search for screens, actions and everything that the user can open. */
export default function CommandPalette({ isOpen, onClose, profile, groups }: CommandPaletteProps) {
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={({ open }) => !open && onClose()}
      onFocusOutside={(event) => event.preventDefault()}
      unmountOnExit
      size="md"
      placement="top"
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content overflow="hidden" maxW="2xl">
            <VisuallyHidden>
              <Dialog.Title>{t`Find anything`}</Dialog.Title>
            </VisuallyHidden>
            <Finder profile={profile} groups={groups} onClose={onClose} />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

function Finder({ profile, groups, onClose }: Omit<CommandPaletteProps, 'isOpen'>) {
  const navigate = useNavigate();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { found, members, shell } = useFound(query, profile, groups);
  const optionId = (at: number) => `${listId}-${at}`;
  const activeOption = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ref moves to another option when `active` changes.
  useEffect(() => {
    activeOption.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const run = (command: Command | undefined, isNewTab: boolean) => {
    if (!command) return;
    onClose();
    if (shell.some(({ id }) => id === command.id)) addRecentCommand(command.id);
    if (command.to === undefined) command.run?.();
    else if (isNewTab) window.open(command.to, '_blank', 'noopener');
    else void navigate(command.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setActive((active + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(found[active], event.ctrlKey || event.metaKey);
    }
  };
  const sections = [...Map.groupBy(found.entries(), ([, { section }]) => section)];

  return (
    <>
      <Flex align="center" gap="3" px="5" borderBottomWidth="1px" color="fg.muted">
        <Search size={18} aria-hidden />
        <Field
          color="fg"
          role="combobox"
          aria-label={t`Find anything`}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found.length > 0 ? optionId(active) : undefined}
          placeholder={
            members.maySearch ? t`Screens, settings, members, applications, help…` : t`Screens, actions, help…`
          }
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
      <Box id={listId} role="listbox" aria-label={t`Screens and actions`} px="2" pb="2" maxH="96" overflowY="auto">
        {sections.map(([section, commands]) => (
          <Box key={section} role="group" aria-label={section}>
            <Text aria-hidden px="3" pt="3" pb="1" textStyle="xs" fontWeight="medium" color="fg.muted">
              {section}
            </Text>
            {commands.map(([at, command]) => (
              <Option
                key={command.id}
                id={optionId(at)}
                ref={at === active ? activeOption : undefined}
                command={command}
                query={query}
                isActive={at === active}
                onPoint={() => setActive(at)}
                onRun={(isNewTab) => run(command, isNewTab)}
              />
            ))}
          </Box>
        ))}
      </Box>
      {(members.isSearching || found.length === 0) && (
        <Text role="status" px="5" pb={found.length === 0 ? '6' : '3'} pt="2" textAlign="center" color="fg.muted">
          {members.isSearching ? t`Searching members…` : t`No results for “${query.trim()}”.`}
        </Text>
      )}
      <Keys example={members.maySearch ? profile.primaryAttr : undefined} />
    </>
  );
}

interface OptionProps {
  id: string;
  ref: Ref<HTMLDivElement> | undefined;
  command: Command;
  query: string;
  isActive: boolean;
  onPoint: () => void;
  onRun: (isNewTab: boolean) => void;
}

function Option({ id, ref, command, query, isActive, onPoint, onRun }: OptionProps) {
  const synonyms = query.trim() && foundSynonyms(command, query);
  return (
    <Flex
      id={id}
      ref={ref}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      align="center"
      gap="3"
      minH="9"
      px="3"
      borderRadius="l2"
      cursor="pointer"
      bg={isActive ? 'bg.muted' : undefined}
      onPointerMove={onPoint}
      onClick={(event) => onRun(event.ctrlKey || event.metaKey)}
    >
      <Box color="fg.muted">
        <command.icon size={16} strokeWidth={1.75} aria-hidden />
      </Box>
      <Flex flex="1" minW="0" align="baseline" columnGap="2">
        <Text truncate flexShrink={synonyms ? 0 : 1}>
          <Matched text={command.label} query={query} />
          {command.detail && (
            <chakra.span ps="2" textStyle="sm" color="fg.muted">
              <Matched text={command.detail} query={query} />
            </chakra.span>
          )}
        </Text>
        {synonyms && (
          <chakra.span minW="0" truncate textStyle="sm" color="fg.muted">
            <Matched text={synonyms} query={query} />
          </chakra.span>
        )}
      </Flex>
      <Text textStyle="xs" color="fg.muted">
        {command.context}
      </Text>
      <Box color="fg.subtle" visibility={isActive ? 'visible' : 'hidden'}>
        <CornerDownLeft size={14} aria-hidden />
      </Box>
    </Flex>
  );
}

/** Emphasises the matches of the query's words. */
function Matched({ text, query }: { text: string; query: string }) {
  return splitByMatches(text, query).map((part, at) =>
    part.isMatch ? (
      <chakra.b key={at} fontWeight="semibold" color="fg">
        {part.text}
      </chakra.b>
    ) : (
      part.text
    ),
  );
}

/** The keys that work in the palette, and examples of what it finds. */
function Keys({ example }: { example: string | undefined }) {
  const examples = example ? [t`invite`, example, t`dark`] : [t`device`, t`dark`];
  const keys = [
    [['↑', '↓'], t`choose`],
    [['↵'], t`open`],
    [[isMac() ? '⌘' : t`Ctrl`, '↵'], t`new tab`],
  ] as const;
  return (
    <Flex aria-hidden hideBelow="sm" gap="5" px="5" py="2.5" borderTopWidth="1px" textStyle="xs" color="fg.muted">
      {keys.map(([caps, word]) => (
        <Flex key={word} align="center" gap="1" flexShrink="0">
          {caps.map((cap) => (
            <Kbd key={cap} size="sm">
              {cap}
            </Kbd>
          ))}
          {word}
        </Flex>
      ))}
      <Text ms="auto" truncate>
        {t`Try`}{' '}
        {examples.map((example, at) => (
          <Fragment key={example}>
            {at > 0 && ', '}
            <chakra.b fontWeight="medium" color="fg">{t`“${example}”`}</chakra.b>
          </Fragment>
        ))}
      </Text>
    </Flex>
  );
}
