import { fullNameOf } from '../../../lib/format/full-name.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Modal } from '../../../ui/modal.tsx';
import { EditUserForm } from './edit-user-form.tsx';
import type { MemberDialogProps } from './member-dialog.ts';

/** Edits a member: name, e-mail, and the role of anybody but yourself. */
export default function EditUserDialog({ member, isOpen, onClose, onExitComplete, onEdited }: MemberDialogProps) {
  const isSelf = useSession()?.profile.suid === member.suid;
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={isSelf ? 'Edit profile' : `Edit ${fullNameOf(member)}`}
    >
      <EditUserForm
        person={member}
        role={isSelf ? undefined : { roleCode: member.role, name: member.roleName }}
        onCancel={onClose}
        onSaved={(saved) => {
          onClose();
          onEdited?.(saved);
        }}
      />
    </Modal>
  );
}
