import { t } from '@lingui/core/macro';
import { beginApproval, type ReplyOf, type ToBeApproved } from '@orchestrate/shared';
import { useCallback, useState } from 'react';
import { ApiRefusal } from '../api/api-refusal.ts';
import { call } from '../api/call.ts';

/** A request waiting on the device, and how to continue once it is answered. */
export interface AskedApproval extends ReplyOf<typeof beginApproval> {
  answer: (outcome: 'approved' | 'denied' | 'expired' | 'left') => void;
}

const SENTENCES = {
  denied: t`This was denied on your device. Nothing was changed.`,
  expired: t`This wasn't approved in time. Nothing was changed.`,
  left: t`This wasn't approved. Nothing was changed.`,
};

/**
 * Fresh approvals for changes that a signed-in browser must not make alone. `approve` asks the caller's device, returns
 * the id to send with the request, and throws an ApiRefusal where it is not approved. `ApprovalDialog` shows `asked`.
 */
export function useFreshApproval() {
  const [asked, setAsked] = useState<AskedApproval | null>(null);
  const approve = useCallback(async (wanted: ToBeApproved): Promise<string> => {
    const begun = await call(beginApproval, { body: wanted });
    return new Promise((resolve, reject) => {
      setAsked({
        ...begun,
        answer(outcome) {
          setAsked(null);
          if (outcome === 'approved') resolve(begun.approvalId);
          else reject(new ApiRefusal(0, { message: SENTENCES[outcome] }));
        },
      });
    });
  }, []);
  return { asked, approve };
}
