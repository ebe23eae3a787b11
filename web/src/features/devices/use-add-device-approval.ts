import { useCallback, useRef } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useFreshApproval } from '#lib/session/use-fresh-approval.ts';

/** Runs a request for adding a device, with an approval if the portal requires one. */
export type RunApproved = <T>(request: (approvalId: string | undefined) => Promise<T>) => Promise<T>;

/**
 * Obtains the approval for adding a device in a session that started from a remembered browser or another provider
 * (decision 206). One approval covers all of the dialog's requests. `ApprovalDialog` displays `pending`.
 */
export function useAddDeviceApproval() {
  const { pending, approve } = useFreshApproval();
  const approval = useRef<Promise<string>>(undefined);
  const run = useCallback<RunApproved>(
    async (request) => {
      const used = approval.current;
      try {
        return await request(await used);
      } catch (failure) {
        if (!(failure instanceof ApiRefusal) || failure.resultName !== 'AUTHENTICATION_INCOMPLETE') throw failure;
        // Concurrent requests share an approval. An expired approval is replaced.
        if (approval.current === used) approval.current = approve({ action: 'add-device', content: {} });
        const pending = approval.current;
        pending?.catch(() => {
          if (approval.current === pending) approval.current = undefined;
        });
        return await request(await pending);
      }
    },
    [approve],
  );
  return { pending, run };
}
