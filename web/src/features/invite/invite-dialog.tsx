import { Button } from '@chakra-ui/react';
import { Lock, Monitor } from 'lucide-react';
import { useState } from 'react';
import { useHasRoom } from '../../lib/browser/use-media.ts';
import { useCan } from '../../lib/session/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Modal } from '../../ui/modal.tsx';
import { InviteForm } from './invite-form.tsx';
import { InviteError, InviteResult, InviteStopped } from './invite-result.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useInvite } from './use-invite.ts';

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

/** Inviting members, by their addresses or by a CSV file (spec 1 §§1, 4, 5, 8). */
export default function InviteDialog(dialog: InviteDialogProps) {
  const canInvite = useCan('BULK_INVITE');
  const hasRoom = useHasRoom();
  if (canInvite && hasRoom) return <Invite {...dialog} />;
  return (
    <Modal {...dialog} title="Invite users">
      <EmptyState
        icon={canInvite ? Monitor : Lock}
        title={canInvite ? 'Admin features are available only on Desktop' : "You don't have permission for this"}
        action={
          <Button variant="outline" onClick={dialog.onClose}>
            Close
          </Button>
        }
      />
    </Modal>
  );
}

function Invite({ isOpen, onClose, onExitComplete }: InviteDialogProps) {
  const invite = useInvite();
  const [isAskedToClose, setIsAskedToClose] = useState(false);
  const { view } = invite;
  const isUploading = view.step === 'uploading';
  return (
    <Modal
      isOpen={isOpen}
      onClose={() => (isUploading ? setIsAskedToClose(true) : onClose())}
      onExitComplete={onExitComplete}
      title="Invite users"
      // The table of failed users needs more width, because it contains sentences.
      size={view.step === 'result' && view.outcome.failed > 0 ? 'lg' : 'md'}
      closesOnEscape={!isUploading}
    >
      {(view.step === 'form' || view.step === 'sending') && (
        <InviteForm invite={invite} isPending={view.step === 'sending'} onCancel={onClose} />
      )}
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
    </Modal>
  );
}
