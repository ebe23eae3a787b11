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
  /** Closes the dialog. If it contains input, asks first. Use it for Escape, the close button and Cancel. */
  close: () => void;
  /** The confirmation dialog. Render it inside the dialog. */
  question: ReactNode;
}

/**
 * Asks before a dialog's input is discarded, both when the dialog is closed and when the user leaves its page,
 * including with Back. `isDirty`: closing would lose input; `isPending`: the input is being saved, after which the
 * dialog can close automatically.
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
            ? t`Your changes are still being saved. Closing won't stop that.`
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
