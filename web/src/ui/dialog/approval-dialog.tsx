import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useApprovalState } from '#lib/session/use-approval-state.ts';
import type { AskedApproval } from '#lib/session/use-fresh-approval.ts';
import { ApprovalWait } from './approval-wait.tsx';
import { Modal } from './modal.tsx';

interface ApprovalDialogProps {
  asked: AskedApproval | null;
  /** What will be saved, as a sentence. */
  children: string;
}

/** Covers a form while its person approves the save on a device of their own, and then closes by itself. */
export function ApprovalDialog({ asked, children }: ApprovalDialogProps) {
  const state = useApprovalState(asked?.approvalId ?? null);
  useEffect(() => {
    if (asked && state && state !== 'pending') asked.answer(state);
  }, [asked, state]);
  const leave = () => asked?.answer('left');
  return (
    <Modal
      isOpen={asked !== null}
      onClose={leave}
      title={t`Approve on your phone`}
      footer={
        <Button variant="outline" onClick={leave}>
          {t`Cancel`}
        </Button>
      }
    >
      {asked && (
        <ApprovalWait approvalId={asked.approvalId} number={asked.matchNumber}>
          {children}
        </ApprovalWait>
      )}
    </Modal>
  );
}
