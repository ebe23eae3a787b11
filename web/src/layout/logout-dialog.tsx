import { t } from '@lingui/core/macro';
import { logout } from '@orchestrate/shared';
import { useState } from 'react';
import { call } from '#lib/api/call.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { currentSession, signOut } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';

/** Ends the session in this browser even if the server can't be reached. */
async function logOut(): Promise<void> {
  const { refreshToken, orgId = '' } = currentSession() ?? {};
  let next: string | undefined;
  try {
    ({ continueAt: next } = await call(logout, { body: { refreshToken } }));
  } catch {
    // Ignore the error, because `call` has already logged it and the session must end anyway.
  } finally {
    setRemembered(orgId, false);
    signOut();
  }
  // Continue with application logout if the organisation has enabled it.
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
    // Don't close the dialog. The session guard redirects to the sign-in screen and unmounts the shell.
    void logOut();
  };
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={confirm}
      title={t`Logout`}
      consequences={[t`You'll need your authenticator to sign in again in this browser.`]}
      isPending={isPending}
    />
  );
}
