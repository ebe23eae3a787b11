import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useAddressChange } from '../../lib/use-address-change.ts';

/**
 * Which questions are open: those that somebody opened, the one that the address names (`#recordId`), and, while
 * something is searched, all that were found. The last one opened stands in the address.
 */
export function useOpenQuestions(query: string) {
  const { hash } = useLocation();
  const changeAddress = useAddressChange();
  const named = hash.slice(1);
  const [cameFor] = useState(named);
  const [chosen, setChosen] = useState<{ query: string; byId: ReadonlyMap<string, boolean> }>(none);
  const byId = chosen.query === query ? chosen.byId : none.byId;

  // Whoever opens a question has it in sight; whoever followed a link to it has not.
  useEffect(() => {
    if (cameFor) document.getElementById(cameFor)?.scrollIntoView({ block: 'start' });
  }, [cameFor]);

  const isOpen = (recordId: string) => byId.get(recordId) ?? (query !== '' || recordId === named);
  const toggle = (recordId: string) => {
    const next = !isOpen(recordId);
    setChosen({ query, byId: new Map(byId).set(recordId, next) });
    if (next) changeAddress({}, { hash: recordId });
  };
  return { isOpen, toggle };
}

const none = { query: '', byId: new Map<string, boolean>() };
