import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { emptyJournal, JOURNAL_PAGE_MAX, type JournalEntry, type JournalKind, readJournal } from '@orchestrate/shared';
import { BookOpenText, CircleCheckBig, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { cacheKeyOf } from '#lib/api/cache.ts';
import { call } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { useReloadOnEvents } from '../lab-updates.tsx';
import { EmptyList, ListCount } from '../line-list.tsx';
import { RowButton, TwoPanes } from '../two-panes.tsx';
import { badgeOf, isJournalKind, KINDS, titleOf, toneOf } from './journal-text.ts';
import { VerifyDialog } from './verify-dialog.tsx';

/** Labels of fields displayed as raw content. */
const CONTENTS: Readonly<Record<string, string>> = {
  query: t({ message: 'Query', context: 'of an address' }),
  requestBody: t`Request body`,
  responseBody: t`Response body`,
  message: t`Message`,
};
/** Fields that aren't listed as facts because they are displayed separately. */
const SHOWN_SEPARATELY = new Set(['summary', 'kind', 'seq', 'at', ...Object.keys(CONTENTS)]);

/** Shows all fields of an entry, labelled with their API names. */
function EntryDetails({ entry }: { entry: JournalEntry }) {
  const facts = Object.entries(entry);
  return (
    <Flex direction="column" gap="5" minW="0">
      <Flex gap="4" justify="space-between" align="flex-start">
        <Heading as="h2" size="sm" overflowWrap="anywhere" minW="0" textWrap="pretty">
          {entry.summary}
        </Heading>
        <StatusBadge status={badgeOf(entry)} tone={toneOf(entry)} />
      </Flex>
      <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="6" rowGap="1.5">
        <Fact name={t({ message: 'Number', context: 'of an entry' })} value={String(entry.seq)} />
        <Fact name={t`Time`} value={formatDateTimeSeconds(entry.at)} />
        {facts.map(
          ([name, value]) =>
            !SHOWN_SEPARATELY.has(name) && <Fact key={name} name={name} value={String(value)} isCode />,
        )}
      </chakra.dl>
      {facts.map(
        ([name, value]) =>
          CONTENTS[name] !== undefined && (
            <Flex key={name} direction="column" gap="2">
              <Heading as="h3" size="sm">
                {CONTENTS[name]}
              </Heading>
              <RawText label={CONTENTS[name]} text={JSON.stringify(value, null, 2)} />
            </Flex>
          ),
      )}
    </Flex>
  );
}

function Fact({ name, value, isCode = false }: { name: string; value: string; isCode?: boolean }) {
  return (
    <>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd minW="0" overflowWrap="anywhere" {...(isCode && { textStyle: 'code', fontSize: 'sm' })}>
        {value}
      </chakra.dd>
    </>
  );
}

interface Wanted {
  kind: JournalKind | undefined;
  /** Maximum number of entries to load. */
  limit: number;
}

/** Loads the newest entries, oldest first. Updates load only newer entries. */
function useJournal(wanted: Wanted) {
  const key = cacheKeyOf(readJournal, { query: wanted });
  const { cache } = useSWRConfig();
  const { data, error, mutate } = useSWR<readonly JournalEntry[], ApiRefusal>(key, () => {
    const cached: readonly JournalEntry[] = cache.get(unstable_serialize(key))?.data ?? [];
    return readNewer(cached, wanted);
  });
  useReloadOnEvents(key, { isOld: data !== undefined, isWrong: error?.status === 400 });
  return { entries: data, refusal: error, refetch: () => mutate() };
}

/** Finds an entry by number, even if it isn't listed, as long as the journal still contains it. */
function useEntry(listed: readonly JournalEntry[], seq: number): JournalEntry | undefined {
  const found = listed.find((entry) => entry.seq === seq);
  // Keep displaying the entry while it is reloaded. Entries never change, so the displayed entry isn't outdated.
  const [last, setLast] = useState<JournalEntry>();
  if (found && found !== last) setLast(found);
  const isElsewhere = found === undefined && seq > 0 && listed.length > 0;
  const { data } = useRead(readJournal, isElsewhere ? { query: { after: seq - 1, limit: 1 } } : null);
  if (!isElsewhere) return found;
  return (data?.entries ?? [last]).find((entry) => entry?.seq === seq);
}

/**
 * Returns the loaded entries with any newer entries added, or the newest entries if the journal was cleared.
 * @throws ApiRefusal if loading fails
 */
async function readNewer(cached: readonly JournalEntry[], { kind, limit }: Wanted): Promise<readonly JournalEntry[]> {
  const newest = cached.at(-1);
  if (newest) {
    // Include the newest loaded entry in the query. If that entry is missing from the response, the journal was
    // cleared or replaced. After a restart, the journal can be shorter and refuse the number.
    const query = { after: newest.seq - 1, kind, limit };
    const { entries } = await call(readJournal, { query }).catch(() => ({ entries: [] }));
    const [same, ...newer] = entries;
    if (same?.seq === newest.seq && same.at === newest.at && entries.length < limit) {
      return newer.length > 0 ? [...cached, ...newer].slice(-limit) : cached;
    }
  }
  return (await call(readJournal, { query: { kind, limit } })).entries;
}

const KIND = 'kind';
const FIND = 'find';
const ENTRY = 'entry';

/** Reads and changes the journal state in the URL: the filters and the open entry. */
function useJournalAddress() {
  const [search] = useSearchParams();
  const change = useAddressChange();
  return {
    kind: search.get(KIND) ?? '',
    find: search.get(FIND) ?? '',
    /** Number of the open entry; NaN if no entry is open. */
    seq: Number.parseInt(search.get(ENTRY) ?? '', 10),
    choose: (kind: string) => change({ [KIND]: kind }),
    filter: (find: string) => change({ [FIND]: find }),
    /**
     * Opens a journal entry. Pushes to the browser history unless an entry is already open, so that Back returns to
     * the list on a phone, where the entry replaces the list.
     */
    open: (seq: number) => change({ [ENTRY]: String(seq) }, { isStep: search.get(ENTRY) === null }),
    close: () => change({ [ENTRY]: null }),
  };
}

/** Maximum number of listed entries. Filters search more entries: as many as one response can contain. */
const SHOWN = 200;

/** The journal, newest entries first, with the details of the selected entry. */
export function JournalSection() {
  const address = useJournalAddress();
  const kind = isJournalKind(address.kind) ? address.kind : undefined;
  const wanted = address.find.trim().toLowerCase();
  const limit = wanted === '' ? SHOWN : JOURNAL_PAGE_MAX;
  const { entries: data, refetch } = useJournal({ kind, limit });
  const read = data ?? [];
  const [isVerifying, setIsVerifying] = useState(false);
  const entries = read
    .filter((entry) => `${entry.summary} ${entry.email ?? ''}`.toLowerCase().includes(wanted))
    .toReversed();
  const open = useEntry(read, address.seq);
  return (
    <>
      <PageHeader
        title={t`Journal`}
        description={t`Every request, socket, sign-in, message, phone event and fault, in order.`}
        action={
          <Button variant="outline" onClick={() => setIsVerifying(true)}>
            <CircleCheckBig aria-hidden />
            {t`Verify the journal`}
          </Button>
        }
      />
      <TwoPanes
        list={
          <JournalPane
            isRead={data !== undefined}
            entries={entries}
            searched={read.length === limit ? limit : undefined}
            onEmptied={() => void refetch()}
          />
        }
        chosen={open && <EntryDetails entry={open} />}
        empty={
          <EmptyState
            icon={BookOpenText}
            title={entries.length > 0 ? t`Select an entry` : t`No entries`}
            description={t`Details of the entry appear here.`}
          />
        }
        back={{ label: t`All entries`, onBack: address.close }}
      />
      <VerifyDialog isOpen={isVerifying} onClose={() => setIsVerifying(false)} />
    </>
  );
}

interface JournalPaneProps {
  isRead: boolean;
  entries: readonly JournalEntry[];
  /** Number of entries searched; undefined if all entries were searched. */
  searched: number | undefined;
  onEmptied: () => void;
}

function countText(listed: number, find: string, searched: number | undefined): number | string {
  if (searched === undefined) return listed;
  return find.trim() === '' ? t`Newest ${searched}` : t`${listed} of the newest ${searched}`;
}

function JournalPane({ isRead, entries, searched, onEmptied }: JournalPaneProps) {
  const { kind, find, seq, choose, filter, open } = useJournalAddress();
  const { typed, type, submit } = useTypedQuery(find, filter);
  const { run, isPending } = useWrite(emptyJournal);
  const isFiltered = find.trim() !== '' || kind !== '';
  const empty = async () => {
    await run({}).catch(() => undefined);
    onEmptied();
  };
  return (
    <Section
      title={t`Entries`}
      isFlush
      aside={
        <Flex align="center" gap="2">
          <ListCount of={isRead ? countText(entries.length, find, searched) : undefined} />
          <ActionButton
            label={t`Clear the journal`}
            disabledReason={
              (entries.length === 0 && !isFiltered) || isPending ? t`The journal is already empty` : undefined
            }
            onClick={() => void empty()}
          >
            <Trash2 />
          </ActionButton>
        </Flex>
      }
    >
      <Flex p="3" gap="2" borderBottomWidth="1px" direction="column">
        <SearchField
          label={t`Filter the journal`}
          placeholder={t`Path, person or text`}
          maxLength={200}
          value={typed}
          onChange={type}
          onSubmit={submit}
        />
        <Select aria-label={t`Kind`} value={kind} onChange={({ target }) => choose(target.value)}>
          <option value="">{t`All kinds`}</option>
          {Object.entries(KINDS).map(([value, { all }]) => (
            <option key={value} value={value}>
              {all}
            </option>
          ))}
        </Select>
      </Flex>
      {entries.length > 0 ? (
        <chakra.ul
          aria-label={t`Journal`}
          listStyleType="none"
          overflowY={{ sm: 'auto' }}
          maxH={{ sm: 'max(20rem, calc(100dvh - 23rem))' }}
        >
          {entries.map((entry) => (
            <li key={entry.seq}>
              <EntryRow entry={entry} isOpen={entry.seq === seq} onOpen={() => open(entry.seq)} />
            </li>
          ))}
        </chakra.ul>
      ) : isFiltered && isRead ? (
        <NoMatches title={t`No matching entries`} description={t`Change or clear the filters to see more entries.`} />
      ) : (
        <EmptyList
          isRead={isRead}
          icon={BookOpenText}
          title={t`No entries yet`}
          description={t`Requests, sockets, sign-ins, messages, phone events and faults appear here as they happen.`}
        />
      )}
    </Section>
  );
}

function EntryRow({ entry, isOpen, onOpen }: { entry: JournalEntry; isOpen: boolean; onOpen: () => void }) {
  const took = entry.kind === 'http' && t`${entry.ms} ms`;
  return (
    <RowButton isOpen={isOpen} onOpen={onOpen} display="flex" alignItems="center" gap="3" py="2.5">
      <Box minW="0" flex="1">
        <Text overflowWrap="anywhere" lineClamp={2} {...(took && { textStyle: 'code', fontSize: 'sm' })}>
          {titleOf(entry)}
        </Text>
        <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          {joinWithDots(formatDateTimeSeconds(entry.at).split(', ')[1], took, entry.email, entry.org)}
        </Text>
      </Box>
      <StatusBadge status={badgeOf(entry)} tone={toneOf(entry)} />
    </RowButton>
  );
}
