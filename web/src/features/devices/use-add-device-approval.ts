import { useCallback, useRef } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useFreshApproval } from '#lib/session/use-fresh-approval.ts';

/** Runs a request that helps to add a device, with an approval if the portal asks for one. */
export type RunApproved = <T>(request: (approvalId: string | undefined) => Promise<T>) => Promise<T>;

/**
 * The approval that adding a device needs in a session that a remembered browser or another provider started (decision
 * 206). One approval counts for all requests of the dialog. `ApprovalDialog` shows `asked`.
 */
export function useAddDeviceApproval() {
  const { asked, approve } = useFreshApproval();
  const approval = useRef<Promise<string>>(undefined);
  const run = useCallback<RunApproved>(
    async (request) => {
      const used = approval.current;
      try {
        return await request(await used);
      } catch (failure) {
        if (!(failure instanceof ApiRefusal) || failure.resultName !== 'AUTHENTICATION_INCOMPLETE') throw failure;
        // Requests that run at the same time share an approval; an expired one is replaced.
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
  return { asked, run };
}
