import { Button, Center, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, SEARCH_SORTS, type SearchSort } from '@orchestrate/shared';
import { CircleCheck, Clock, Lock, Mail, MailWarning, Smartphone, UserRoundSearch } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { memberAddressFrom } from '#lib/address/member-address.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { inSentence } from '#lib/format/labels.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { paths } from '#paths.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { Select } from '#ui/form/select.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { Section, SectionRow, SectionRows } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { SelectAll } from '../bulk/select-members.tsx';
import { SelectionBar, useBulkActions } from '../bulk/selection-bar.tsx';
import { type Selection, useSelection } from '../bulk/use-selection.ts';
import { useWholeResult } from '../bulk/use-whole-result.ts';
import { isGreyedOut, statusLabel } from '../shared/member-status.ts';
import { readRecentMembers } from '../shared/recent-members.ts';
import { CountLine, LoadingGrid } from './member-grid.tsx';
import { MEMBER_VIEWS, MemberList, type MemberView } from './member-list.tsx';
import { type MemberSearchField, searchPhrase } from './search-fields.ts';
import { memberQueryOf, useMemberSearch } from './use-member-search.ts';
import { isSortable, type MemberTotals, type Total } from './use-member-totals.ts';
import { QUERY_MAX_LENGTH, type SearchAddress } from './use-search-address.ts';

const LABELS: Record<SearchSort, string> = {
  lastName: t`Last Name`,
  firstName: t`First Name`,
  primaryEmail: t`Email`,
  newest: t`Newest first`,
  oldest: t`Oldest first`,
};

interface SortMembersProps {
  value: SearchSort | undefined;
  onChange: (sort: SearchSort | undefined) => void;
  /** True if results are ordered by relevance by default. */
  isRanked: boolean;
  isTooMany: boolean;
}

/** Selects the sort order. */
function SortMembers({ value, onChange, isRanked, isTooMany }: SortMembersProps) {
  const reason = useId();
  // Without a search text, `oldest` is already the default order.
  const orders = isRanked ? SEARCH_SORTS : SEARCH_SORTS.filter((sort) => sort !== 'oldest');
  return (
    <Flex align="center" gap="2.5" wrap="wrap">
      {isTooMany && (
        <Text id={reason} textStyle="sm" color="fg.muted">
          {t`At most ${formatNumber(LIMITS.searchCountMax)} members can be sorted. Narrow your search.`}
        </Text>
      )}
      <Select
        aria-label={t`Sort by`}
        aria-describedby={isTooMany ? reason : undefined}
        size="sm"
        width="36"
        disabled={isTooMany}
        value={value ?? ''}
        onChange={({ target }) => onChange(orders.find((sort) => sort === target.value))}
      >
        <option value="">{isRanked ? t`Best match` : LABELS.oldest}</option>
        {orders.map((sort) => (
          <option key={sort} value={sort}>
            {LABELS[sort]}
          </option>
        ))}
      </Select>
    </Flex>
  );
}

const KEY = 'orchestrate.member-view';

/** Manages the selected view (cards or table), which this browser remembers. */
function useMemberView() {
  const [view, setView] = useState<MemberView>(readStored(KEY) === 'table' ? 'table' : 'cards');
  const change = (chosen: MemberView = 'cards') => {
    writeStored(KEY, chosen);
    setView(chosen);
  };
  return { view, change };
}

interface MemberResultsProps {
  address: SearchAddress;
  onChange: (changed: Partial<SearchAddress>) => void;
  fields: readonly MemberSearchField[];
  /** Undefined until members have been counted. */
  totals: MemberTotals | undefined;
  /** True once the organisation's primary attribute is known. */
  isReady: boolean;
  onClear: () => void;
}

/** Lists the results of the search in the URL, with bulk actions on selected members. */
export function MemberResults(props: MemberResultsProps) {
  const requested = memberQueryOf(props.address);
  const { totals } = props;
  const total = requested && totals?.[requested.codes ?? requested.status ?? 'all'];
  const isTooMany = total ? !isSortable(total) : false;
  const query = requested && (isTooMany ? { ...requested, sort: undefined } : requested);
  // Sort only after the server has confirmed that the result is small enough.
  const search = useMemberSearch(props.isReady && (!query?.sort || total) ? query : null);
  const container = useRef<HTMLDivElement>(null);
  const chosen = useSelection(JSON.stringify(query), search.members);
  const whole = useWholeResult(query ?? null, chosen);
  const { members = [], hasMore } = search;
  return (
    <Flex ref={container} direction="column" gap="4" css={chosen.members.length > 0 ? ABOVE_THE_BAR : undefined}>
      <Results
        {...props}
        query={query}
        search={search}
        chosen={chosen}
        total={total ?? undefined}
        isTooMany={isTooMany}
      />
      {/* Render this in every state, because it also shows the outcome of an action that has emptied the list. */}
      <SelectionBar
        chosen={chosen}
        whole={whole}
        isWholeOffered={hasMore && !chosen.isWhole && members.every(chosen.has)}
        total={exactTotal(total ?? undefined, members.length)}
        container={container}
      />
    </Flex>
  );
}

