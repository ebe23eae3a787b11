import { readClock } from '@orchestrate/shared';
import useSWR from 'swr';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useLabNews } from './lab-news.tsx';

/** Whether the portal answers nothing any more: it was stopped, or is a space that has ended. */
export function useIsGone(): boolean {
  const { isReconnecting } = useLabNews();
  const { error } = useSWR(isReconnecting ? 'portal still there' : null, () => call(readClock, {}), {
    refreshInterval: 2_000,
    shouldRetryOnError: false,
  });
  return isReconnecting && error instanceof ApiRefusal && error.status === 0;
}
