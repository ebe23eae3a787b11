import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import { now } from '../adapters/clock.ts';

/**
 * When a read was last answered, in milliseconds since 1970; undefined before the first answer. It is kept in the cache
 * beside the answer, so that a list shown from the cache also shows its age.
 */
export function useRefreshTime(name: string, read: { isValidating: boolean; refusal: unknown }): number | undefined {
  const { data, mutate } = useSWR<number>(['refresh time', name], null);
  const wasValidating = useRef(false);
  const { isValidating, refusal } = read;

  useEffect(() => {
    if (wasValidating.current && !isValidating && !refusal) void mutate(now(), { revalidate: false });
    wasValidating.current = isValidating;
  }, [isValidating, refusal, mutate]);

  return data;
}
