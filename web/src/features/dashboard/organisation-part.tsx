import { Box, chakra, Flex, Grid, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { SignInDaysChart } from '#features/sign-ins/shared/sign-in-results.tsx';
import { signInsPath } from '#features/sign-ins/shared/sign-ins-address.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { DayChartSkeleton } from '#ui/chart/day-chart.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { type Summary, useSummary } from './first-steps.tsx';
import { LatestPanel, NeedsAttention } from './organisation-lists.tsx';

/**
 * The dashboard's figures and lists about the whole organisation, all from one call. On a phone, whose screens don't
 * include the lists behind them, they aren't links.
 */
export function OrganisationPart() {
  const { data, refusal, refetch } = useSummary();
  const maySeeSignIns = useCan('SESSION_MANAGEMENT');
  const hasLinks = useHasRoomForAdministration();
  if (!data && refusal)
    return (
      <Section title={t`Organisation overview`}>
        <RefusalState refusal={refusal} onRetry={refetch} />
      </Section>
    );
  return (
    <Flex direction="column" gap="4" containerType="inline-size">
      {data ? <SummaryStrip summary={data} hasLinks={hasLinks} /> : <LoadingStrip />}
      <Grid
        templateColumns="minmax(0, 1fr)"
        gap="4"
        css={{
          '@container (width >= 54rem)': {
            gridTemplateColumns: 'minmax(0, 1fr) 336px',
            '& > :first-of-type': { gridColumn: '2', gridRow: '1' },
          },
          '@container (width >= 66rem)': { gridTemplateColumns: 'minmax(0, 1fr) 378px' },
        }}
      >
        <NeedsAttention summary={data} maySeeSignIns={maySeeSignIns} hasLinks={hasLinks} />
        <Section title={t`Sign-ins`}>
          {data ? (
            <SignInDaysChart days={data.days} pathOf={maySeeSignIns && hasLinks ? dayPath : undefined} />
          ) : (
            <DayChartSkeleton label={t`Loading sign-ins`} />
          )}
        </Section>
      </Grid>
      {maySeeSignIns && hasLinks && <LatestPanel latest={data?.latest ?? undefined} />}
    </Flex>
  );
}

const dayPath = (day: string) => signInsPath({ from: day, to: day });

const strip = {
  templateColumns: { base: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' },
  // The gap draws the lines between the figures.
  gap: '1px',
  bg: 'border',
  borderWidth: '1px',
  borderRadius: 'l3',
  overflow: 'hidden',
} as const;

/** Shows today's figures. Each links to its list. */
function SummaryStrip({ summary, hasLinks }: { summary: Summary; hasLinks: boolean }) {
  const maySeeSignIns = useCan('SESSION_MANAGEMENT');
  const { members, days, signIns, signInsBefore, failed, denied, codesExpiring } = summary;
  const today = days.at(-1)?.day;
  const week = days.slice(-7).reduce((total, day) => total + day.failed, 0);
  const signInsOf = (status: 'Success' | 'Failed') =>
    maySeeSignIns && hasLinks ? signInsPath({ status, from: today }) : undefined;
  const membersWith = (filter: string) => (hasLinks ? `${paths.manageUsers}?${filter}` : undefined);
  return (
    <Grid as="section" aria-label={t`Organisation overview`} {...strip}>
      <Figure label={t`Sign-ins today`} value={signIns} to={signInsOf('Success')}>
        <Note>{t`${formatNumber(signInsBefore)} yesterday by this time`}</Note>
      </Figure>
      <Figure label={t`Failed today`} value={failed} to={signInsOf('Failed')}>
        {denied > 0 ? (
          <Note tone="danger.fg">{t`${formatNumber(denied)} denied`}</Note>
        ) : (
          <Note>{t`${formatNumber(week)} in 7 days`}</Note>
        )}
      </Figure>
      <Figure label={t`Active members`} value={members.active} to={membersWith('status=active')}>
        <Note>{t`of ${formatNumber(members.total)}`}</Note>
      </Figure>
      <Figure label={t`Codes expiring`} value={codesExpiring} to={membersWith('codes=expiring')}>
        <Note tone={codesExpiring > 0 ? 'warning.fg' : undefined}>{t`within ${LIMITS.codeExpiresSoonHours} h`}</Note>
      </Figure>
    </Grid>
  );
}

function Note({ tone = 'fg.muted', children }: { tone?: string | undefined; children: string }) {
  return (
    <Text as="span" textStyle={{ base: 'xs', xs: 'sm' }} color={tone}>
      {children}
    </Text>
  );
}

const cell = {
  display: 'block',
  px: { base: '4', xs: '5' },
  py: '3.5',
  bg: 'bg.panel',
  minW: '0',
  _highContrast: { outline: '1px solid CanvasText' },
} as const;

const FigureLink = chakra(RouterLink, {
  base: { outline: '0', focusVisibleRing: 'inside', transition: 'background-color 120ms', _hover: { bg: 'bg.subtle' } },
});

interface FigureProps {
  label: string;
  value: number;
  /** URL of the list that the figure links to. */
  to?: string | undefined;
  children: ReactNode;
}

function Figure({ label, value, to, children }: FigureProps) {
  const content = (
    <>
      <Text textStyle="sm" color="fg.muted">
        {label}
      </Text>
      <Flex direction={{ base: 'column', xs: 'row' }} align="baseline" columnGap="2" wrap="wrap">
        <Text as="strong" fontSize="2xl" fontWeight="semibold" lineHeight="short" fontVariantNumeric="tabular-nums">
          {formatNumber(value)}
        </Text>
        {children}
      </Flex>
    </>
  );
  if (!to) return <Box {...cell}>{content}</Box>;
  return (
    <FigureLink to={to} {...cell}>
      {content}
    </FigureLink>
  );
}

function LoadingStrip() {
  return (
    <Grid role="status" aria-label={t`Counting`} {...strip}>
      {['sign-ins', 'failed', 'members', 'codes'].map((name) => (
        <Flex
          key={name}
          {...cell}
          display="flex"
          direction="column"
          justify="space-between"
          h={{ base: '97px', xs: '79px' }}
        >
          <Skeleton h="3" w="24" />
          <Skeleton h="5" w="20" />
        </Flex>
      ))}
    </Grid>
  );
}
