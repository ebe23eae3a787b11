import { chakra, Link } from '@chakra-ui/react';
import { getLoginHistory, LIMITS } from '@orchestrate/shared';
import { History, Lock } from 'lucide-react';
import { Link as RouterLink } from 'react-router-dom';
import { resultText } from '../../lib/result-text.ts';
import { useRead } from '../../lib/use-endpoint.ts';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { LoginEntry } from './login-entry.tsx';

/** The latest sign-ins of the signed-in person, with the way to all of them. */
export function LoginHistoryPanel({ title = 'Login History' }: { title?: string }) {
  return (
    <Section
      title={title}
      isFlush
      aside={
        <Link asChild textStyle="sm">
          <RouterLink to={paths.loginHistory}>View All</RouterLink>
        </Link>
      }
    >
      <LatestLogins />
    </Section>
  );
}

function LatestLogins() {
  const { data, refusal, refetch } = useRead(getLoginHistory, { query: { count: LIMITS.dashboardLoginHistoryCount } });
  if (!data && refusal?.status === 403)
    return <EmptyState icon={Lock} title="This history is not shown to you" description={resultText(refusal)} />;
  if (!data && refusal)
    return <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows label="Loading the login history" />;
  if (data.records.length === 0)
    return <EmptyState icon={History} title="No sign-ins yet" description="Each sign-in is listed here." />;
  return (
    <chakra.ul listStyleType="none">
      {data.records.map((record) => (
        <LoginEntry key={record.id} record={record} />
      ))}
    </chakra.ul>
  );
}
