import { LIMITS } from '@orchestrate/shared';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns the text and handlers of a search field. It searches 300 ms after the last keystroke, or immediately with
 * `submit` (Enter). A search started another way, e.g. by Back or a link, replaces the text.
 * @param query current search in the URL
 */
export function useTypedQuery(query: string, search: (query: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  // Searches started by this field that haven't reached the URL yet. The user may have typed more by then.
  const [underWay, setUnderWay] = useState<readonly string[]>([]);
  const [known, setKnown] = useState(query);
  if (query !== known) {
    const at = underWay.lastIndexOf(query);
    setKnown(query);
    setUnderWay(underWay.slice(at + 1));
    if (at === -1) setTyped(null);
  }
  if (typed !== null && typed === query) setTyped(null);

  const searchFor = (text: string) => {
    setUnderWay((before) => [...before, text]);
    search(text);
  };
  const searchNow = useEffectEvent(searchFor);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => searchNow(typed), LIMITS.searchDebounceMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const submit = () => {
    if (typed !== null) searchFor(typed);
  };
  return { typed: typed ?? query, type: setTyped, submit };
}
