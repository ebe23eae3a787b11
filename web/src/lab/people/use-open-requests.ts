import { type OpenRequest, readRequests } from '@orchestrate/shared';
import { useLabClock } from '../clock/use-lab-clock.ts';
import { useFollowed } from '../lab-news.tsx';

export interface TimedRequest extends OpenRequest {
  /** Until its time is over. */
  secondsLeft: number;
}

/** What a phone could answer now. What is over disappears by itself: nothing happens in the portal then. */
export function useOpenRequests() {
  const { data, refetch } = useFollowed(readRequests, {});
  const { present } = useLabClock();
  const requests: TimedRequest[] | undefined = data?.requests
    .map((request) => ({ ...request, secondsLeft: (Date.parse(request.expiresAt) - (present ?? 0)) / 1_000 }))
    .filter(({ secondsLeft }) => secondsLeft > 0);
  return { requests, refetch };
}
