import { Box, Button, chakra, Flex, Grid, Link, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  forgetBrowser,
  forgetBrowsers,
  type getSummary,
  LIMITS,
  listBrowsers,
  type RememberedBrowser,
  type ReplyOf,
} from '@orchestrate/shared';
import { describeBrowser } from '@orchestrate/shared/authenticator';
import { format } from 'date-fns';
import { Globe, Plus, ScanLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { today } from '#adapters/browser.ts';
import { LatestSignIns } from '#features/sign-ins/shared/latest-logins.tsx';
import { signInsPath } from '#features/sign-ins/shared/sign-ins-address.ts';
import { SignInsPanel } from '#features/sign-ins/shared/sign-ins-panel.tsx';
import { useModal } from '#lib/address/use-modal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { appDeniedText, canAddDevice } from '#lib/session/app-permission.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { Section } from '#ui/list/section.tsx';
import { DotSeparated } from '#ui/text/dot-separated.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { translateShared } from '#words/words.ts';
import { FirstSteps, useSummary } from './first-steps.tsx';

const columns = { templateColumns: { base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' }, gap: '4' };

/** Shows today's figures for the organisation to users who can search members. Each count links to its list. */
export function SummaryStrip() {
  const maySeeSignIns = useCan('SESSION_MANAGEMENT');
  const { data, refusal } = useSummary();
  // The screen is about the user's own devices, so unavailable counts are omitted without an error.
  if (!data && refusal) return null;
  if (!data) return <LoadingStrip />;
  const signInsOf = (status: 'Success' | 'Failed') =>
    maySeeSignIns ? signInsPath({ status, from: format(today(), 'yyyy-MM-dd') }) : undefined;
  return (
    <Grid as="section" aria-label={t`Organisation overview`} {...columns}>
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

/** Shows how today's sign-ins compare with yesterday's up to the same time. */
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
  /** URL of the list that the count links to. */
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

/** Lists the browsers that remember the signed-in user. Renders nothing if there are none. */
export function RememberedBrowsers() {
  const { data } = useRead(listBrowsers, {});
  if (!data || data.browsers.length === 0) return null;
  return (
    <Section title={t`Remembered browsers`} isFlush aside={data.browsers.length > 1 && <ForgetAll />}>
      <Flex as="ul" listStyleType="none" direction="column">
        {data.browsers.map((browser) => (
          <Browser key={browser.id} browser={browser} />
        ))}
      </Flex>
    </Section>
  );
}

function ForgetAll() {
  const { run, isPending } = useWrite(forgetBrowsers, { invalidates: ['Remembered Browsers'] });
  const forget = async () => {
    try {
      await run({});
      setRemembered(false);
      toast.success(t`All browsers forgotten`);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Button variant="outline" size="sm" loading={isPending} loadingText={t`Forget all`} onClick={() => void forget()}>
      {t`Forget all`}
    </Button>
  );
}

function Browser({ browser: { id, userAgent, ip, lastUsedAt, expiresAt, isThis } }: { browser: RememberedBrowser }) {
  const { run, isPending } = useWrite(forgetBrowser, { invalidates: ['Remembered Browsers'] });
  const name = translateShared(describeBrowser(userAgent));
  const forget = async () => {
    try {
      await run({ body: { id } });
      if (isThis) setRemembered(false);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Flex as="li" align="center" gap="3" px="5" py="3" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <IconTile>
        <Globe size={16} strokeWidth={1.75} aria-hidden />
      </IconTile>
      <Flex direction="column" flex="1" minW="0">
        <Flex align="center" wrap="wrap" columnGap="2" minW="0">
          <Text fontWeight="medium" overflowWrap="anywhere">
            {name}
          </Text>
          {isThis && <StatusBadge status={t`This browser`} tone="info" />}
        </Flex>
        <DotSeparated
          textStyle="xs"
          parts={[ip, t`last used ${formatDateTime(lastUsedAt)}`, t`until ${formatDateTime(expiresAt)}`]}
        />
      </Flex>
      <Button
        variant="outline"
        size="sm"
        aria-label={t`Forget ${name}`}
        loading={isPending}
        loadingText={t`Forget`}
        onClick={() => void forget()}
      >
        {t`Forget`}
      </Button>
    </Flex>
  );
}

/** Returns the greeting for an hour of the local day, from 0 to 23. */
export function greetingAt(hour: number): string {
  if (hour >= 5 && hour < 12) return t`Good morning`;
  if (hour >= 12 && hour < 18) return t`Good afternoon`;
  return hour >= 18 ? t`Good evening` : t`Hello`;
}

/** Spec 1 §9 requires the latest entries, but doesn't say how many. */
const LATEST = 5;

/** Lists the signed-in user's latest sign-ins, with a link to the full history. */
function LoginHistoryPanel({ title = t`Login History` }: { title?: string }) {
  return (
    <Section
      title={title}
      isFlush
      aside={
        <Link asChild textStyle="sm">
          <RouterLink to={paths.loginHistory}>{t`View All`}</RouterLink>
        </Link>
      }
    >
      <LatestSignIns count={LATEST} />
    </Section>
  );
}

/** The start screen, with the user's own devices and latest sign-ins. */
export default function DashboardScreen({ devices }: { devices: ReactNode }) {
  const profile = useSession()?.profile;
  const { open } = useModal();
  const isAdministrator = useCan('SEARCH_USER');
  const isDesktop = useIsDesktop();
  const isAddAllowed = canAddDevice(profile);
  return (
    <Flex direction="column" gap="6">
      <title>{t`Dashboard · Orchestrate`}</title>
      <PageHeader
        title={`${greetingAt(today().getHours())}, ${profile?.firstName}`}
        description={t`Your devices and latest sign-ins.`}
        action={
          <>
            <Button variant="outline" onClick={() => open('test-device')}>
              <ScanLine />
              {t`Test Device`}
            </Button>
            <Hint text={isAddAllowed ? undefined : appDeniedText(profile)}>
              <Button
                aria-disabled={isAddAllowed ? undefined : true}
                opacity={isAddAllowed ? undefined : 0.5}
                onClick={() => isAddAllowed && open('add-device')}
              >
                <Plus />
                {t`Add device`}
              </Button>
            </Hint>
          </>
        }
      />
      {isAdministrator && isDesktop && <FirstSteps />}
      {isAdministrator && isDesktop && <SummaryStrip />}
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 378px' }} gap="6" alignItems="start">
        {devices}
        <Flex direction="column" gap="6" minW="0">
          <LoginHistoryPanel />
          <SignInsPanel />
          <RememberedBrowsers />
        </Flex>
      </Grid>
    </Flex>
  );
}
