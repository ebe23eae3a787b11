import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useId, useState } from 'react';
import { InvitersOnly } from '../../members/inviters-only.tsx';
import { Modal } from '../../ui/modal.tsx';
import { useConfirmClose } from '../../ui/use-confirm-close.tsx';
import { InviteForm } from './invite-form.tsx';
import { InviteError, InviteResult, InviteStopped } from './invite-result.tsx';
import { InviteVerdict, submitLabel } from './invite-verdict.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useInvite } from './use-invite.ts';

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

/** Inviting members, by their addresses or by a CSV file (spec 1 §§1, 4, 5, 8). */
export default function InviteDialog(dialog: InviteDialogProps) {
  return (
    <InvitersOnly {...dialog} title={t`Invite users`}>
      <Invite {...dialog} />
    </InvitersOnly>
  );
}

function Invite({ isOpen, onClose, onExitComplete }: InviteDialogProps) {
  const invite = useInvite({ isOpen });
  const [isAskedToClose, setIsAskedToClose] = useState(false);
  const { view } = invite;
  const formId = useId();
  const isForm = view.step === 'form' || view.step === 'sending';
  const isUploading = view.step === 'uploading';
  const { close, question } = useConfirmClose({ isDirty: isOpen && isFilled(invite), onClose });
  return (
    <Modal
      isOpen={isOpen}
      onClose={() => (isUploading ? setIsAskedToClose(true) : close())}
      onExitComplete={onExitComplete}
      title={t`Invite users`}
      // The table of failed users needs more width, because it contains sentences.
      size={view.step === 'result' && view.outcome.failed > 0 ? 'lg' : 'md'}
      closesOnEscape={!isUploading}
      // Who is invited is shown as soon as it is known.
      isSteady={isForm}
      footer={
        isForm && (
          <>
            <InviteVerdict invite={invite} />
            <Button variant="outline" alignSelf="flex-end" onClick={close}>
              {t`Cancel`}
            </Button>
            <Button
              type="submit"
              alignSelf="flex-end"
              form={formId}
              loading={view.step === 'sending'}
              loadingText={t`Invite`}
            >
              {submitLabel(invite)}
            </Button>
          </>
        )
      }
    >
      {isForm && <InviteForm invite={invite} formId={formId} />}
      {isUploading && (
        <UploadProgress
          upload={view.upload}
          isAskedToClose={isAskedToClose}
          onKeepGoing={() => setIsAskedToClose(false)}
          onStop={() => {
            setIsAskedToClose(false);
            invite.stop();
          }}
        />
      )}
      {view.step === 'result' && (
        <InviteResult
          outcome={view.outcome}
          isPassing={view.mode === 'file'}
          onAgain={invite.startAgain}
          onClose={onClose}
        />
      )}
      {view.step === 'error' && <InviteError {...view} onRetry={invite.goBack} />}
      {view.step === 'stopped' && <InviteStopped upload={view.upload} onRetry={invite.goBack} onClose={onClose} />}
      {question}
    </Modal>
  );
}

/** Whether closing would lose what was entered: it is also kept behind an error, for the next try. */
const isFilled = ({ view: { step }, draft: { tags, typed, file } }: ReturnType<typeof useInvite>) =>
  (step === 'form' || step === 'error') && (tags.length > 0 || typed !== '' || file !== undefined);
