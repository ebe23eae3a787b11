import { Button } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { SignInRecord } from '@orchestrate/shared';
import { History, Lock } from 'lucide-react';
import type { ApiRefusal } from '../lib/api/api-refusal.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ListEnd } from '../ui/list-end.tsx';
import { NothingFound } from '../ui/nothing-found.tsx';
import { RefusalState } from '../ui/refusal-state.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { SignInsTable } from './sign-ins-table.tsx';

export interface SignInList {
  records: SignInRecord[] | undefined;
  refusal: ApiRefusal | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => Promise<unknown>;
  refetch: () => Promise<unknown>;
}

interface SignInsFoundProps {
  list: SignInList;
  hasApplication?: boolean;
  /** Absent where no filter is set. */
  onClear?: (() => void) | undefined;
}

/** The list of sign-ins in each of its states. With rare filters a page may be empty and still have a next one. */
export function SignInsFound({ list, hasApplication = true, onClear }: SignInsFoundProps) {
  const { records, refusal, hasMore, refetch } = list;
  if (!records && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view sign-ins`} description={resultText(refusal)} />;
  if (!records && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!records) return <SkeletonRows rows={6} label={t`Loading sign-ins`} />;
  if (records.length === 0 && !hasMore && !refusal)
    return onClear ? (
      <NothingFound
        title={t`Nothing found`}
        description={t`No sign-in matches all of these filters.`}
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
        description={t`Each sign-in is listed here, failed ones too.`}
      />
    );
  return (
    <>
      {records.length > 0 && <SignInsTable records={records} hasApplication={hasApplication} />}
      <ListEnd
        list={list}
        count={records.length}
        counted={plural(records.length, { one: '# sign-in', other: '# sign-ins' })}
      />
    </>
  );
}
