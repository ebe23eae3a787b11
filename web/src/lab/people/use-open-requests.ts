import { type OpenRequest, readRequests } from '@orchestrate/shared';
import { useLabClock } from '../clock/use-lab-clock.ts';
import { useFollowed } from '../lab-updates.tsx';

export interface TimedRequest extends OpenRequest {
  /** Seconds until it expires. */
  secondsLeft: number;
}

/** The pending requests for phones. Expired ones are removed here, because the portal sends no event for them. */
export function useOpenRequests() {
  const { data, refetch } = useFollowed(readRequests, {});
  const { present } = useLabClock();
  const requests: TimedRequest[] | undefined = data?.requests
    .map((request) => ({ ...request, secondsLeft: (Date.parse(request.expiresAt) - (present ?? 0)) / 1_000 }))
    .filter(({ secondsLeft }) => secondsLeft > 0);
  return { requests, refetch };
}
