import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { emptyJournal, JOURNAL_PAGE_MAX, type JournalEntry } from '@orchestrate/shared';
import { BookOpenText, CircleCheckBig, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTypedQuery } from '../../lib/address/use-typed-query.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { dotted } from '../../lib/format/dotted.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingFound } from '../../ui/nothing-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { said } from '../../words/said.ts';
import { EmptyList } from '../empty-list.tsx';
import { ListCount } from '../list-count.tsx';
import { RowButton, TwoPanes } from '../two-panes.tsx';
import { EntryDetails } from './entry-details.tsx';
import { badgeOf, isKind, KINDS, titleOf, toneOf } from './journal-text.ts';
import { useEntry, useJournal } from './use-journal.ts';
import { useJournalAddress } from './use-journal-address.ts';
import { VerifyDialog } from './verify-dialog.tsx';

/** Entries that are listed; a filter looks through as many as one answer holds. */
const SHOWN = 200;

/** What happened, newest first, with everything about one of them: two panes, one at a time on a phone. */
export function JournalSection() {
  const address = useJournalAddress();
  const kind = isKind(address.kind) ? address.kind : undefined;
  const wanted = address.find.trim().toLowerCase();
  const limit = wanted === '' ? SHOWN : JOURNAL_PAGE_MAX;
  const { entries: data, refetch } = useJournal({ kind, limit });
  const read = data ?? [];
  const [isVerifying, setIsVerifying] = useState(false);
  const entries = read
    .filter((entry) => `${said(entry.summary)} ${entry.email ?? ''}`.toLowerCase().includes(wanted))
    .toReversed();
  const open = useEntry(read, address.seq);
  return (
    <>
      <PageHeader
        title={t`Journal`}
        description={t`Every request, socket, sign-in, message, phone and fault, in the order in which it happened.`}
        action={
          <Button variant="outline" onClick={() => setIsVerifying(true)}>
            <CircleCheckBig aria-hidden />
            {t`Check what happened`}
          </Button>
        }
      />
      <TwoPanes
        list={
          <JournalPane
            isRead={data !== undefined}
            entries={entries}
            lookedThrough={read.length === limit ? limit : undefined}
            onEmptied={() => void refetch()}
          />
        }
        chosen={open && <EntryDetails entry={open} />}
        empty={
          <EmptyState
            icon={BookOpenText}
            title={entries.length > 0 ? t`Choose an entry` : t`No entry to show`}
            description={t`Its details are displayed here.`}
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
  /** How many of the newest were read, where there are older ones. */
  lookedThrough: number | undefined;
  onEmptied: () => void;
}

function countText(listed: number, find: string, lookedThrough: number | undefined): number | string {
  if (lookedThrough === undefined) return listed;
  return find.trim() === '' ? t`The newest ${lookedThrough}` : t`${listed} of the newest ${lookedThrough}`;
}

function JournalPane({ isRead, entries, lookedThrough, onEmptied }: JournalPaneProps) {
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
      title={t`What happened`}
      isFlush
      aside={
        <Flex align="center" gap="2">
          <ListCount of={isRead ? countText(entries.length, find, lookedThrough) : undefined} />
          <ActionButton
            label={t`Empty the journal`}
            disabledReason={(entries.length === 0 && !isFiltered) || isPending ? t`It is already empty` : undefined}
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
          placeholder={t`Address, person or word`}
          maxLength={200}
          value={typed}
          onChange={type}
          onSubmit={submit}
        />
        <Select aria-label={t`Kind`} value={kind} onChange={({ target }) => choose(target.value)}>
          <option value="">{t`Everything`}</option>
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
        <NothingFound
          title={t`Nothing like this has happened`}
          description={t`Requests, sockets, sign-ins, messages, phones and faults appear here immediately.`}
        />
      ) : (
        <EmptyList
          isRead={isRead}
          icon={BookOpenText}
          title={t`Nothing has happened yet`}
          description={t`Requests, sockets, sign-ins, messages, phones and faults appear here immediately.`}
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
          {dotted(formatDateTimeSeconds(entry.at).split(', ')[1], took, entry.email, entry.org)}
        </Text>
      </Box>
      <StatusBadge status={badgeOf(entry)} tone={toneOf(entry)} />
    </RowButton>
  );
}
