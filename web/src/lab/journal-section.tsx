import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { emptyJournal, type JournalEntry, type JournalKind, readJournal } from '@orchestrate/shared';
import { BookOpenText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../lib/api/use-endpoint.ts';
import { formatDateTimeSeconds } from '../lib/format/dates.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Section } from '../ui/section.tsx';
import { Select } from '../ui/select.tsx';
import { StatusBadge, type Tone } from '../ui/status-badge.tsx';
import { useFollowed } from './lab-news.tsx';

/** Entries that are shown; the filters find older ones. */
const SHOWN = 200;

const KINDS: Record<JournalKind, string> = {
  http: 'Requests',
  socket: 'Sockets',
  challenge: 'Sign-ins',
  message: 'Messages',
  policy: 'Phones',
  fault: 'Faults',
};

const isKind = (value: string): value is JournalKind => value in KINDS;

/** What happened, newest first, with everything about one of them. */
export function JournalSection() {
  const [kind, setKind] = useState<JournalKind>();
  const [typed, setTyped] = useState('');
  const [openSeq, setOpenSeq] = useState<number>();
  const { data, refetch } = useFollowed(readJournal, { query: { kind, limit: SHOWN } });
  const emptying = useWrite(emptyJournal);
  const wanted = typed.trim().toLowerCase();
  const entries = (data?.entries ?? [])
    .filter((entry) => wanted === '' || `${entry.summary} ${entry.email ?? ''}`.toLowerCase().includes(wanted))
    .toReversed();
  const open = entries.find(({ seq }) => seq === openSeq);
  const empty = async () => {
    await emptying.run({}).catch(() => undefined);
    await refetch();
  };
  return (
    <>
      <Section
        title="What happened"
        isFlush
        aside={
          <Flex align="center" gap="2">
            <Text role="status" textStyle="sm" color="fg.muted">
              {entries.length === SHOWN ? `The newest ${SHOWN}` : entries.length}
            </Text>
            <ActionButton
              label="Empty the journal"
              disabledReason={entries.length === 0 || emptying.isPending ? 'There is nothing in it' : undefined}
              onClick={() => void empty()}
            >
              <Trash2 />
            </ActionButton>
          </Flex>
        }
      >
        <Flex px="3" py="3" gap="2" borderBottomWidth="1px" direction="column">
          <SearchField
            label="Filter the journal"
            placeholder="Address, person or word"
            maxLength={200}
            value={typed}
            onChange={setTyped}
            onSubmit={() => undefined}
          />
          <Select
            aria-label="Kind"
            value={kind ?? ''}
            onChange={({ target }) => setKind(isKind(target.value) ? target.value : undefined)}
          >
            <option value="">Everything</option>
            {Object.entries(KINDS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Flex>
        {entries.length > 0 ? (
          <chakra.ul
            aria-label="Journal"
            listStyleType="none"
            overflowY="auto"
            maxH={{ base: '60dvh', sm: 'calc(100dvh - 18rem)' }}
          >
            {entries.map((entry) => (
              <li key={entry.seq}>
                <EntryRow entry={entry} isOpen={entry.seq === openSeq} onOpen={() => setOpenSeq(entry.seq)} />
              </li>
            ))}
          </chakra.ul>
        ) : (
          <EmptyState
            icon={BookOpenText}
            title={wanted === '' && !kind ? 'Nothing has happened yet' : 'Nothing like this has happened'}
            description="Requests, messages of sockets, sign-ins, mails, phones and faults appear here immediately."
          />
        )}
      </Section>
      <Section title={open ? `Number ${open.seq}` : undefined}>
        {open ? (
          <EntryDetails entry={open} />
        ) : (
          <Text color="fg.muted" py="10" textAlign="center">
            Choose an entry to see everything about it.
          </Text>
        )}
      </Section>
    </>
  );
}

/** The colour of what happened: whether it went well. */
function toneOf(entry: JournalEntry): Tone {
  if (entry.kind === 'fault') return 'warning';
  if (entry.kind !== 'http') return 'neutral';
  if (entry.status === 0 || entry.status >= 500) return 'danger';
  return entry.status >= 400 || entry.resultName ? 'warning' : 'success';
}

const badgeOf = (entry: JournalEntry): string =>
  entry.kind === 'http' ? String(entry.status || 'none') : KINDS[entry.kind].replace(/s$/, '');

function EntryRow({ entry, isOpen, onOpen }: { entry: JournalEntry; isOpen: boolean; onOpen: () => void }) {
  return (
    <chakra.button
      type="button"
      aria-current={isOpen ? 'true' : undefined}
      onClick={onOpen}
      display="flex"
      alignItems="center"
      gap="3"
      w="full"
      px="5"
      py="2.5"
      textAlign="start"
      borderBottomWidth="1px"
      cursor="pointer"
      outline="0"
      focusVisibleRing="inside"
      _hover={{ bg: 'bg.muted' }}
      css={{ '&[aria-current]': { bg: 'brand.subtle' } }}
    >
      <Box minW="0" flex="1">
        <Text overflowWrap="anywhere" lineClamp={2}>
          {entry.summary}
        </Text>
        <Text textStyle="xs" color="fg.muted" truncate>
          {[formatDateTimeSeconds(entry.at), entry.email, entry.org].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <StatusBadge status={badgeOf(entry)} tone={toneOf(entry)} />
    </chakra.button>
  );
}

function EntryDetails({ entry }: { entry: JournalEntry }) {
  const { summary, ...facts } = entry;
  return (
    <Flex direction="column" gap="4">
      <Text fontWeight="medium" overflowWrap="anywhere">
        {summary}
      </Text>
      <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="6" rowGap="2">
        {Object.entries(facts).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </chakra.dl>
    </Flex>
  );
}

function Fact({ name, value }: { name: string; value: unknown }) {
  const isText = typeof value !== 'object' || value === null;
  return (
    <>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd minW="0" overflowWrap="anywhere" textStyle="code" fontSize="sm">
        {isText ? String(value) : <chakra.pre whiteSpace="pre-wrap">{JSON.stringify(value, null, 2)}</chakra.pre>}
      </chakra.dd>
    </>
  );
}
