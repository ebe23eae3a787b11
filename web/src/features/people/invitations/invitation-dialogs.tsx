import { type OpenInvitation, resendInvitation, withdrawInvitation } from '@orchestrate/shared';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
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
  const { run, isPending, refusal } = useWrite(resendInvitation, { invalidates: ['Member Profile'] });
  const confirm = async () => {
    try {
      await run({ body: { suid, type } });
    } catch {
      return;
    }
    toast.success(`Invitation sent to ${name} again`);
    onClose();
  };
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={`Invite ${name} again?`}
      verb="Resend"
      isPending={isPending}
      consequences={[
        state === 'moved' ? 'A new link is mailed to their present address.' : `A new link is mailed to ${email}.`,
        ...(state === 'expired' ? [] : ['Links mailed before and the present code stop working at once.']),
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}

/** Asks once more before an invitation is ended. */
export function WithdrawDialog({ invitation, onClose, ...dialog }: InvitationDialogProps) {
  const { suid, type, name } = invitation;
  const { run, isPending, refusal } = useWrite(withdrawInvitation, { invalidates: ['Member Profile'] });
  const confirm = async () => {
    try {
      await run({ body: { suid, type } });
    } catch {
      return;
    }
    toast.success(`Invitation of ${name} withdrawn`);
    onClose();
  };
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={`Withdraw the invitation of ${name}?`}
      verb="Withdraw"
      isDestructive
      isPending={isPending}
      consequences={[
        'Its link and the code stop working at once; nobody is told.',
        `${name} stays a member, and can be invited again or deleted.`,
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}
