import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useApprovalState } from '#lib/session/use-approval-state.ts';
import type { PendingApproval } from '#lib/session/use-fresh-approval.ts';
import { ApprovalWait } from './approval-wait.tsx';
import { Modal } from './modal.tsx';

interface ApprovalDialogProps {
  pending: PendingApproval | null;
  /** Sentence that describes the change to approve. */
  children: string;
}

/** Covers a form until the user approves the change on their own device, then closes automatically. */
export function ApprovalDialog({ pending, children }: ApprovalDialogProps) {
  const state = useApprovalState(pending?.approvalId ?? null);
  useEffect(() => {
    if (pending && state && state !== 'pending') pending.answer(state);
  }, [pending, state]);
  const leave = () => pending?.answer('left');
  return (
    <Modal
      isOpen={pending !== null}
      onClose={leave}
      title={t`Approve on your phone`}
      footer={
        <Button variant="outline" onClick={leave}>
          {t`Cancel`}
        </Button>
      }
    >
      {pending && (
        <ApprovalWait approvalId={pending.approvalId} number={pending.matchNumber}>
          {children}
        </ApprovalWait>
      )}
    </Modal>
  );
}
