import { listSpaces } from '@orchestrate/shared';
import { Navigate } from 'react-router-dom';
import NotFoundPage from '../../features/static-pages/not-found-page.tsx';
import { TokenForm } from '../../lab/tokens/token-form.tsx';
import { LoadingPage } from '../../layout/loading-page.tsx';
import { useRead } from '../../lib/api/use-read.ts';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { stagePaths } from '../stage-paths.ts';
import { OpeningScreen } from './opening-screen.tsx';

/** Where a stage is opened. With `LAB=off` it looks like a page that does not exist. */
export default function OpeningPage() {
  const { data, refusal, refetch } = useRead(listSpaces, {});
  if (data) return <OpeningScreen />;
  if (!refusal) return <LoadingPage />;
  if (refusal.status === 404) return <NotFoundPage />;
  if (refusal.status === 403) return <TokenForm message={refusal.message} onToken={() => void refetch()} />;
  // A space has no spaces: its stage is here already.
  if (refusal.resultName === 'UNSUPPORTED_ACTION') return <Navigate to={stagePaths.stage} replace />;
  return <RefusalState refusal={refusal} onRetry={refetch} />;
}
