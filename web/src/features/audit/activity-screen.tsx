import { Box, Button, Flex, Menu, Portal } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import {
  AUDIT_ACTIONS,
  AUDIT_ACTOR_KINDS,
  AUDIT_OBJECT_TYPES,
  countActivityDays,
  exportActivity,
  type InputOf,
  LIMITS,
  listActivity,
} from '@orchestrate/shared';
import { Download, History, Lock, X } from 'lucide-react';
import { useState } from 'react';
import { ownTimeZone } from '#adapters/browser.ts';
import { ChooseMemberDialog } from '#features/members/shared/choose-member-dialog.tsx';
import { useMemberName } from '#features/members/shared/names.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { fetchFile, saveFile } from '#lib/api/files.ts';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { useCan } from '#lib/session/session.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { DayChart, DayChartSkeleton } from '#ui/chart/day-chart.tsx';
import { RefreshButton } from '#ui/feedback/refresh-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { SavedFilters } from '#ui/list/list-preferences.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { type ActivityAddress, activityParameters, activityPath, dayOf } from './shared/activity-address.ts';
import { EventDays } from './shared/event-list.tsx';
import { actionLabel, actorKindLabels, objectTypeLabel } from './shared/event-words.ts';
import { PeriodFilter } from './shared/period-filter.tsx';
import { type ActivityFilters, QUERY_MAX_LENGTH, useActivityFilters } from './use-activity-filters.ts';

interface ActivityFilterBarProps {
  address: ActivityFilters;
  onChange: (changed: ActivityAddress) => void;
}

/** Filters by text, actor, action, member or object, and period. */
function ActivityFilterBar({ address, onChange }: ActivityFilterBarProps) {
  const { typed, type, submit } = useTypedQuery(address.q ?? '', (q) => onChange({ q }));
  return (
    <Flex direction="column" gap="3" role="search" aria-label={t`Activity`}>
      <Flex gap="3" wrap="wrap">
        <Box flex="1 1 16rem" display="flex">
          <SearchField
            label={t`Search activity`}
            placeholder={t`Name, action or address (${LIMITS.searchMinLength}+ characters)`}
            maxLength={QUERY_MAX_LENGTH}
            value={typed}
            onChange={type}
            onSubmit={submit}
          />
        </Box>
        <WhoFilter address={address} onChange={onChange} />
        <WhatFilter address={address} onChange={onChange} />
        <PeriodFilter width="40" period={address} onChange={({ from, to }) => onChange({ from, to })} />
      </Flex>
      <AboutFilters address={address} onChange={onChange} />
    </Flex>
  );
}

/** Filter value for changes by anyone. */
const ANYONE = '';
const PERSON = 'person';
const CHOOSE = 'choose';

function WhoFilter({ address: { actor, actorKind }, onChange }: ActivityFilterBarProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const maySearch = useCan('SEARCH_USER');
  const name = useMemberName(actor);
  const choose = (value: string) => {
    if (value === CHOOSE) return setIsChoosing(true);
    if (value === PERSON) return;
    onChange({ actor: undefined, actorKind: AUDIT_ACTOR_KINDS.find((kind) => kind === value) });
  };
  return (
    <>
      <Select
        aria-label={t`Changed by`}
        width="44"
        value={actor ? PERSON : (actorKind ?? ANYONE)}
        onChange={({ target }) => choose(target.value)}
      >
        <option value={ANYONE}>{t`By anyone`}</option>
        {actor && <option value={PERSON}>{t`By ${name}`}</option>}
        {maySearch && <option value={CHOOSE}>{t`A specific member…`}</option>}
        {AUDIT_ACTOR_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {actorKindLabels[kind]}
          </option>
        ))}
      </Select>
      <ChooseMemberDialog
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        onChoose={({ suid }) => onChange({ actor: suid, actorKind: undefined })}
      />
    </>
  );
}

