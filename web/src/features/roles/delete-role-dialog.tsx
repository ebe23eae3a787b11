import { plural, t } from '@lingui/core/macro';
import { deleteRole, type RoleItem } from '@orchestrate/shared';
import { useWrite } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface DeleteRoleDialogProps {
  role: RoleItem;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Asks once more before a custom role is deleted, and says what becomes of the people who have it. */
export function DeleteRoleDialog({ role, onClose, ...dialog }: DeleteRoleDialogProps) {
  const { run, isPending, refusal } = useWrite(deleteRole, { invalidates: ['Roles', 'Member Profile'] });
  const confirm = async () => {
    try {
      await run({ body: { roleCode: role.roleCode } });
    } catch {
      return;
    }
    toast.success(t`Role deleted successfully`);
    onClose();
  };
  const consequence = plural(role.userCount, {
    one: 'Its # member becomes an Org User.',
    other: 'Its # members become Org Users.',
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t`Delete ${role.name}?`}
      verb={t`Delete role`}
      isDestructive
      isPending={isPending}
      consequences={[
        role.userCount === 0 ? t`No one has this role.` : consequence,
        t`They lose the permissions that only this role gave them.`,
        t`This cannot be undone.`,
      ].filter((_, at) => role.userCount > 0 || at !== 1)}
      error={refusal && resultText(refusal)}
    />
  );
}
