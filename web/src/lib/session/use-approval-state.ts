import { t } from '@lingui/core/macro';
import type { Confirmation } from '@orchestrate/shared';
import { type ApprovalState, approvalState, LIMITS } from '@orchestrate/shared';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { formatDateTime } from '../format/dates.ts';

const POLL_INTERVAL_MS = 1_000;

/**
 * Polls an approval request on the user's own device every second. Returns its state, or undefined until the first
 * response.
 */
export function useApprovalState(approvalId: string | null): ApprovalState | undefined {
  const { data } = useSWR(
    approvalId && ['approval', approvalId],
    async ([, id]: [string, string]) => (await call(approvalState, { params: { approvalId: id } })).state,
    {
      refreshInterval: (state) => (state === undefined || state === 'pending' ? POLL_INTERVAL_MS : 0),
      dedupingInterval: POLL_INTERVAL_MS / 2,
      refreshWhenHidden: true,
    },
  );
  return data;
}

/** Lifetime of an approval request, in seconds. */
export const APPROVAL_SECONDS = LIMITS.loginLifetimeSeconds;

/** Explains when a new device can approve changes. */
export function confirmationText({ approvesFrom, matchNumber: number }: Confirmation): string {
  const date = formatDateTime(approvesFrom);
  if (number === undefined)
    return t`This device can approve changes from ${date}, or once you confirm it on another device.`;
  return t`To approve changes with this device now, choose ${number} on your other device. Otherwise, you can use it to approve changes from ${date}.`;
}
