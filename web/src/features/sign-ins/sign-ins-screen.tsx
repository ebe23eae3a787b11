import { Box, Button, Grid, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { countSignInDays, listApps, listSignIns } from '@orchestrate/shared';
import { ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ownTimeZone } from '#adapters/browser.ts';
import { readDay, spanOf } from '#features/audit/shared/activity-address.ts';
import { PeriodFilter } from '#features/audit/shared/period-filter.tsx';
import { ChooseMemberDialog } from '#features/members/shared/choose-member-dialog.tsx';
import { useMemberName } from '#features/members/shared/names.ts';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { DayChartSkeleton } from '#ui/chart/day-chart.tsx';
import { RefreshButton } from '#ui/feedback/refresh-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { Select } from '#ui/form/select.tsx';
import { ColumnChoice, SavedFilters, useHiddenColumns } from '#ui/list/list-preferences.tsx';
import { Section } from '#ui/list/section.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { signInModeLabel, signInModes } from './shared/login-mode-label.ts';
import {
  SIGN_IN_COLUMNS,
  SIGN_IN_REASONS,
  SignInDaysChart,
  SignInResults,
  signInReasonLabel,
} from './shared/sign-in-results.tsx';
import { type SignInQuery, signInParameters, signInsPath } from './shared/sign-ins-address.ts';

const ID_MAX_LENGTH = 64;
const STATUSES = ['Success', 'Failed'] as const;

/** Stores the filters in the URL, so that Back, a reload or a link restores them. Invalid filters are ignored. */
function useSignInFilters() {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const read = (name: keyof typeof signInParameters) => search.get(signInParameters[name]);
  const text = (name: keyof typeof signInParameters) => read(name)?.trim().slice(0, ID_MAX_LENGTH) || undefined;
  const id = (name: keyof typeof signInParameters) => (/^[\w-]+$/.test(text(name) ?? '') ? text(name) : undefined);
  const address = {
    status: STATUSES.find((status) => status === read('status')),
    suid: id('suid'),
    appId: id('appId'),
    mode: text('mode'),
    reason: SIGN_IN_REASONS.find((reason) => reason === read('reason')),
    ip: text('ip'),
    from: readDay(read('from')),
    to: readDay(read('to')),
  };
  const change = (changed: SignInQuery) =>
    changeAddress(
      Object.fromEntries(
        Object.entries(changed).map(([name, value]) => [
          signInParameters[name as keyof typeof signInParameters],
          value,
        ]),
      ),
    );
  return {
    address,
    isFiltered: Object.values(address).some(Boolean),
    change,
    clear: () => change(Object.fromEntries(Object.keys(signInParameters).map((name) => [name, undefined]))),
  };
}

type SignInFilters = ReturnType<typeof useSignInFilters>['address'];

interface SignInFilterBarProps {
  address: SignInFilters;
  onChange: (changed: SignInQuery) => void;
}

/** Filters of equal width, which end where the list below them ends. */
const filterBar = {
  templateColumns: 'repeat(auto-fit, minmax(min({sizes.36}, 100%), 1fr))',
  gap: '2',
  alignItems: 'center',
} as const;

/** The server's application name for sign-ins to the portal itself. */
const PORTAL = 'portal';

/** Filter bar for the sign-in list. */
function SignInFilterBar({ address, onChange }: SignInFilterBarProps) {
  const orgCode = useSession()?.orgId ?? '';
  const { data } = useRead(listApps, orgCode ? { params: { orgCode } } : null);
  const { typed, type, submit } = useTypedQuery(address.ip ?? '', (ip) => onChange({ ip }));
  const apps = data?.apps.filter(({ integrationType }) => integrationType !== 'portal') ?? [];
  const isKnown = !address.appId || address.appId === PORTAL || apps.some(({ appId }) => appId === address.appId);
  return (
    <Grid {...filterBar} role="search" aria-label={t`Sign-ins`}>
      <ResultFilter address={address} onChange={onChange} />
      <PersonFilter address={address} onChange={onChange} />
      <Select
        aria-label={t`Application`}
        value={address.appId ?? ''}
        onChange={({ target }) => onChange({ appId: target.value })}
      >
        <option value="">{t`Any application`}</option>
        <option value={PORTAL}>{t`The portal itself`}</option>
        {apps.map(({ appId, name }) => (
          <option key={appId} value={appId}>
            {name}
          </option>
        ))}
        {!isKnown && <option value={address.appId}>{data ? t`Deleted application` : t`Selected application`}</option>}
      </Select>
      <Select
        aria-label={t`Method`}
        value={address.mode ?? ''}
        onChange={({ target }) => onChange({ mode: target.value })}
      >
        <option value="">{t`Any method`}</option>
        {signInModes.map((mode) => (
          <option key={mode} value={mode}>
            {signInModeLabel(mode)}
          </option>
        ))}
      </Select>
      <Input
        aria-label={t`IP address`}
        placeholder={t`Any IP address`}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && submit()}
      />
      <PeriodFilter period={address} onChange={({ from, to }) => onChange({ from, to })} />
    </Grid>
  );
}

