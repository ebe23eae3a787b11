import { t } from '@lingui/core/macro';
import { fullNameOf } from '@orchestrate/shared';
import { useState } from 'react';
import { useSession } from '#lib/session/session.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { useConfirmClose } from '#ui/dialog/use-confirm-close.tsx';
import { EditUserForm } from './edit-user-form.tsx';
import type { MemberDialogProps } from './member-dialog.ts';

/** Edits a member's name, email address and role. Users can't change their own role. */
export default function EditUserDialog({ member, isOpen, onClose, onExitComplete, onEdited }: MemberDialogProps) {
  const [isDirty, setIsDirty] = useState(false);
  const { close, question } = useConfirmClose({ isDirty, onClose });
  const isSelf = useSession()?.profile.suid === member.suid;
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      onExitComplete={onExitComplete}
      title={isSelf ? t`Edit profile` : t`Edit ${fullNameOf(member)}`}
    >
      <EditUserForm
        person={member}
        role={isSelf ? undefined : { roleCode: member.role, name: member.roleName }}
        onCancel={close}
        onDirty={setIsDirty}
        onSaved={(saved) => {
          onClose();
          onEdited?.(saved);
        }}
      />
      {question}
    </Modal>
  );
}
