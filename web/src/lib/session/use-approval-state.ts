import { type ApprovalState, approvalState, LIMITS } from '@orchestrate/shared';
import useSWR from 'swr';
import { call } from '../api/call.ts';

const ASKED_EVERY_MS = 1_000;

/**
 * The state of a request on the person's own device; undefined until the first answer. Polled each second until it is
 * answered.
 */
export function useApprovalState(approvalId: string | null): ApprovalState | undefined {
  const { data } = useSWR(
    approvalId && ['approval', approvalId],
    async ([, id]: [string, string]) => (await call(approvalState, { params: { approvalId: id } })).state,
    {
      refreshInterval: (state) => (state === undefined || state === 'pending' ? ASKED_EVERY_MS : 0),
      dedupingInterval: ASKED_EVERY_MS / 2,
      refreshWhenHidden: true,
    },
  );
  return data;
}

/** Seconds that a person has to answer. */
export const APPROVAL_SECONDS = LIMITS.loginLifetimeSeconds;