/** Filters by result, or by the reason of a failure. */
function ResultFilter({ address: { status, reason }, onChange }: SignInFilterBarProps) {
  const choose = (value: string) => {
    const isReason = SIGN_IN_REASONS.some((known) => known === value);
    onChange(isReason ? { status: 'Failed', reason: value } : { status: value, reason: undefined });
  };
  return (
    <Select aria-label={t`Result`} value={reason ?? status ?? ''} onChange={({ target }) => choose(target.value)}>
      <option value="">{t`Any result`}</option>
      <option value="Success">{t`Success`}</option>
      <option value="Failed">{t`Failed`}</option>
      <optgroup label={t`Reason`}>
        {SIGN_IN_REASONS.map((known) => (
          <option key={known} value={known}>
            {signInReasonLabel(known)}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}

function PersonFilter({ address: { suid }, onChange }: SignInFilterBarProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const maySearch = useCan('SEARCH_USER');
  const name = useMemberName(suid);
  if (suid)
    return (
      <Button variant="outline" aria-label={t`Remove filter: ${name}`} onClick={() => onChange({ suid: undefined })}>
        {name}
        <X aria-hidden />
      </Button>
    );
  if (!maySearch) return null;
  return (
    <>
      <Button
        variant="outline"
        fontWeight="normal"
        justifyContent="space-between"
        px="3"
        borderColor="border.emphasized"
        onClick={() => setIsChoosing(true)}
      >
        {t`Any member…`}
        <Box asChild color="fg.muted">
          <ChevronDown size="16" aria-hidden />
        </Box>
      </Button>
      <ChooseMemberDialog
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        onChoose={(member) => onChange({ suid: member.suid })}
      />
    </>
  );
}

const PAGE_SIZE = 50;

/** Loads the organisation's matching sign-ins one page at a time, newest first. */
function useSignIns({ from, to, ...filters }: SignInFilters) {
  const { pages, ...list } = usePages(listSignIns, (lastItem) => ({
    query: { ...filters, ...spanOf({ from, to }), pageSize: PAGE_SIZE, lastItem },
  }));
  return { ...list, records: pages?.flatMap((page) => page.Items) };
}

/** Shows the matching sign-ins by day, whatever the period. A day links to its sign-ins, and the selected day to all. */
function DaysChart({ address }: { address: SignInFilters }) {
  const { from, to, ...filters } = address;
  const { data, refusal, refetch } = useRead(countSignInDays, { query: { ...filters, timeZone: ownTimeZone() } });
  // Keeps the chart while the counts of another filter load.
  const [shown, setShown] = useState(data);
  if (data && data !== shown) setShown(data);
  const selected = from === to ? from : undefined;
  const pathOf = (day: string) => signInsPath(day === selected ? filters : { ...filters, from: day, to: day });
  // The list explains why there is no access.
  if (refusal?.status === 403) return null;
  return (
    <Section>
      {shown ? (
        <SignInDaysChart days={shown.days} pathOf={pathOf} selected={selected} size="sm" />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <DayChartSkeleton label={t`Loading sign-ins by day`} size="sm" />
      )}
      {shown?.isPartial && (
        <Text textStyle="sm" color="fg.muted">
          {t`Only the latest sign-ins of each day were counted.`}
        </Text>
      )}
    </Section>
  );
}

/** Name of the list in the user's preferences. */
const LIST = 'sign-ins';

const { from: _from, to: _to, ...savedParameters } = signInParameters;
const SAVED_PARAMETERS = Object.values(savedParameters);

/** Lists every sign-in attempt in the organisation, including failed attempts. */
export default function SignInsScreen() {
  const { address, isFiltered, change, clear } = useSignInFilters();
  const list = useSignIns(address);
  const [hidden, toggle] = useHiddenColumns(LIST);
  return (
    <Page>
      <title>{t`Sign-ins · Orchestrate`}</title>
      <PageHeader
        title={t`Sign-ins`}
        description={t`Every sign-in attempt, successful or not.`}
        action={
          <>
            <ColumnChoice columns={SIGN_IN_COLUMNS} hidden={hidden} onToggle={toggle} />
            <RefreshButton refetch={list.refetch} size="md" />
          </>
        }
      />
      <DaysChart address={address} />
      <SignInFilterBar address={address} onChange={change} />
      <SavedFilters list={LIST} parameters={SAVED_PARAMETERS} />
      <Section label={t`Sign-ins`} isFlush>
        <SignInResults list={list} hidden={hidden} onClear={isFiltered ? clear : undefined} />
      </Section>
    </Page>
  );
}
