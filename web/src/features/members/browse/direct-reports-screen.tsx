import { Box, Button, Flex } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { fullNameOf, listReportees, type Member, plainText, statusesFoundBy } from '@orchestrate/shared';
import { Lock, UsersRound } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { memberAddress } from '#lib/address/member-address.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { useRead } from '#lib/api/use-read.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { paths } from '#paths.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { ListLine } from '#ui/list/list-end.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { MemberDialogs, useMemberDialogs } from '../dialogs/member-dialogs.tsx';
import { MemberCard } from './member-card.tsx';
import { LoadingGrid, MemberGrid } from './member-grid.tsx';
import { useMemberMenu } from './member-menu.tsx';
import { StatusFilter } from './status-filter.tsx';
import type { OptionalTotals } from './use-member-totals.ts';
import { QUERY_MAX_LENGTH, SEARCH_STATUSES, type SearchAddress, useSearchAddress } from './use-search-address.ts';

/** Fetches the signed-in manager's direct reports. */
function useReportees() {
  const { data, refusal, refetch } = useRead(listReportees, { query: {} });
  return { reportees: data?.reportee, refusal, refetch };
}

/**
 * Filters direct reports by status, and by text in their name, username (primary attribute) or email. Deleted direct
 * reports match only the status `deleted`.
 */
export function filterReportees(
  reportees: readonly Member[],
  { query, status }: Pick<SearchAddress, 'query' | 'status'>,
): Member[] {
  const wanted = plainText(query.trim());
  return reportees.filter((member) => {
    const { accountStatus } = member;
    if (status ? !statusesFoundBy(status).includes(accountStatus) : accountStatus === 'deleted') return false;
    const searched = [fullNameOf(member), member.primaryAttr, member.primaryEmail];
    return searched.some((text) => plainText(text).includes(wanted));
  });
}

/** Counts the direct reports that match the query, by status. */
const totalsOf = (reportees: readonly Member[], query: string): OptionalTotals =>
  Object.fromEntries(
    [undefined, ...SEARCH_STATUSES].map((status) => {
      const count = filterReportees(reportees, { query, status }).length;
      return [status ?? 'all', { count, isMore: false, text: formatNumber(count) }];
    }),
  );

const NO_FIELDS: readonly string[] = [];

/** Lists the signed-in manager's direct reports. */
export default function DirectReportsScreen() {
  const { reportees, refusal, refetch } = useReportees();
  const { address, change } = useSearchAddress(NO_FIELDS);
  const status = address.status === 'deleted' ? address.status : undefined;
  const listed = filterReportees(reportees ?? [], { query: '', status });
  const { typed, type, submit } = useTypedQuery(address.query, (query) => change({ query }));
  const searchField = useRef<{ focus: () => void }>(null);
  const clear = () => {
    change({ query: '', status: undefined });
    searchField.current?.focus();
  };
  return (
    <Page>
      <title>{t`My Direct Reports · Orchestrate`}</title>
      <PageHeader
        title={t`My Direct Reports`}
        description={t`The people who report to you, and the devices they sign in with.`}
      />
      <Flex role="search" direction="column" gap="4">
        <StatusFilter
          value={address.status}
          onChange={(status) => change({ status, query: typed })}
          totals={reportees && totalsOf(reportees, address.query)}
        />
        <Box display="flex">
          <SearchField
            ref={searchField}
            label={t`Search direct reports`}
            placeholder={t`Name, username or email`}
            maxLength={QUERY_MAX_LENGTH}
            value={typed}
            onChange={type}
            onSubmit={submit}
          />
        </Box>
      </Flex>
      {!reportees && refusal?.status === 403 ? (
        <EmptyState
          level="h2"
          icon={Lock}
          title={t`You don't have permission to view direct reports`}
          description={resultText(refusal)}
        />
      ) : !reportees && refusal ? (
        <RefusalState level="h2" refusal={refusal} onRetry={refetch} />
      ) : !reportees ? (
        <LoadingGrid label={t`Loading your direct reports…`} />
      ) : listed.length === 0 && address.status !== 'deleted' ? (
        <EmptyState
          level="h2"
          icon={UsersRound}
          title={t`You have no direct reports`}
          description={t`People appear here when an administrator sets you as their manager.`}
        />
      ) : (
        <Reportees
          query={address.query}
          shown={filterReportees(reportees, address)}
          total={listed.length}
          onClear={clear}
        />
      )}
    </Page>
  );
}

interface ReporteesProps {
  /** Text that the direct reports were filtered by. */
  query: string;
  shown: Member[];
  total: number;
  onClear: () => void;
}

function Reportees({ query, shown, total, onClear }: ReporteesProps) {
  const dialogs = useMemberDialogs();
  const { buttonFor, menu } = useMemberMenu(dialogs.ask);
  const { search } = useLocation();
  if (shown.length === 0)
    return (
      <NoMatches
        level="h2"
        title={t`No direct reports match`}
        description={t`Try another search or clear it.`}
        action={
          <Button variant="outline" onClick={onClear}>
            {t`Clear search`}
          </Button>
        }
      />
    );
  return (
    <Flex direction="column" gap="4">
      {/* The tabs display the same number. */}
      <ListLine isHidden>
        {shown.length === total
          ? plural(total, { one: '# direct report', other: '# direct reports' })
          : t`${shown.length} of ${total} direct reports`}
      </ListLine>
      <MemberGrid label={t`Direct reports`}>
        {shown.map((member) => (
          <MemberCard
            key={member.suid}
            member={member}
            to={memberAddress(paths.directReport, member)}
            cameFrom={search}
            query={{ q: query, field: 'any' }}
            menu={buttonFor(member)}
          />
        ))}
      </MemberGrid>
      {menu}
      <MemberDialogs dialogs={dialogs} />
    </Flex>
  );
}
