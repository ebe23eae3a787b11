import { Box, Button, Flex, Grid, Heading, Link, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { forgetBrowser, forgetBrowsers, listBrowsers, type RememberedBrowser } from '@orchestrate/shared';
import { describeBrowser } from '@orchestrate/shared/authenticator';
import { Globe, Plus, ScanLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { today } from '#adapters/browser.ts';
import { LatestSignIns } from '#features/sign-ins/shared/latest-logins.tsx';
import { SignInsPanel } from '#features/sign-ins/shared/sign-ins-panel.tsx';
import { useModal } from '#lib/address/use-modal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { formatDateTime, formatDay } from '#lib/format/dates.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { appDeniedText, canAddDevice } from '#lib/session/app-permission.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { currentSession, useCan, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { Section } from '#ui/list/section.tsx';
import { DotSeparated } from '#ui/text/dot-separated.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { translateShared } from '#words/words.ts';
import { FirstSteps } from './first-steps.tsx';
import { OrganisationPart } from './organisation-part.tsx';

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
      setRemembered(currentSession()?.orgId ?? '', false);
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
      if (isThis) setRemembered(currentSession()?.orgId ?? '', false);
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
          parts={[
            ip,
            <Trans key="used">
              last used <RelativeTime at={lastUsedAt} />
            </Trans>,
            t`until ${formatDateTime(expiresAt)}`,
          ]}
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

/**
 * Two columns. If they are too narrow for the devices, the devices have a row of their own, with the other panels
 * below.
 */
const ownGrid = {
  '@container (54rem <= width < 66rem)': {
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gridTemplateRows: 'auto auto 1fr',
    '& > div': { display: 'contents' },
    '& > div:first-of-type > div': { gridColumn: '1 / -1' },
    '& > div:last-of-type > div': { gridColumn: '2', gridRow: '2 / span 2' },
  },
  '@container (width >= 66rem)': { gridTemplateColumns: 'minmax(0, 1fr) 378px' },
};

/**
 * The start screen. Administrators see figures about the organisation first; everyone sees their own devices and
 * sign-ins.
 */
export default function DashboardScreen({ devices }: { devices: ReactNode }) {
  const profile = useSession()?.profile;
  const { open } = useModal();
  const hasOrganisation = useCan('SEARCH_USER');
  const isAdministrable = useHasRoomForAdministration();
  const isAddAllowed = canAddDevice(profile);
  const own = (
    <Box containerType="inline-size">
      <Grid templateColumns="minmax(0, 1fr)" gap="4" alignItems="start" css={ownGrid}>
        <Flex direction="column" gap="4" minW="0">
          <Box minW="0">{devices}</Box>
          <SignInsPanel />
        </Flex>
        <Flex direction="column" gap="4" minW="0">
          <Box minW="0">
            <LoginHistoryPanel />
          </Box>
          <RememberedBrowsers />
        </Flex>
      </Grid>
    </Box>
  );
  return (
    <Page>
      <title>{t`Dashboard · Orchestrate`}</title>
      <PageHeader
        title={`${greetingAt(today().getHours())}, ${profile?.firstName}`}
        description={hasOrganisation ? formatDay(today()) : t`Your devices and latest sign-ins.`}
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
      {hasOrganisation ? (
        <>
          {isAdministrable && <FirstSteps />}
          <Part title={t`Your organisation`}>
            <OrganisationPart />
          </Part>
          <Part title={t`Your account`}>{own}</Part>
        </>
      ) : (
        own
      )}
    </Page>
  );
}

/** Separates the organisation's part of the dashboard from the user's own. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="3" css={{ '& + &': { pt: '4' } }}>
      <Heading as="h2" textStyle="sm" fontWeight="semibold" color="fg.muted">
        {title}
      </Heading>
      {children}
    </Flex>
  );
}
