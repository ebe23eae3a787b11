import { logout } from '@orchestrate/shared';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { setRemembered } from '../lib/remembered.ts';
import { currentSession, endSession } from '../lib/session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Ends the session here whatever the server answers: nobody may stay signed in because a network failed. */
async function logOut(): Promise<void> {
  const refreshToken = currentSession()?.refreshToken;
  try {
    await call(logout, { body: { refreshToken } });
  } catch {
    // The refusal is in the log already.
  } finally {
    setRemembered(false);
    endSession();
  }
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
    // Nothing to close: without a session the guard leaves for the sign-in page, and this dialog goes with the shell.
    void logOut();
  };
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={confirm}
      title="Logout"
      consequences={['You will need your authenticator to sign in again on this browser.']}
      isPending={isPending}
    />
  );
}
