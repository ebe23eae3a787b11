import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../lib/address/use-address-change.ts';

const FILTER = 'to';
const MESSAGE = 'message';

/** The state of the lab page in the address: the filter, and the open message. */
export function useLabAddress() {
  const [search] = useSearchParams();
  const change = useAddressChange();

  return {
    to: search.get(FILTER) ?? '',
    messageId: search.get(MESSAGE),
    filter: (to: string) => change({ [FILTER]: to }),
    /** On a phone the message replaces the list, and Back returns to it. */
    open: (id: string) => change({ [MESSAGE]: id }, { isStep: search.get(MESSAGE) === null }),
    close: () => change({ [MESSAGE]: null }),
  };
}
