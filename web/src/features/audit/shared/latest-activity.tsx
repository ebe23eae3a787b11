import { Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AuditEvent } from '@orchestrate/shared';
import { History, Lock } from 'lucide-react';
import { Link as RouterLink } from 'react-router-dom';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { useCan } from '#lib/session/session.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { type ActivityAddress, activityPath } from './activity-address.ts';
import { EventList } from './event-list.tsx';

/** Number of recent changes listed on an object's own screen. */
export const LATEST_COUNT = 5;

interface LatestActivityProps {
  read: {
    data: { Items: AuditEvent[] } | undefined;
    refusal: ApiRefusal | undefined;
    refetch: () => Promise<unknown>;
  };
  /** Filters applied by the link to the full list. */
  all: ActivityAddress;
}

/** Lists an object's latest changes, with a link to all of them. */
export function LatestActivity({ read, all }: LatestActivityProps) {
  const maySeeAll = useCan('SESSION_MANAGEMENT');
  const hasAny = (read.data?.Items.length ?? 0) > 0;
  return (
    <Section
      title={t`Activity`}
      isFlush
      aside={
        maySeeAll &&
        hasAny && (
          <Link asChild textStyle="sm">
            <RouterLink to={activityPath(all)}>{t`View All`}</RouterLink>
          </Link>
        )
      }
    >
      <Results {...read} />
    </Section>
  );
}

function Results({ data, refusal, refetch }: LatestActivityProps['read']) {
  if (!data && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view activity`} description={resultText(refusal)} />;
  if (!data && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!data) return <SkeletonRows label={t`Loading activity`} />;
  if (data.Items.length === 0)
    return <EmptyState icon={History} title={t`No changes yet`} description={t`Changes appear here.`} />;
  return <EventList events={data.Items} />;
}
