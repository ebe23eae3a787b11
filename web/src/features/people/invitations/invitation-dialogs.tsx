import { t } from '@lingui/core/macro';
import { type OpenInvitation, resendInvitation, withdrawInvitation } from '@orchestrate/shared';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

interface InvitationDialogProps {
  invitation: OpenInvitation;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Asks once more before a new link and code replace the present ones. */
export function ResendDialog({ invitation, onClose, ...dialog }: InvitationDialogProps) {
  const { suid, type, name, email, state } = invitation;
  const action = useAction(resendInvitation, { suid, type }, () => {
    toast.success(t`Invitation sent to ${name} again`);
    onClose();
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      {...action}
      title={t`Invite ${name} again?`}
      verb={t`Resend`}
      consequences={[
        state === 'moved' ? t`Sends a new link to their current address.` : t`Sends a new link to ${email}.`,
        ...(state === 'expired' ? [] : [t`Earlier links and the current code stop working immediately.`]),
      ]}
    />
  );
}

/** Asks once more before an invitation is ended. */
export function WithdrawDialog({ invitation, onClose, ...dialog }: InvitationDialogProps) {
  const { suid, type, name } = invitation;
  const action = useAction(withdrawInvitation, { suid, type }, () => {
    toast.success(t`Invitation of ${name} withdrawn`);
    onClose();
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      {...action}
      title={t`Withdraw the invitation of ${name}?`}
      verb={t`Withdraw`}
      isDestructive
      consequences={[
        t`The link and the code stop working immediately. The person isn't notified.`,
        t`${name} stays a member, and can be invited again or deleted.`,
      ]}
    />
  );
}

/** What both dialogs do: one call, after which they close; a refusal is shown in them. */
function useAction(
  entry: typeof resendInvitation | typeof withdrawInvitation,
  body: Pick<OpenInvitation, 'suid' | 'type'>,
  onDone: () => void,
) {
  const { run, isPending, refusal } = useWrite(entry, { invalidates: ['Member Profile'] });
  const onConfirm = () =>
    void run({ body }).then(onDone, (failure: unknown) => {
      if (!(failure instanceof ApiRefusal)) throw failure;
    });
  return { onConfirm, isPending, error: refusal && resultText(refusal) };
}
