import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { MINUTE, readClock } from '@orchestrate/shared';
import { Clapperboard } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { LabUpdates, useIsPortalGone } from '#lab/lab-updates.tsx';
import { TokenForm } from '#lab/tokens/token-form.tsx';
import { LoadingPage } from '#layout/screen-boundary.tsx';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { demoPaths } from '../demo-paths.ts';
import { prepareDemo } from '../play/prepare-demo.ts';
import { DemoScreen } from './demo-screen.tsx';

/**
 * Returns the URL for starting another demo: the portal that started this demo, as named in the demo's URL. Other
 * hosts are ignored, because anyone can craft the URL.
 */
export function newDemoUrl(from: string | null, here: Pick<Location, 'hostname'>): string {
  const origin = from === null ? null : URL.parse(from);
  const isOurs = origin !== null && /^https?:$/.test(origin.protocol) && origin.hostname === here.hostname;
  return isOurs ? `${origin.origin}${demoPaths.opening}` : demoPaths.opening;
}

/** The `/demo/stage` page: a space's demo, until the space ends. */
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
      <Elsewhere title={t`This isn't a demo portal`}>
        {t`It wasn't started for a demo, so nothing was changed.`}
      </Elsewhere>
    );
  if (!error) return <LoadingPage />;
  if (refusal?.status === 404) return <NotFoundPage />;
  if (refusal?.status === 403) return <TokenForm message={refusal.message} onToken={() => void mutate()} />;
  return <ErrorState message={resultText(error)} requestId={refusal?.requestId} onRetry={() => void mutate()} />;
}

/**
 * Interval of the requests that keep the space alive, in milliseconds. Well below the half hour after which an unused
 * space ends.
 */
const IN_USE_MS = 5 * MINUTE;

/** Replaces the demo with a notice if the space has ended and no longer responds. */
function UntilItEnds({ children }: { children: ReactNode }) {
  const isGone = useIsPortalGone();
  // Keep the space alive while the demo is open.
  useSWR('demo in use', () => call(readClock, {}), { refreshInterval: IN_USE_MS, revalidateOnFocus: true });
  if (!isGone) return children;
  return (
    <Elsewhere title={t`The demo has ended`}>
      {t`A demo ends and its data is deleted half an hour after you last had it open.`}
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
          <a href={newDemoUrl(search.get('from'), window.location)}>{t`Start a new demo`}</a>
        </Button>
      }
    >
      {children}
    </MessagePage>
  );
}
