import { t } from '@lingui/core/macro';
import { beginApproval, type ReplyOf, type ToBeApproved } from '@orchestrate/shared';
import { useCallback, useState } from 'react';
import { ApiRefusal } from '../api/api-refusal.ts';
import { call } from '../api/call.ts';

/** An approval request that is waiting for the user's device, with a callback for its result. */
export interface PendingApproval extends ReplyOf<typeof beginApproval> {
  answer: (outcome: 'approved' | 'denied' | 'expired' | 'left') => void;
}

const SENTENCES = {
  denied: t`This was denied on your device. Nothing was changed.`,
  expired: t`This wasn't approved in time. Nothing was changed.`,
  left: t`This wasn't approved. Nothing was changed.`,
};

/**
 * Requests approvals for changes that need more than a signed-in browser. `approve` waits for the user's device,
 * returns the ID to send with the request, and throws an ApiRefusal if the change isn't approved. `ApprovalDialog`
 * displays the pending approval.
 */
export function useFreshApproval() {
  const [pending, setPending] = useState<PendingApproval | null>(null);
  const approve = useCallback(async (wanted: ToBeApproved): Promise<string> => {
    const request = await call(beginApproval, { body: wanted });
    return new Promise((resolve, reject) => {
      setPending({
        ...request,
        answer(outcome) {
          setPending(null);
          if (outcome === 'approved') resolve(request.approvalId);
          else reject(new ApiRefusal(0, { message: SENTENCES[outcome] }));
        },
      });
    });
  }, []);
  return { pending, approve };
}
