import { Box, Flex, Link, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  type ApplicationDetail,
  hasSignIn,
  listAppSignIns,
  listRefusedRedirects,
  type RefusedRedirect,
  type SignInRecord,
} from '@orchestrate/shared';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { SignInStatus } from '#features/sign-ins/shared/login-entry.tsx';
import { signInsPath } from '#features/sign-ins/shared/sign-ins-address.ts';
import { useRead } from '#lib/api/use-read.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { quickStartOf } from '../quick-starts/quick-start-section.tsx';
import { AddressWithHost } from './address-with-host.tsx';

const QuickStarts = lazyPart(() => import('../quick-starts/quick-starts.tsx'));

/** Number of sign-ins listed. */
const COUNT = 5;

/**
 * What an administrator needs at hand while configuring an application: sample code and the last sign-ins.
 * @param hasQuickStart false if the quick start is displayed elsewhere
 */
export default function EditorAside({ app, hasQuickStart }: { app: ApplicationDetail; hasQuickStart: boolean }) {
  const quickStart = hasQuickStart ? quickStartOf(app) : undefined;
  const maySee = useCan('SESSION_MANAGEMENT');
  const signsIn = !app.oidcConfiguration || hasSignIn(app.oidcConfiguration.clients.kind);
  return (
    <Flex direction="column" gap="5">
      {quickStart && (
        <Section title={t`Quick start`}>
          <Suspense fallback={<Skeleton h="80" borderRadius="l2" role="status" aria-label={t`Loading`} />}>
            <QuickStarts {...quickStart} isCompact />
          </Suspense>
        </Section>
      )}
      {maySee && signsIn && <LastSignIns app={app} />}
    </Flex>
  );
}

type Entry = { at: string; record: SignInRecord } | { at: string; refused: RefusedRedirect };

/** Lists the last sign-ins, including requests that were refused because of their redirect URI. */
function LastSignIns({ app: { appId, orgCode, oidcConfiguration } }: { app: ApplicationDetail }) {
  const params = { orgCode, appId };
  const { data, refusal, refetch } = useRead(listAppSignIns, { params, query: { pageSize: COUNT } });
  const { data: redirects } = useRead(listRefusedRedirects, oidcConfiguration ? { params } : null);
  const entries: Entry[] = [
    ...(data?.Items ?? []).map((record) => ({ at: record.timestamp, record })),
    ...(redirects?.refused ?? []).map((refused) => ({ at: refused.at, refused })),
  ];
  return (
    <Section
      title={t`Last sign-ins`}
      isFlush
      aside={
        <Link asChild textStyle="sm">
          <RouterLink to={signInsPath({ appId })}>{t`View All`}</RouterLink>
        </Link>
      }
    >
      {!data && refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows label={t`Loading sign-ins`} />
      ) : entries.length === 0 ? (
        <Text color="fg.muted" px="5" py="4">
          {t`No sign-ins yet. Try one with “Test sign-in”.`}
        </Text>
      ) : (
        <Box as="ul" aria-label={t`Last sign-ins`} listStyleType="none">
          {entries
            .toSorted((a, b) => b.at.localeCompare(a.at))
            .map((entry) => (
              <Box
                as="li"
                key={'record' in entry ? entry.record.id : entry.refused.redirectUri}
                px="5"
                py="3"
                _notFirst={{ borderTopWidth: '1px' }}
              >
                {'record' in entry ? (
                  <SignIn record={entry.record} />
                ) : (
                  <Refused appId={appId} refused={entry.refused} />
                )}
              </Box>
            ))}
        </Box>
      )}
    </Section>
  );
}

function SignIn({ record: { name, timestamp, loginStatus } }: { record: SignInRecord }) {
  return (
    <Flex align="center" justify="space-between" gap="3">
      <Box minW="0">
        <Text fontWeight="medium" truncate title={name}>
          {name}
        </Text>
        <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {formatDateTime(timestamp)}
        </Text>
      </Box>
      {loginStatus !== 'Success' && <SignInStatus status={loginStatus} />}
    </Flex>
  );
}

/** A refused redirect URI, with a link that adds it to the callback URLs without saving. */
function Refused({ appId, refused: { redirectUri, at } }: { appId: string; refused: RefusedRedirect }) {
  return (
    <Flex direction="column" gap="1.5" align="flex-start">
      <Flex w="full" justify="space-between" align="center" wrap="wrap" columnGap="2">
        <StatusBadge status={t`Redirect URI not allowed`} tone="danger" />
        <Text textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          {formatDateTime(at)}
        </Text>
      </Flex>
      <AddressWithHost address={redirectUri} />
      <Link asChild textStyle="sm" fontWeight="medium">
        <RouterLink
          to={`${paths.application(appId)}/configuration`}
          state={{ callbackUrl: redirectUri }}
          aria-label={t`Add to callback URLs: ${redirectUri}`}
        >
          <Plus size={14} aria-hidden />
          {t`Add to callback URLs`}
        </RouterLink>
      </Link>
    </Flex>
  );
}
