import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { onUnansweredWrite } from './call.ts';
import { revalidateLists } from './paged-lists.ts';

/** Returns true for keys from `cacheKeyOf`. Other keys are for one-time actions, such as a sign-in. */
const isCallKey = (key: unknown): boolean =>
  Array.isArray(key) && typeof key[0] === 'string' && /^[A-Z]+ \//.test(key[0]);

/**
 * Reloads displayed data when the browser comes back online (spec 1 §7), and after a change that got no response. On
 * its own, SWR would skip data loaded within the last 60 s. Render this once per cache.
 */
export default function RefetchOnReconnect() {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    const readAgain = () => {
      void mutate(isCallKey);
      void revalidateLists(cache, mutate, () => true);
    };
    window.addEventListener('online', readAgain);
    const stopListening = onUnansweredWrite(readAgain);
    return () => {
      window.removeEventListener('online', readAgain);
      stopListening();
    };
  }, [cache, mutate]);
  return null;
}
