import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Lock, Monitor } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { useCan } from '#lib/session/session.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';

interface InvitersOnlyProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
  title: string;
  children: ReactNode;
}

/** Dialog that anyone can open by its URL. Its content requires permission to invite and a large enough screen. */
export function InvitersOnly({ children, ...dialog }: InvitersOnlyProps) {
  const canInvite = useCan('BULK_INVITE');
  const hasRoom = useHasRoomForAdministration();
  if (canInvite && hasRoom) return children;
  return (
    <Modal {...dialog}>
      <EmptyState
        icon={canInvite ? Monitor : Lock}
        title={canInvite ? t`Admin features are available only on Desktop` : t`You don't have permission for this`}
        action={
          <Button variant="outline" onClick={dialog.onClose}>
            {t`Close`}
          </Button>
        }
      />
    </Modal>
  );
}
