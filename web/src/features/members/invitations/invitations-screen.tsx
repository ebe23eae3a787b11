import { Box, Button, Flex } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { type AppType, INVITATION_COUNT_MAX, listInvitations } from '@orchestrate/shared';
import { Lock, Mail, MailCheck } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useModal } from '#lib/address/use-modal.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { usePages } from '#lib/api/use-pages.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { RefreshButton } from '#ui/feedback/refresh-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { InvitationsTable } from './invitations-table.tsx';

/** Maximum length of a search text, as in the contract. Only a manually edited URL can exceed it. */
const QUERY_MAX_LENGTH = 254;

const STATES = ['valid', 'expired'] as const;
const TYPES = ['mobile', 'desktop'] as const satisfies readonly AppType[];

interface InvitationAddress {
  /** Search text as entered. */
  q: string;
  /** Undefined to list all states. */
  state: (typeof STATES)[number] | undefined;
  /** Undefined to list both apps. */
  app: AppType | undefined;
}

/** Stores the filters in the URL, so that Back, a reload or a link restores them. Invalid filters are ignored. */
function useInvitationAddress() {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const address: InvitationAddress = {
    q: (search.get('q') ?? '').slice(0, QUERY_MAX_LENGTH),
    state: STATES.find((state) => state === search.get('state')),
    app: TYPES.find((type) => type === search.get('app')),
  };
  return {
    address,
    isFiltered: address.q !== '' || address.state !== undefined || address.app !== undefined,
    change: (changed: Partial<Record<keyof InvitationAddress, string | undefined>>) => changeAddress(changed),
    clear: () => changeAddress({ q: undefined, state: undefined, app: undefined }),
  };
}

const PAGE_SIZE = 50;

/** Fetches the open invitations that match the filters, page by page, latest expiry first. */
function useInvitations({ q, state, app }: InvitationAddress) {
  const { pages, ...list } = usePages(listInvitations, (lastItem) => ({
    query: { q: q.trim() || undefined, state, type: app, pageSize: PAGE_SIZE, lastItem },
  }));
  return { ...list, counts: pages?.[0]?.counts, invitations: pages?.flatMap((page) => page.Items) };
}

/** Lists people who were invited by email and haven't registered a device yet. */
export default function InvitationsScreen() {
  const filters = useInvitationAddress();
  const list = useInvitations(filters.address);
  const { open } = useModal();
  const invite = () => open('invite');
  return (
    <Page>
      <title>{t`Invitations · Orchestrate`}</title>
      <PageHeader
        title={t`Invitations`}
        description={t`People you've invited by email who haven't registered a device yet. Expired invitations stay listed for a month.`}
        action={
          <>
            <RefreshButton refetch={list.refetch} size="md" />
            <Button onClick={invite}>
              <Mail />
              {t`Invite users`}
            </Button>
          </>
        }
      />
      <FilterBar filters={filters} counts={list.counts} />
      <Section label={t`Open invitations`} isFlush>
        <Results list={list} onClear={filters.isFiltered ? filters.clear : undefined} onInvite={invite} />
      </Section>
    </Page>
  );
}

interface FilterBarProps {
  filters: ReturnType<typeof useInvitationAddress>;
  counts: { valid: number; expired: number } | undefined;
}

/** Formats a count as `12`, or `10,000+` if the server stopped counting. */
const countText = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : `${formatNumber(count)}${count >= INVITATION_COUNT_MAX ? '+' : ''}`;

function FilterBar({ filters: { address, change }, counts }: FilterBarProps) {
  const { typed, type, submit } = useTypedQuery(address.q, (q) => change({ q }));
  return (
    <Flex gap="3" wrap="wrap" role="search" aria-label={t`Invitations`}>
      <Box flex="1 1 15rem" display="flex">
        <SearchField
          label={t`Search invitations`}
          placeholder={t`Name or email`}
          maxLength={QUERY_MAX_LENGTH}
          value={typed}
          onChange={type}
          onSubmit={submit}
        />
      </Box>
      <Select
        aria-label={t`App`}
        width="36"
        value={address.app ?? ''}
        onChange={({ target }) => change({ app: target.value || undefined })}
      >
        <option value="">{t`All apps`}</option>
        <option value="mobile">{t`Mobile`}</option>
        <option value="desktop">{t`Desktop`}</option>
      </Select>
      <FilterChips
        label={t`Status`}
        value={address.state}
        onChange={(state) => change({ state, q: typed })}
        choices={[
          { value: undefined, label: t`All`, count: counts && countText(counts.valid + counts.expired) },
          { value: 'valid', label: t`Valid`, count: countText(counts?.valid) },
          { value: 'expired', label: t`Expired`, count: countText(counts?.expired) },
        ]}
      />
    </Flex>
  );
}

interface ResultsProps {
  list: ReturnType<typeof useInvitations>;
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
  onInvite: () => void;
}

function Results({ list, onClear, onInvite }: ResultsProps) {
  const { invitations, refusal, hasMore, refetch } = list;
  if (!invitations && refusal?.status === 403)
    return (
      <EmptyState
        icon={Lock}
        title={t`You don't have permission to view invitations`}
        description={resultText(refusal)}
      />
    );
  if (!invitations && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!invitations) return <SkeletonRows rows={6} label={t`Loading invitations`} />;
  if (invitations.length === 0 && !hasMore && !refusal) return <NoResults onClear={onClear} onInvite={onInvite} />;
  return (
    <>
      {invitations.length > 0 && <InvitationsTable invitations={invitations} />}
      <ListEnd
        list={list}
        count={invitations.length}
        counted={plural(invitations.length, { one: '# invitation', other: '# invitations' })}
      />
    </>
  );
}

function NoResults({ onClear, onInvite }: Omit<ResultsProps, 'list'>) {
  return onClear ? (
    <NoMatches
      title={t`No invitations match`}
      description={t`Change or clear the filters.`}
      action={
        <Button variant="outline" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={MailCheck}
      title={t`No open invitations`}
      description={t`Invite users by email. They'll be listed here until they register a device.`}
      action={
        <Button variant="outline" onClick={onInvite}>
          {t`Invite users`}
        </Button>
      }
    />
  );
}
