import { Button, Flex } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { History, Lock } from 'lucide-react';
import { EventDays } from '../../events/event-list.tsx';
import { resultText } from '../../lib/notices/result-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListEnd } from '../../ui/list-end.tsx';
import { NothingFound } from '../../ui/nothing-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { ActivityFilterBar } from './activity-filter-bar.tsx';
import { ExportMenu } from './export-menu.tsx';
import { useActivity } from './use-activity.ts';
import { useActivityFilters } from './use-activity-filters.ts';

const SKELETON_ROWS = 6;

/** What was changed in the organisation, and who did it. */
export default function ActivityScreen() {
  const { address, filters, isFiltered, change, clear } = useActivityFilters();
  const list = useActivity(filters);
  return (
    <Flex direction="column" gap="6">
      <title>{t`Activity · Orchestrate`}</title>
      <PageHeader
        title={t`Activity`}
        description={t`What was changed in your organisation, by whom and from where.`}
        action={<ExportMenu filters={filters} />}
      />
      <ActivityFilterBar address={address} onChange={change} />
      <Section title={t`Changes`} isFlush aside={<RefreshButton refetch={list.refetch} />}>
        <Found list={list} isFiltered={isFiltered} onClear={clear} />
      </Section>
    </Flex>
  );
}

interface FoundProps {
  list: ReturnType<typeof useActivity>;
  isFiltered: boolean;
  onClear: () => void;
}

function Found({ list, isFiltered, onClear }: FoundProps) {
  const { events, refusal, refetch } = list;
  if (!events && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view activity`} description={resultText(refusal)} />;
  if (!events && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!events) return <SkeletonRows rows={SKELETON_ROWS} label={t`Loading activity`} />;
  if (events.length === 0 && isFiltered)
    return (
      <NothingFound
        title={t`Nothing found`}
        description={t`No change matches all of these filters.`}
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
        title={t`Nothing has been changed yet`}
        description={t`Changes by people, directories and the portal itself are listed here.`}
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
