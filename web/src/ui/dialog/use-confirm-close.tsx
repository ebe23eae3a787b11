import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { leaveFreely } from '#lib/leaving/navigation-guard.tsx';
import { useUnsavedGuard } from '#lib/leaving/use-unsaved-guard.ts';
import { Modal } from './modal.tsx';

interface AskedCloseOptions {
  isDirty: boolean;
  isPending?: boolean;
  onClose: () => void;
}

interface AskedClose {
  /** Closes the dialog; asks first where something has been entered. For every way out: Escape, the cross, Cancel. */
  close: () => void;
  /** Render it inside the dialog. */
  question: ReactNode;
}

/**
 * Lets a dialog ask before what was entered into it is thrown away: when it is closed, and when the page below it is
 * left, also by Back. `isDirty`: whether closing would lose something; `isPending`: what was entered is being saved,
 * and the dialog may close by itself.
 */
export function useConfirmClose({ isDirty, isPending = false, onClose }: AskedCloseOptions): AskedClose {
  const [isAsked, setIsAsked] = useState(false);
  const here = useLocation();
  const navigation = useUnsavedGuard(
    isDirty && !isPending,
    ({ pathname, search }) => pathname === here.pathname && search === here.search,
  );
  const keep = useRef<HTMLButtonElement>(null);

  const stay = () => {
    setIsAsked(false);
    navigation.stay();
  };
  const discard = () => {
    setIsAsked(false);
    if (navigation.isHeld) navigation.leave();
    else leaveFreely(onClose);
  };
  return {
    close: () => (isDirty ? setIsAsked(true) : onClose()),
    question: (
      <Modal
        isOpen={isAsked || navigation.isHeld}
        onClose={stay}
        title={isPending ? t`Close while it is being saved?` : t`Discard your changes?`}
        description={
          isPending
            ? t`Your changes are on their way to the portal. Closing doesn't stop them.`
            : t`What you entered here has not been saved.`
        }
        role="alertdialog"
        initialFocus={() => keep.current}
        footer={
          <>
            <Button variant="outline" onClick={discard}>
              {isPending ? t`Close anyway` : t`Discard`}
            </Button>
            <Button ref={keep} onClick={stay}>
              {isPending ? t`Keep waiting` : t`Keep editing`}
            </Button>
          </>
        }
      />
    ),
  };
}
