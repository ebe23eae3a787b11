import { LIMITS } from '@orchestrate/shared';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * What stands in a search field, and the search that follows it once nothing was typed for 300 ms, or at once with
 * `submit` (Enter).
 * @param query what is searched for now, by the address.
 */
export function useTypedQuery(query: string, search: (query: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  if (typed !== null && typed === query) setTyped(null);

  const searchNow = useEffectEvent(search);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => searchNow(typed), LIMITS.searchDebounceMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const submit = () => {
    if (typed !== null) search(typed);
  };
  return { typed: typed ?? query, type: setTyped, submit };
}
