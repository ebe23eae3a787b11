import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { leaveWithoutAsking } from '#lib/leaving/navigation-guard.tsx';
import { useUnsavedGuard } from '#lib/leaving/use-unsaved-guard.ts';
import { Modal } from './modal.tsx';

interface AskedCloseOptions {
  isDirty: boolean;
  isPending?: boolean;
  onClose: () => void;
}

interface AskedClose {
  /** Closes the dialog, after a confirmation if it has input. Use it for Escape, the close button and Cancel. */
  close: () => void;
  /** Render it inside the dialog. */
  question: ReactNode;
}

/**
 * Asks for confirmation before a dialog's input is discarded: when the dialog is closed, and when its page is left,
 * including by Back. `isDirty`: closing would lose input; `isPending`: the input is being saved, and the dialog can
 * close on its own.
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
    if (navigation.isPending) navigation.leave();
    else leaveWithoutAsking(onClose);
  };
  return {
    close: () => (isDirty ? setIsAsked(true) : onClose()),
    question: (
      <Modal
        isOpen={isAsked || navigation.isPending}
        onClose={stay}
        title={isPending ? t`Close while saving?` : t`Discard your changes?`}
        description={
          isPending
            ? t`Your changes are still being saved. Closing doesn't stop that.`
            : t`Your changes haven't been saved.`
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
