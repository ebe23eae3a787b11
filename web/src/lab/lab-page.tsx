import { readOutbox } from '@orchestrate/shared';
import NotFoundPage from '../features/static-pages/not-found-page.tsx';
import { LoadingPage } from '../layout/loading-page.tsx';
import { useRead } from '../lib/api/use-read.ts';
import { useCarriedLabToken } from '../lib/session/use-carried-lab-token.ts';
import { RefusalState } from '../ui/refusal-state.tsx';
import { LabNews } from './lab-news.tsx';
import { LabScreen } from './shell/lab-screen.tsx';
import { TokenForm } from './tokens/token-form.tsx';

/** `/lab`: a page for the portal's mock controls; where the lab is off, it looks like a page that does not exist. */
export default function LabPage() {
  useCarriedLabToken();
  const { data, refusal, refetch } = useRead(readOutbox, { query: {} });
  if (data)
    return (
      <LabNews>
        <LabScreen />
      </LabNews>
    );
  if (!refusal) return <LoadingPage />;
  if (refusal.status === 404) return <NotFoundPage />;
  if (refusal.status === 403) return <TokenForm message={refusal.message} onToken={() => void refetch()} />;
  return <RefusalState refusal={refusal} onRetry={refetch} />;
}
