import { Box, Button, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { LIMITS, type SignInRecord } from '@orchestrate/shared';
import { History, Lock } from 'lucide-react';
import { Link } from 'react-router-dom';
import { memberAddressFrom } from '#lib/address/member-address.ts';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useFirstRows } from '#lib/browser/use-virtual-rows.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { DayChart } from '#ui/chart/day-chart.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { ListEnd } from '#ui/list/list-end.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { SignInDeviceIcon, SignInStatus, signInDeviceLabel } from './login-entry.tsx';
import { signInModeLabel } from './login-mode-label.ts';

const labels = {
  cancel: t`Cancelled on the device`,
  'not-me': t`“It wasn’t me”`,
  'wrong-number': t`Wrong number chosen`,
  'copied-passkey': t`Copied passkey detected`,
};

/** Known failure reasons, in menu order. */
export const SIGN_IN_REASONS = Object.keys(labels) as (keyof typeof labels)[];

/** Returns the display text for a failure reason; an unknown reason is returned unchanged. */
export const signInReasonLabel = (reason: string): string =>
  SIGN_IN_REASONS.flatMap((known) => (known === reason ? [labels[known]] : []))[0] ?? reason;

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

/** Columns that can be hidden. */
export const SIGN_IN_COLUMNS = [
  { key: 'application', label: t`Application` },
  { key: 'device', label: t`Device` },
  { key: 'email', label: t`Email` },
  { key: 'ip', label: t`IP address` },
] as const;
type SignInColumn = (typeof SIGN_IN_COLUMNS)[number]['key'];

interface SignInsTableProps {
  records: readonly SignInRecord[];
  /** Keys of hidden columns. */
  hidden: readonly string[];
}

/** Lists sign-ins, including failed ones, newest first. */
function SignInsTable({ records, hidden }: SignInsTableProps) {
  const mayOpen = useCan('SEARCH_USER');
  const rows = useFirstRows(records);
  const has = (column: SignInColumn) => !hidden.includes(column);
  const hasApplication = has('application');
  const headings = [
    { text: t`Member`, w: '28%' },
    { text: t`Result`, w: '16%' },
    ...(hasApplication ? [{ text: t`Application`, w: '16%' }] : []),
    ...(has('device') ? [{ text: t`Device`, w: '22%' }] : []),
    { text: has('ip') ? t`Time and IP address` : t`Time`, w: '18%' },
  ];
  return (
    <TableFrame label={t`Sign-ins`} headings={headings} last={null} hasFixedColumns room={hasApplication ? 56 : 44}>
      {rows.map((record) => (
        <Table.Row key={record.id}>
          <Table.Cell>
            <Text fontWeight="medium" truncate title={record.name}>
              {mayOpen ? <NameLink to={pathOf(record)}>{record.name}</NameLink> : record.name}
            </Text>
            {has('email') && (
              <Text textStyle="sm" color="fg.muted" truncate title={record.email}>
                {record.email}
              </Text>
            )}
          </Table.Cell>
          <Table.Cell>
            <SignInStatus status={record.loginStatus} />
            {record.reason && (
              <Text textStyle="xs" color="fg.muted" pt="1">
                {signInReasonLabel(record.reason)}
              </Text>
            )}
          </Table.Cell>
          {hasApplication && (
            <Table.Cell truncate title={record.appName}>
              {record.appName}
            </Table.Cell>
          )}
          {has('device') && (
            <Table.Cell>
              <Flex align="center" gap="3" minW="0">
                <SignInDeviceIcon type={record.deviceType} />
                <Box flex="1" minW="0">
                  <Text truncate title={signInDeviceLabel(record)}>
                    {signInDeviceLabel(record)}
                  </Text>
                  <Text textStyle="sm" color="fg.muted" truncate>
                    {signInModeLabel(record.mode)}
                  </Text>
                </Box>
              </Flex>
            </Table.Cell>
          )}
          <Table.Cell fontVariantNumeric="tabular-nums">
            <RelativeTime at={record.timestamp} exact={formatDateTimeSeconds} />
            {has('ip') && (
              <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                {record.ip}
              </Text>
            )}
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}

const pathOf = ({ name: fullName, ...person }: SignInRecord) =>
  memberAddressFrom(paths.member, { ...person, fullName });

export interface SignInList {
  records: SignInRecord[] | undefined;
  refusal: ApiRefusal | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => Promise<unknown>;
  refetch: () => Promise<unknown>;
}

interface SignInResultsProps {
  list: SignInList;
  /** False for the sign-ins to a single application. */
  hasApplication?: boolean;
  /** Keys of hidden columns. */
  hidden?: readonly string[];
  /** Clears the filters; undefined if no filter is set. */
  onClear?: (() => void) | undefined;
}

/**
 * Sign-in list with its loading, error and empty states. With rare filters, a page can be empty even if there is a
 * next page.
 */
export function SignInResults({ list, hasApplication = true, hidden = [], onClear }: SignInResultsProps) {
  const { records, refusal, hasMore, refetch } = list;
  if (!records && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view sign-ins`} description={resultText(refusal)} />;
  if (!records && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!records) return <SkeletonRows rows={6} label={t`Loading sign-ins`} />;
  if (records.length === 0 && !hasMore && !refusal)
    return onClear ? (
      <NoMatches
        title={t`No matching sign-ins`}
        description={t`Change or clear the filters to see more sign-ins.`}
        action={
          <Button variant="outline" onClick={onClear}>
            {t`Clear filters`}
          </Button>
        }
      />
    ) : (
      <EmptyState
        icon={History}
        title={t`No sign-ins yet`}
        description={t`Sign-ins appear here, including failed ones.`}
      />
    );
  return (
    <>
      {records.length > 0 && (
        <SignInsTable records={records} hidden={hasApplication ? hidden : ['application', ...hidden]} />
      )}
      <ListEnd
        list={list}
        count={records.length}
        counted={plural(records.length, { one: '# sign-in', other: '# sign-ins' })}
      />
    </>
  );
}

interface SignInDaysChartProps {
  days: readonly { day: string; success: number; failed: number }[];
  /** Returns the URL of a day's sign-ins; undefined for users who can't view them. */
  pathOf: ((day: string) => string) | undefined;
  /** The day that the list is limited to. */
  selected?: string | undefined;
  /** `sm` above a list. */
  size?: 'sm' | 'md';
}

/** Shows the sign-ins of the last days, successful and failed. */
export function SignInDaysChart({ days, pathOf, selected, size }: SignInDaysChartProps) {
  return (
    <DayChart
      label={t`Sign-ins of the last ${LIMITS.chartDays} days`}
      days={days.map(({ day, success, failed }) => ({ day, values: [success, failed] }))}
      series={[
        { name: t`Successful`, tone: 'plain' },
        { name: t`Failed`, tone: 'danger' },
      ]}
      describe={([success = 0, failed = 0]) => t`${formatNumber(success)} successful, ${formatNumber(failed)} failed`}
      to={pathOf}
      selected={selected}
      {...(size && { size })}
    />
  );
}
