import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { isCallKey } from './cache-key.ts';
import { freshenLists } from './paged-lists.ts';

/**
 * In each cache once: when the browser is online again, reads again what is shown (spec 1 §7). SWR alone leaves out
 * what was read in the last 60 s.
 */
export function RefetchOnReconnect() {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    const readAgain = () => {
      void mutate(isCallKey);
      void freshenLists(cache, mutate, () => true);
    };
    window.addEventListener('online', readAgain);
    return () => window.removeEventListener('online', readAgain);
  }, [cache, mutate]);
  return null;
}
