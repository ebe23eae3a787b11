import { Box, chakra, Flex, Grid, Heading, Link, Skeleton, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { listOwnApps, type ReplyOf } from '@orchestrate/shared';
import { ArrowUpRight, LayoutGrid } from 'lucide-react';
import { useId } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { hasWords } from '#lib/format/text.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { ListLine } from '#ui/list/list-end.tsx';
import { AppLogo } from '#ui/text/app-logo.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';

type OwnApp = ReplyOf<typeof listOwnApps>['apps'][number];

/** Lists the applications that the signed-in user can open. */
export default function OwnApplicationsScreen() {
  const { data, refusal, refetch } = useRead(listOwnApps, {});
  return (
    <Page>
      <title>{t`My Applications · Orchestrate`}</title>
      <PageHeader title={t`My Applications`} description={t`Applications you can sign in to with this account.`} />
      {!data && refusal ? (
        <RefusalState level="h2" refusal={refusal} onRetry={refetch} />
      ) : !data ? (
        <Loading />
      ) : data.apps.length === 0 ? (
        <EmptyState
          level="h2"
          icon={LayoutGrid}
          title={t`No applications yet`}
          description={t`Applications that your organisation lets you use appear here.`}
        />
      ) : (
        <Applications apps={data.apps} />
      )}
    </Page>
  );
}

/** Minimum number of applications that makes the search appear. */
const SEARCHED_FROM = 7;
const QUERY_MAX_LENGTH = 100;

function Applications({ apps }: { apps: readonly OwnApp[] }) {
  const [address] = useSearchParams();
  const changeAddress = useAddressChange();
  const { typed, type, submit } = useTypedQuery(address.get('q') ?? '', (q) => changeAddress({ q }));
  const shown = recentFirst(apps).filter(({ name, description }) => hasWords(`${name}\n${description}`, typed));
  return (
    <>
      {(apps.length >= SEARCHED_FROM || typed !== '') && (
        <Box role="search" maxW="md" display="flex">
          <SearchField
            label={t`Search my applications`}
            placeholder={t`Name or description`}
            maxLength={QUERY_MAX_LENGTH}
            value={typed}
            onChange={type}
            onSubmit={submit}
          />
        </Box>
      )}
      {typed !== '' && (
        <ListLine>{t`${shown.length} of ${plural(apps.length, { one: '# application', other: '# applications' })}`}</ListLine>
      )}
      {shown.length === 0 ? (
        <NoMatches
          level="h2"
          title={t`No applications match`}
          description={t`No application has “${typed.trim()}” in its name or description.`}
        />
      ) : (
        <Found apps={shown} />
      )}
    </>
  );
}

/** Sorts the applications by the user's last sign-in. Those without one follow, by name. */
const recentFirst = (apps: readonly OwnApp[]) =>
  apps.toSorted((a, b) => (b.lastSignInAt ?? '').localeCompare(a.lastSignInAt ?? ''));

/** Lists the applications that can be opened from here, and then the others. */
function Found({ apps }: { apps: readonly OwnApp[] }) {
  const opening = apps.flatMap(({ opensAt, ...app }) => (opensAt === null ? [] : { ...app, opensAt }));
  const others = apps.filter(({ opensAt }) => opensAt === null);
  return (
    <>
      {opening.length > 0 && (
        <Grid as="ul" listStyleType="none" aria-label={t`My Applications`} {...columns}>
          {opening.map(({ opensAt, ...app }) => (
            <li key={app.appId}>
              <Hint text={t`Opens in a new tab`}>
                <OpenLink {...card} href={opensAt} target="_blank" rel="noopener">
                  <About app={app} />
                  <Flex {...foot}>
                    <Text flex="1" minW="0" truncate>
                      {destinationOf(opensAt)}
                    </Text>
                    {app.lastSignInAt && (
                      <Text flexShrink="0">
                        <Trans>
                          used <RelativeTime at={app.lastSignInAt} isInControl />
                        </Trans>
                      </Text>
                    )}
                    <Box asChild flexShrink="0">
                      <ArrowUpRight size={16} aria-hidden />
                    </Box>
                  </Flex>
                </OpenLink>
              </Hint>
            </li>
          ))}
        </Grid>
      )}
      {others.length > 0 && <OnOwnSite apps={others} />}
    </>
  );
}

/** Returns the host that a tile opens. A SAML application without a start address opens through this portal. */
function destinationOf(address: string): string {
  const { host } = new URL(address);
  return host === window.location.host ? t`Signs you in automatically` : host;
}

/** Lists applications that can't be opened from the portal. Administrators get a link to change that. */
function OnOwnSite({ apps }: { apps: readonly OwnApp[] }) {
  const id = useId();
  const isDesktop = useHasRoomForAdministration();
  const mayEdit = useCan('SESSION_MANAGEMENT') && isDesktop;
  return (
    <Flex direction="column" gap="4">
      <Box>
        <Heading as="h2" id={id} size="sm">
          {t`Open on their own site`}
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          {mayEdit
            ? t`These can't be opened from here yet. Add a start address to change that.`
            : t`Sign-in to these applications starts on their own site.`}
        </Text>
      </Box>
      <Grid as="ul" listStyleType="none" aria-labelledby={id} {...columns}>
        {apps.map((app) => (
          <Flex as="li" key={app.appId} {...card}>
            <About app={app} />
            {mayEdit && (
              <Flex {...foot}>
                <Link asChild>
                  <RouterLink
                    to={`${paths.application(app.appId)}/name-&-description#start-address`}
                    aria-label={t`Add start address for ${app.name}`}
                  >
                    {t`Add start address`}
                  </RouterLink>
                </Link>
              </Flex>
            )}
          </Flex>
        ))}
      </Grid>
    </Flex>
  );
}

const columns = { templateColumns: 'repeat(auto-fill, minmax(min(100%, 19rem), 1fr))', gap: '4' } as const;
const card = {
  flexDirection: 'column',
  h: 'full',
  overflow: 'hidden',
  bg: 'bg.panel',
  borderWidth: '1px',
  borderRadius: 'l3',
} as const;

const foot = {
  align: 'center',
  justify: 'space-between',
  gap: '3',
  minH: '10',
  px: '5',
  bg: 'bg.subtle',
  borderTopWidth: '1px',
  textStyle: 'sm',
  color: 'fg.muted',
} as const;

const OpenLink = chakra('a', {
  base: {
    display: 'flex',
    outline: '0',
    focusVisibleRing: 'outside',
    transition: 'border-color 120ms, box-shadow 120ms',
    _hover: { borderColor: 'border.emphasized', boxShadow: 'xs' },
  },
});

/** An application's logo, name and description. */
function About({ app: { name, description, logo } }: { app: Omit<OwnApp, 'opensAt'> }) {
  return (
    <Flex flex="1" gap="4" p="5">
      <AppLogo name={name} logo={logo} />
      <Box flex="1" minW="0">
        <Text fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </Text>
        {description && (
          <Text textStyle="sm" color="fg.muted" lineClamp="3">
            {description}
          </Text>
        )}
      </Box>
    </Flex>
  );
}

function Loading() {
  return (
    <Grid role="status" aria-label={t`Loading your applications`} {...columns}>
      {['one', 'two', 'three'].map((name) => (
        <Flex key={name} {...card}>
          <Flex gap="4" p="5" minH="22">
            <Skeleton boxSize="12" borderRadius="l2" />
            <Flex direction="column" gap="2" flex="1" pt="1">
              <Skeleton h="3" w="50%" />
              <Skeleton h="2.5" w="75%" />
            </Flex>
          </Flex>
          <Flex {...foot} />
        </Flex>
      ))}
    </Grid>
  );
}
