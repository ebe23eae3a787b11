import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getLoginHistory } from '@orchestrate/shared';
import { History, Lock } from 'lucide-react';
import { useRead } from '#lib/api/use-read.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { SignInEntry } from './login-entry.tsx';

interface LatestLoginsProps {
  /** Member whose sign-ins to list; the signed-in user if undefined. */
  primaryAttr?: string;
  /** Maximum number of entries. */
  count: number;
}

/** Lists a member's latest sign-ins, newest first. */
export function LatestSignIns({ primaryAttr, count }: LatestLoginsProps) {
  const { data, refusal, refetch } = useRead(getLoginHistory, { query: { primaryAttr, count } });
  if (!data && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view this history`} description={resultText(refusal)} />;
  if (!data && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!data) return <SkeletonRows label={t`Loading login history`} />;
  if (data.records.length === 0)
    return (
      <EmptyState
        icon={History}
        title={t`No sign-ins yet`}
        description={primaryAttr === undefined ? t`Your sign-ins appear here.` : t`Sign-ins appear here.`}
      />
    );
  return (
    <chakra.ul listStyleType="none">
      {data.records.map((record) => (
        <SignInEntry key={record.id} record={record} />
      ))}
    </chakra.ul>
  );
}