/** Keeps focused elements clear of the bottom bar (three lines high on phones). */
const ABOVE_THE_BAR = { '& :is(a, button, input)': { scrollMarginBottom: { base: '44', md: '24' } } };

interface ResultsProps extends MemberResultsProps {
  query: ReturnType<typeof memberQueryOf>;
  search: ReturnType<typeof useMemberSearch>;
  chosen: Selection;
  total: Total | undefined;
  /** True if there are too many results to sort. */
  isTooMany: boolean;
}

/** Shows the list, or why there is nothing to list. */
function Results({
  address,
  fields,
  onChange,
  onClear,
  totals,
  query,
  search,
  chosen,
  total,
  isTooMany,
}: ResultsProps) {
  const { members, refusal, refetch } = search;
  const { view, change: changeView } = useMemberView();
  const mayChoose = useBulkActions().length > 0;
  const by = fields.find(({ field }) => field === address.field);
  const withText = query?.q === undefined ? '' : searchPhrase(by, shorten(query.q));
  const withCode = withText
    ? t`${withText} and a code that expires within ${LIMITS.codeExpiresSoonHours} hours`
    : t`with a code that expires within ${LIMITS.codeExpiresSoonHours} hours`;
  const condition = query?.codes ? withCode : withText;
  const isCut = address.query.length === QUERY_MAX_LENGTH;
  const cut = isCut && t`The search uses only the first ${QUERY_MAX_LENGTH} characters.`;
  const status = address.status && inSentence(statusLabel(address.status));
  const who = status ? t`${status} members` : t`members`;

  if (!query) return <Intro title={address.status ? t`Find ${who}` : t`Find a member`} totals={totals} />;
  const isOpen = !members || (members.length === 0 && search.hasMore);
  if (!members && refusal?.status === 403)
    return (
      <EmptyState
        level="h2"
        icon={Lock}
        title={t`You don't have permission to view members`}
        description={resultText(refusal)}
      />
    );
  if (isOpen && refusal) return <RefusalState level="h2" refusal={refusal} onRetry={refetch} />;
  if (isOpen) return <Searching onMore={members && !search.isLoadingMore ? search.loadMore : undefined} />;
  if (members.length === 0)
    return (
      <NoMatches
        level="h2"
        title={t`No members match`}
        description={[t`There are no ${condition ? `${who} ${condition}` : who}.`, cut].filter(Boolean).join(' ')}
        action={
          <Button variant="outline" onClick={onClear}>
            {t`Clear search`}
          </Button>
        }
      />
    );
  const shown = search.hasMore ? loadedText(members.length, total) : formatNumber(members.length);
  const one = status ? t`${status} member` : t`member`;
  const counted = members.length === 1 && !search.hasMore ? one : who;
  return (
    <>
      <Flex align="center" justify="space-between" columnGap="4" wrap="wrap">
        <CountLine>{[shown, counted, condition].filter(Boolean).join(' ')}</CountLine>
        <Flex align="center" gap="5" wrap="wrap">
          {mayChoose && <SelectAll chosen={chosen} members={members} />}
          {!query.codes && (
            <SortMembers
              value={query.sort}
              onChange={(sort) => onChange({ sort })}
              isRanked={query.q !== undefined && query.field === 'any'}
              isTooMany={isTooMany}
            />
          )}
          <FilterChips label={t`View`} look="segments" choices={MEMBER_VIEWS} value={view} onChange={changeView} />
        </Flex>
      </Flex>
      <MemberList
        {...search}
        members={members}
        query={query}
        total={exactTotal(total, members.length)}
        chosen={mayChoose ? chosen : undefined}
        view={view}
        attribute={fields.at(-1)?.label ?? ''}
        peek={address.peek}
        onPeek={(peek) => onChange({ peek })}
      />
    </>
  );
}

