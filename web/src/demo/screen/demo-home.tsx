import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { MINUTE, readClock } from '@orchestrate/shared';
import { Clapperboard } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { LabUpdates, useIsGone } from '#lab/lab-updates.tsx';
import { TokenForm } from '#lab/tokens/token-form.tsx';
import { LoadingPage } from '#layout/loading-page.tsx';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { demoPaths } from '../demo-paths.ts';
import { prepareDemo } from '../play/prepare-demo.ts';
import { DemoScreen } from './demo-screen.tsx';

/**
 * Returns the URL to start another demo from: the portal that started this one, as named in the demo's URL. Other hosts
 * are ignored, because anyone can craft the URL.
 */
export function openingAddress(from: string | null, here: Pick<Location, 'hostname'>): string {
  const origin = from === null ? null : URL.parse(from);
  const isOurs = origin !== null && /^https?:$/.test(origin.protocol) && origin.hostname === here.hostname;
  return isOurs ? `${origin.origin}${demoPaths.opening}` : demoPaths.opening;
}

/** `/demo/stage`: the demo of a space, until the space ends. */
export default function DemoHome() {
  const {
    data: prepared,
    error,
    mutate,
  } = useSWR<Awaited<ReturnType<typeof prepareDemo>>, unknown>('demo', prepareDemo);
  const refusal = error instanceof ApiRefusal ? error : undefined;
  if (prepared) {
    return (
      <LabUpdates>
        <UntilItEnds>
          <DemoScreen prepared={prepared} />
        </UntilItEnds>
      </LabUpdates>
    );
  }
  if (prepared === null)
    return (
      <Elsewhere title={t`No demo here`}>
        {t`This portal wasn't started for a demo, so it was left unchanged.`}
      </Elsewhere>
    );
  if (!error) return <LoadingPage />;
  if (refusal?.status === 404) return <NotFoundPage />;
  if (refusal?.status === 403) return <TokenForm message={refusal.message} onToken={() => void mutate()} />;
  return <ErrorState message={resultText(error)} requestId={refusal?.requestId} onRetry={() => void mutate()} />;
}

/** Interval of the requests that keep the space alive, well below the half hour after which it ends. */
const IN_USE_MS = 5 * MINUTE;

/** Replaces the demo with a notice when the space has ended and no longer responds. */
function UntilItEnds({ children }: { children: ReactNode }) {
  const isGone = useIsGone();
  // Keeps the space alive while the demo is open.
  useSWR('demo in use', () => call(readClock, {}), { refreshInterval: IN_USE_MS, revalidateOnFocus: true });
  if (!isGone) return children;
  return (
    <Elsewhere title={t`The demo has ended`}>
      {t`Demos end half an hour after they were last open, and their data is deleted.`}
    </Elsewhere>
  );
}

function Elsewhere({ title, children }: { title: string; children: ReactNode }) {
  const [search] = useSearchParams();
  return (
    <MessagePage
      icon={Clapperboard}
      title={title}
      action={
        <Button asChild size="lg">
          <a href={openingAddress(search.get('from'), window.location)}>{t`Start a new demo`}</a>
        </Button>
      }
    >
      {children}
    </MessagePage>
  );
}
