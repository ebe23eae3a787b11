import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getUser } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '../../../lib/api/use-read.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Modal } from '../../../ui/modal.tsx';
import { useConfirmClose } from '../../../ui/use-confirm-close.tsx';
import { LinkedAccounts } from '../profile/linked-accounts.tsx';
import { EditUserForm } from './edit-user-form.tsx';
import { EmailProof, VerifyAddress } from './email-proof.tsx';

interface EditProfileDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** The signed-in person's own name and email, the verification of the address, and linked accounts. */
export default function EditProfileDialog({ onClose, ...modal }: EditProfileDialogProps) {
  const [isDirty, setIsDirty] = useState(false);
  const { close, question } = useConfirmClose({ isDirty, onClose });
  const profile = useSession()?.profile;
  const { data } = useRead(getUser, profile ? { query: { suid: profile.suid } } : null);
  if (!profile) return null;
  const { suid, primaryAttr, email } = profile;
  const pending = data?.pendingEmail ?? null;
  const present = data?.profile.primaryEmail ?? email;
  return (
    <Modal {...modal} onClose={close} title={t`Edit profile`}>
      <Flex direction="column" gap="5">
        {pending && <EmailProof key={pending.requestedAt} pending={pending} isChange={pending.email !== present} />}
        {data && !pending && !data.profile.emailVerified && <VerifyAddress />}
        <EditUserForm
          key={present}
          person={{ suid, primaryAttr }}
          onCancel={close}
          onDirty={setIsDirty}
          // A new address has yet to be confirmed, above.
          onSaved={(_member, waiting) => {
            if (!waiting) onClose();
          }}
        />
        <LinkedAccounts suid={suid} canRemove />
      </Flex>
      {question}
    </Modal>
  );
}