/** Replaces the list before a search: what to do, what needs attention, and the members opened before. */
function Intro({ title, totals }: { title: string; totals: MemberTotals | undefined }) {
  const recent = readRecentMembers();
  const hasRecent = recent.length > 0;
  return (
    <Flex direction="column" gap="4">
      <EmptyState
        level="h2"
        icon={UserRoundSearch}
        title={title}
        description={t`Search above or select a status. Press Enter to search for fewer characters.`}
      />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: `repeat(${hasRecent ? 2 : 1}, minmax(0, 1fr))` }} gap="4">
        <MembersToDo totals={totals} isWide={!hasRecent} />
        {hasRecent && (
          <Section title={t`Recently opened`} isFlush>
            <SectionRows>
              {recent.map((member) => (
                <SectionRow
                  key={member.suid}
                  to={memberAddressFrom(paths.member, member)}
                  image={
                    <Center w="9" flexShrink="0">
                      <InitialsAvatar name={member.fullName} isGrey={isGreyedOut(member.accountStatus)} />
                    </Center>
                  }
                  title={member.fullName}
                  text={joinWithDots(member.primaryAttr, statusLabel(member.accountStatus))}
                />
              ))}
            </SectionRows>
          </Section>
        )}
      </Grid>
    </Flex>
  );
}

/** Counts the members that an administrator should act on, each with a link to the matching list. */
function MembersToDo({ totals, isWide }: { totals: MemberTotals | undefined; isWide: boolean }) {
  const all = [
    {
      icon: Clock,
      total: totals?.expiring,
      title: t`Code expires soon`,
      text: t`Within ${LIMITS.codeExpiresSoonHours} h. Send new codes.`,
      filter: 'codes=expiring',
    },
    {
      icon: MailWarning,
      total: totals?.unverified,
      title: t`Unverified email addresses`,
      text: t`Signed up, but can’t sign in yet`,
      filter: 'status=unverified',
    },
    {
      icon: Mail,
      total: totals?.invited,
      title: t`Open invitations`,
      text: t`Invited, but not signed in yet`,
      filter: 'status=invited',
    },
    {
      icon: Smartphone,
      total: totals?.unregistered,
      title: t`Without a device`,
      text: t`Send them an activation code`,
      filter: 'status=unregistered',
    },
  ];
  const open = all.filter(({ total }) => total && total.count > 0);
  return (
    <Section title={t`Needs attention`} isFlush>
      {!totals ? (
        <SkeletonRows rows={isWide ? all.length / 2 : all.length} label={t`Loading what needs attention`} />
      ) : open.length === 0 ? (
        <Flex align="center" gap="3.5" minH="16" px="5" color="fg.muted">
          <CircleCheck size={18} strokeWidth={1.75} aria-hidden />
          {t`Nothing needs your attention.`}
        </Flex>
      ) : (
        <SectionRows isWide={isWide}>
          {open.map(({ icon: Icon, total, title, text, filter }) => (
            <SectionRow
              key={filter}
              to={`${paths.manageUsers}?${filter}`}
              image={
                <IconTile>
                  <Icon size={18} strokeWidth={1.75} aria-hidden />
                </IconTile>
              }
              title={title}
              text={text}
              count={total?.text}
            />
          ))}
        </SectionRows>
      )}
    </Section>
  );
}

/** Returns the number of results. Undefined if it isn't known exactly, or was counted before more members came. */
const exactTotal = (total: Total | undefined, loaded: number): number | undefined =>
  total && !total.isMore && total.count >= loaded ? total.count : undefined;

/** Returns how many results have been loaded so far, e.g. `20 of 214`. */
function loadedText(shown: number, total: Total | undefined): string {
  if (!total || total.count < shown) return t`The first ${formatNumber(shown)}`;
  const count = formatNumber(total.count);
  return total.isMore ? t`${formatNumber(shown)} of more than ${count}` : t`${formatNumber(shown)} of ${count}`;
}

/** Shows that a search is running. Loads the next page automatically if the current page is empty. */
function Searching({ onMore }: { onMore: (() => unknown) | undefined }) {
  useEffect(() => {
    onMore?.();
  });
  return <LoadingGrid label={t`Searching…`} />;
}

const SHOWN_LENGTH = 60;

/** Truncates a long search text for display in a sentence. */
const shorten = (text: string) => {
  const characters = [...text];
  return characters.length > SHOWN_LENGTH ? `${characters.slice(0, SHOWN_LENGTH).join('')}…` : text;
};
