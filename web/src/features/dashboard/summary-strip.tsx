import { Box, chakra, Flex, Grid, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type getSummary, LIMITS, type ReplyOf } from '@orchestrate/shared';
import { format } from 'date-fns';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { today } from '../../adapters/clock.ts';
import { formatNumber } from '../../lib/format/number.ts';
import { useCan } from '../../lib/session/session.ts';
import { signInsPath } from '../../login-history/sign-ins-address.ts';
import { paths } from '../../paths.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useSummary } from './use-summary.ts';

const columns = { templateColumns: { base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' }, gap: '4' };

/** Today's figures of the organisation, for people who may search members; each count links to what it counts. */
export function SummaryStrip() {
  const maySeeSignIns = useCan('SESSION_MANAGEMENT');
  const { data, refusal } = useSummary();
  // The page is about one's own devices, so if the counts cannot be read nothing is shown.
  if (!data && refusal) return null;
  if (!data) return <LoadingStrip />;
  const signInsOf = (status: 'Success' | 'Failed') =>
    maySeeSignIns ? signInsPath({ status, from: format(today(), 'yyyy-MM-dd') }) : undefined;
  return (
    <Grid as="section" aria-label={t`Organisation at a glance`} {...columns}>
      <Count label={t`Active members`} value={data.members.active} to={`${paths.manageUsers}?status=active`}>
        <StatusBadge status={t`of ${formatNumber(data.members.total)}`} tone="neutral" />
      </Count>
      <Count label={t`Sign-ins today`} value={data.signIns} to={signInsOf('Success')}>
        <Trend {...data} />
      </Count>
      <Count label={t`Failed today`} value={data.failed} to={signInsOf('Failed')}>
        {data.denied > 0 && <StatusBadge status={t`${formatNumber(data.denied)} denied`} tone="danger" />}
      </Count>
      <Count label={t`Codes expiring`} value={data.codesExpiring} to={`${paths.manageUsers}?codes=expiring`}>
        {data.codesExpiring > 0 && <StatusBadge status={t`in ${LIMITS.codeExpiresSoonHours} h`} tone="warning" />}
      </Count>
    </Grid>
  );
}

/** The difference to the sign-ins until this time yesterday. */
function Trend({ signIns, signInsBefore }: Pick<ReplyOf<typeof getSummary>, 'signIns' | 'signInsBefore'>) {
  const more = signIns - signInsBefore;
  if (more === 0) return <StatusBadge status={t`same as yesterday`} tone="neutral" />;
  const change = formatNumber(Math.abs(more));
  return more > 0 ? (
    <StatusBadge status={t`${change} more than yesterday`} tone="success" />
  ) : (
    <StatusBadge status={t`${change} fewer than yesterday`} tone="neutral" />
  );
}

interface CountProps {
  label: string;
  value: number;
  /** The list of the counted people. */
  to?: string | undefined;
  children: ReactNode;
}

const card = {
  display: 'block',
  p: '5',
  bg: 'bg.panel',
  borderWidth: '1px',
  borderRadius: 'l3',
} as const;

function Count({ label, value, to, children }: CountProps) {
  const content = (
    <>
      <Text textStyle="sm" color="fg.muted">
        {label}
      </Text>
      <Flex align="center" gap="2.5" wrap="wrap">
        <Text as="strong" fontSize="2xl" fontWeight="semibold" lineHeight="short" fontVariantNumeric="tabular-nums">
          {formatNumber(value)}
        </Text>
        {children}
      </Flex>
    </>
  );
  if (!to) return <Box {...card}>{content}</Box>;
  return (
    <CountLink to={to} {...card}>
      {content}
    </CountLink>
  );
}

const CountLink = chakra(RouterLink, {
  base: {
    outline: '0',
    focusVisibleRing: 'outside',
    transition: 'border-color 120ms, box-shadow 120ms',
    _hover: { borderColor: 'border.emphasized', boxShadow: 'xs' },
  },
});

function LoadingStrip() {
  return (
    <Grid role="status" aria-label={t`Counting`} {...columns}>
      {['members', 'sign-ins', 'failed', 'codes'].map((name) => (
        <Flex key={name} {...card} display="flex" direction="column" justify="space-between" h="91px">
          <Skeleton h="3" w="24" />
          <Skeleton h="5" w="20" />
        </Flex>
      ))}
    </Grid>
  );
}
