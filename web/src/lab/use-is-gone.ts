import { readClock } from '@orchestrate/shared';
import useSWR from 'swr';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useLabUpdates } from './lab-updates.tsx';

/** True if the portal no longer responds, because it was stopped or the space has ended. */
export function useIsGone(): boolean {
  const { isReconnecting } = useLabUpdates();
  const { error } = useSWR(isReconnecting ? 'portal still there' : null, () => call(readClock, {}), {
    refreshInterval: 2_000,
    shouldRetryOnError: false,
  });
  return isReconnecting && error instanceof ApiRefusal && error.status === 0;
}
