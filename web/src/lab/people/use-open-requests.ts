import { type OpenRequest, readRequests } from '@orchestrate/shared';
import { useLabClock } from '../clock/use-lab-clock.ts';
import { useLiveRead } from '../lab-updates.tsx';

export interface TimedRequest extends OpenRequest {
  /** Seconds until the request expires. */
  secondsLeft: number;
}

/**
 * Returns the requests waiting for a phone. Removes expired requests, because the portal sends no event when a
 * request expires.
 */
export function useOpenRequests() {
  const { data, refetch } = useLiveRead(readRequests, {});
  const { present } = useLabClock();
  // Without the portal's time, requests would appear to expire in decades.
  if (present === undefined) return { requests: undefined, refetch };
  const requests: TimedRequest[] | undefined = data?.requests
    .map((request) => ({ ...request, secondsLeft: (Date.parse(request.expiresAt) - present) / 1_000 }))
    .filter(({ secondsLeft }) => secondsLeft > 0);
  return { requests, refetch };
}
