import { useSession } from '../../lib/session.ts';
import { Modal } from '../../ui/modal.tsx';
import { EditUserForm } from './edit-user-form.tsx';

interface EditProfileDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** The signed-in person's own name and e-mail. */
export default function EditProfileDialog({ onClose, ...modal }: EditProfileDialogProps) {
  const profile = useSession()?.profile;
  if (!profile) return null;
  const { suid, primaryAttr, firstName, lastName, email } = profile;
  return (
    <Modal {...modal} onClose={onClose} title="Edit profile">
      <EditUserForm
        person={{ suid, primaryAttr, firstName, lastName, primaryEmail: email }}
        onCancel={onClose}
        onSaved={onClose}
      />
    </Modal>
  );
}
