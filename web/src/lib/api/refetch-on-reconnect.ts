import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { onUnansweredWrite } from './call.ts';
import { freshenLists } from './paged-lists.ts';

/** Whether a key is one that `cacheKeyOf` makes; others stand for what must happen only once, such as a sign-in. */
const isCallKey = (key: unknown): boolean =>
  Array.isArray(key) && typeof key[0] === 'string' && /^[A-Z]+ \//.test(key[0]);

/**
 * In each cache once: reads again what is shown when the browser is online again (spec 1 §7), and after a change that
 * got no answer. SWR alone leaves out what was read in the last 60 s.
 */
export default function RefetchOnReconnect() {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    const readAgain = () => {
      void mutate(isCallKey);
      void freshenLists(cache, mutate, () => true);
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
