import { t } from '@lingui/core/macro';
import { logout } from '@orchestrate/shared';
import { useState } from 'react';
import { call } from '#lib/api/call.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { currentSession, signOut } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';

/** Ends the session here whatever the server answers: a network failure must not keep anybody signed in. */
async function logOut(): Promise<void> {
  const refreshToken = currentSession()?.refreshToken;
  let next: string | undefined;
  try {
    ({ continueAt: next } = await call(logout, { body: { refreshToken } }));
  } catch {
    // The refusal has been logged already.
  } finally {
    setRemembered(false);
    signOut();
  }
  // Goes on to the applications of this browser, where the organisation wants that.
  if (next !== undefined) window.location.assign(next);
}

interface LogoutDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

export default function LogoutDialog(dialog: LogoutDialogProps) {
  const [isPending, setIsPending] = useState(false);
  const confirm = () => {
    setIsPending(true);
    // There is nothing to close: without a session the guard leaves for the sign-in page, and the shell goes with this
    // dialog.
    void logOut();
  };
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={confirm}
      title={t`Logout`}
      consequences={[t`You will need your authenticator to sign in again in this browser.`]}
      isPending={isPending}
    />
  );
}
