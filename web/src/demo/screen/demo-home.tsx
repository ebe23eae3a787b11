import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { MINUTE, readClock } from '@orchestrate/shared';
import { Clapperboard } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { LabNews } from '#lab/lab-news.tsx';
import { TokenForm } from '#lab/tokens/token-form.tsx';
import { useIsGone } from '#lab/use-is-gone.ts';
import { LoadingPage } from '#layout/loading-page.tsx';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { stagePaths } from '../demo-paths.ts';
import { prepareStage } from '../play/prepare-demo.ts';
import { StageScreen } from './demo-screen.tsx';

/**
 * Where another stage can be opened: at the portal that started this one, as the address of the stage names it. A name
 * of another host is not followed, because anybody can write an address.
 */
export function openingAddress(from: string | null, here: Pick<Location, 'hostname'>): string {
  const origin = from === null ? null : URL.parse(from);
  const isOurs = origin !== null && /^https?:$/.test(origin.protocol) && origin.hostname === here.hostname;
  return isOurs ? `${origin.origin}${stagePaths.opening}` : stagePaths.opening;
}

/** `/demo/stage`: the stage of the space that was started for it, until the space ends. */
export default function StageHome() {
  const {
    data: prepared,
    error,
    mutate,
  } = useSWR<Awaited<ReturnType<typeof prepareStage>>, unknown>('stage', prepareStage);
  const refusal = error instanceof ApiRefusal ? error : undefined;
  if (prepared) {
    return (
      <LabNews>
        <UntilItEnds>
          <StageScreen prepared={prepared} />
        </UntilItEnds>
      </LabNews>
    );
  }
  if (prepared === null)
    return (
      <Elsewhere title={t`This is not a stage`}>
        {t`The portal at this address was started for something else, and stays as it is.`}
      </Elsewhere>
    );
  if (!error) return <LoadingPage />;
  if (refusal?.status === 404) return <NotFoundPage />;
  if (refusal?.status === 403) return <TokenForm message={refusal.message} onToken={() => void mutate()} />;
  return <ErrorState message={resultText(error)} requestId={refusal?.requestId} onRetry={() => void mutate()} />;
}

/** Well below the half hour after which a space ends. */
const IN_USE_MS = 5 * MINUTE;

/** A space that has ended answers nothing any more, not even that it has ended. */
function UntilItEnds({ children }: { children: ReactNode }) {
  const isGone = useIsGone();
  // A space lives on while it is used, and one that is looked at is.
  useSWR('stage in use', () => call(readClock, {}), { refreshInterval: IN_USE_MS, revalidateOnFocus: true });
  if (!isGone) return children;
  return (
    <Elsewhere title={t`The stage has ended`}>
      {t`It ends half an hour after it was last on a screen, with everything that was done on it.`}
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
          <a href={openingAddress(search.get('from'), window.location)}>{t`Open a stage`}</a>
        </Button>
      }
    >
      {children}
    </MessagePage>
  );
}
