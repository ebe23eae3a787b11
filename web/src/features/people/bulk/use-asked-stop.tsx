import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useUnsavedGuard } from '../../../lib/leaving/use-unsaved-guard.ts';
import { Modal } from '../../../ui/modal.tsx';

interface AskedStop {
  /** For the cross of the dialog. */
  ask: () => void;
  /** Render it inside the dialog. */
  question: ReactNode;
}

/** Asks before something that acts on one after the other is left: by the cross, by Back, by closing the page. */
export function useAskedStop({ isRunning, onStop }: { isRunning: boolean; onStop: () => void }): AskedStop {
  const [isAsked, setIsAsked] = useState(false);
  const here = useLocation();
  const navigation = useUnsavedGuard(isRunning, ({ pathname }) => pathname === here.pathname);
  const goOn = useRef<HTMLButtonElement>(null);
  const stay = () => {
    setIsAsked(false);
    navigation.stay();
  };
  const stop = () => {
    setIsAsked(false);
    onStop();
    if (navigation.isHeld) navigation.leave();
  };
  return {
    ask: () => setIsAsked(true),
    question: (
      <Modal
        isOpen={isRunning && (isAsked || navigation.isHeld)}
        onClose={stay}
        title={t`Stop here?`}
        description={t`It keeps running in the meantime. Completed changes stay, and the rest is left unchanged.`}
        role="alertdialog"
        initialFocus={() => goOn.current}
        footer={
          <>
            <Button variant="outline" onClick={stop}>
              {t`Stop here`}
            </Button>
            <Button ref={goOn} onClick={stay}>
              {t`Continue`}
            </Button>
          </>
        }
      />
    ),
  };
}
