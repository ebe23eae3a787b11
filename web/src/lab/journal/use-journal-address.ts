import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../../lib/address/use-address-change.ts';

const KIND = 'kind';
const FIND = 'find';
const ENTRY = 'entry';

/** The state of the journal in the address: its filters, and the open entry. */
export function useJournalAddress() {
  const [search] = useSearchParams();
  const change = useAddressChange();
  return {
    kind: search.get(KIND) ?? '',
    find: search.get(FIND) ?? '',
    /** NaN where none is open. */
    seq: Number.parseInt(search.get(ENTRY) ?? '', 10),
    choose: (kind: string) => change({ [KIND]: kind }),
    filter: (find: string) => change({ [FIND]: find }),
    /** On a phone the entry replaces the list, and Back returns to it. */
    open: (seq: number) => change({ [ENTRY]: String(seq) }, { isStep: search.get(ENTRY) === null }),
    close: () => change({ [ENTRY]: null }),
  };
}
