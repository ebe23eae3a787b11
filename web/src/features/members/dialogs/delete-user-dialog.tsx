import { t } from '@lingui/core/macro';
import { deleteUser, fullNameOf } from '@orchestrate/shared';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useInvalidate, useWrite } from '#lib/api/use-write.ts';
import { reasonOf, resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import type { MemberDialogProps } from './member-dialog.ts';

export default function DeleteUserDialog({ member, isOpen, onClose, onExitComplete, onDeleted }: MemberDialogProps) {
  const org = useSession()?.orgId ?? '';
  const invalidate = useInvalidate();
  const { run, isPending, refusal } = useWrite(deleteUser);
  const confirm = async () => {
    try {
      await run({ body: { suid: member.suid, org } });
    } catch (failure) {
      if (!(failure instanceof ApiRefusal && failure.status === 401))
        toast.error(t`Failed to delete user. Please try again.`, reasonOf(failure));
      return;
    }
    toast.success(t`User deleted successfully!`);
    onClose();
    onDeleted?.();
    await invalidate('Member Profile', 'Device Listing', 'Member Login History');
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      onConfirm={() => void confirm()}
      title={t`Delete ${fullNameOf(member)}?`}
      verb={t`Delete user`}
      isDestructive
      isPending={isPending}
      consequences={[
        t`All devices are removed and all sessions end immediately.`,
        t`Activation codes and invitations stop working.`,
        t`This can't be undone.`,
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}