/** Filters by an object type or a single action. Action names contain a dot, but types don't. */
function WhatFilter({ address: { action, objectType, objectId }, onChange }: ActivityFilterBarProps) {
  const choose = (value: string) =>
    onChange({
      action: AUDIT_ACTIONS.find((known) => known === value),
      objectType: AUDIT_OBJECT_TYPES.find((known) => known === value),
      objectId: undefined,
    });
  // AboutFilters displays a filter for a single object, so the type isn't selected here.
  const type = objectId ? '' : (objectType ?? '');
  return (
    <Select
      aria-label={t`Type of change`}
      width="60"
      value={action ?? type}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{t`Any change`}</option>
      {AUDIT_OBJECT_TYPES.map((each) => (
        <optgroup key={each} label={objectTypeLabel(each)}>
          <option value={each}>{t`${objectTypeLabel(each)}: any change`}</option>
          {AUDIT_ACTIONS.filter((known) => known.startsWith(`${each}.`)).map((known) => (
            <option key={known} value={known}>
              {actionLabel(known)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}

/** Filters that were set by a link, which can only be removed. */
function AboutFilters({ address: { suid, objectType, objectId }, onChange }: ActivityFilterBarProps) {
  const name = useMemberName(suid);
  if (!suid && !objectId) return null;
  return (
    <Flex gap="2" wrap="wrap">
      {suid && <Removable text={t`About ${name}`} onRemove={() => onChange({ suid: undefined })} />}
      {objectId && (
        <Removable
          text={`${objectType ? objectTypeLabel(objectType) : t`Object`} ${objectId}`}
          onRemove={() => onChange({ objectId: undefined, objectType: undefined })}
        />
      )}
    </Flex>
  );
}

const Removable = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <Button variant="outline" size="sm" onClick={onRemove} aria-label={t`Remove filter: ${text}`} maxW="full">
    {text}
    <X aria-hidden />
  </Button>
);

const PAGE_SIZE = 50;

type ActivityQuery = Omit<NonNullable<InputOf<typeof listActivity>['query']>, 'pageSize' | 'lastItem'>;

/** Reads the matching changes, newest first, page by page. */
function useActivity(filters: ActivityQuery) {
  const { pages, ...list } = usePages(listActivity, (lastItem) => ({
    query: { ...filters, pageSize: PAGE_SIZE, lastItem },
  }));
  return { ...list, events: pages?.flatMap((page) => page.Items) };
}

const formats = [
  { format: 'csv', label: t`CSV, for a spreadsheet`, type: 'text/csv' },
  { format: 'ndjson', label: t`NDJSON, one event per line`, type: 'application/x-ndjson' },
] as const;

/** Exports all matching changes as a file. */
function ExportMenu({ filters }: { filters: ActivityQuery }) {
  const [isPending, setIsPending] = useState(false);
  const save = async ({ format, type }: (typeof formats)[number]) => {
    setIsPending(true);
    try {
      const file = await fetchFile(exportActivity, { query: { ...filters, format } });
      saveFile(`activity-${dayOf(portalNow())}.${format}`, type, file);
    } catch (failure) {
      toastRefusal(failure);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => {
        const chosen = formats.find(({ format }) => format === value);
        if (chosen) void save(chosen);
      }}
      lazyMount
      unmountOnExit
    >
      <Menu.Trigger asChild>
        <Button variant="outline" loading={isPending} loadingText={t`Export`}>
          <Download aria-hidden />
          {t`Export`}
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {formats.map(({ format, label }) => (
              <Menu.Item key={format} value={format}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}

/**
 * Shows the matching changes by day, whatever the period. A day links to its changes, and the selected day to all. A
 * text search isn't counted.
 */
function DaysChart({ address }: { address: ActivityFilters }) {
  const { q: _text, from, to, ...filters } = address;
  const { data, refusal, refetch } = useRead(countActivityDays, { query: { ...filters, timeZone: ownTimeZone() } });
  // Keeps the chart while the counts of another filter load.
  const [shown, setShown] = useState(data);
  if (data && data !== shown) setShown(data);
  const selected = from === to ? from : undefined;
  // The list explains why there is no access.
  if (refusal?.status === 403) return null;
  return (
    <Section>
      {shown ? (
        <DayChart
          label={t`Changes of the last ${LIMITS.chartDays} days`}
          days={shown.days.map(({ day, changes }) => ({ day, values: [changes] }))}
          series={[{ name: t`Changes`, tone: 'plain' }]}
          describe={([changes = 0]) => plural(changes, { one: '# change', other: '# changes' })}
          to={(day) => activityPath(day === selected ? filters : { ...filters, from: day, to: day })}
          selected={selected}
          size="sm"
        />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <DayChartSkeleton label={t`Loading changes by day`} size="sm" />
      )}
    </Section>
  );
}

const { from: _from, to: _to, ...savedParameters } = activityParameters;
const SAVED_PARAMETERS = Object.values(savedParameters);

const SKELETON_ROWS = 6;

/** Lists the organisation's changes with their authors. */
export default function ActivityScreen() {
  const { address, filters, isFiltered, change, clear } = useActivityFilters();
  const list = useActivity(filters);
  return (
    <Page>
      <title>{t`Activity · Orchestrate`}</title>
      <PageHeader
        title={t`Activity`}
        description={t`Every change in your organisation: who made it, when and from where.`}
        action={
          <>
            <RefreshButton refetch={list.refetch} size="md" />
            <ExportMenu filters={filters} />
          </>
        }
      />
      {!filters.q && <DaysChart address={address} />}
      <ActivityFilterBar address={address} onChange={change} />
      <SavedFilters list="activity" parameters={SAVED_PARAMETERS} />
      <Section label={t`Changes`} isFlush>
        <Results list={list} isFiltered={isFiltered} onClear={clear} />
      </Section>
    </Page>
  );
}

interface ResultsProps {
  list: ReturnType<typeof useActivity>;
  isFiltered: boolean;
  onClear: () => void;
}

function Results({ list, isFiltered, onClear }: ResultsProps) {
  const { events, refusal, refetch } = list;
  if (!events && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view activity`} description={resultText(refusal)} />;
  if (!events && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!events) return <SkeletonRows rows={SKELETON_ROWS} label={t`Loading activity`} />;
  if (events.length === 0 && isFiltered)
    return (
      <NoMatches
        title={t`No changes match`}
        description={t`No change matches all of these filters. Clear the filters to see every change.`}
        action={
          <Button variant="outline" onClick={onClear}>
            {t`Clear filters`}
          </Button>
        }
      />
    );
  if (events.length === 0)
    return (
      <EmptyState
        icon={History}
        title={t`No changes yet`}
        description={t`Changes by people, directories and the portal itself appear here.`}
      />
    );
  return (
    <>
      <EventDays events={events} />
      <ListEnd
        list={list}
        count={events.length}
        counted={plural(events.length, { one: '# change', other: '# changes' })}
      />
    </>
  );
}
