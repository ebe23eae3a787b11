import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useAddressChange } from '../../lib/address/use-address-change.ts';

/**
 * Which questions are open: those that somebody opened, the one that the address names (`#recordId`), and all results
 * while a search is active. The last one opened is put into the address.
 */
export function useOpenQuestions(query: string) {
  const { hash } = useLocation();
  const changeAddress = useAddressChange();
  const named = hash.slice(1);
  const [cameFor] = useState(named);
  const [chosen, setChosen] = useState<{ query: string; byId: ReadonlyMap<string, boolean> }>(none);
  const byId = chosen.query === query ? chosen.byId : none.byId;

  // A question opened by a click is already in view; one opened by a link is not.
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
