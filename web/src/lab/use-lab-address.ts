import { useLocation, useSearchParams } from 'react-router-dom';

const FILTER = 'to';
const MESSAGE = 'message';

/** What the lab page shows, as it stands in the address: the filter, and the message that was opened. */
export function useLabAddress() {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();

  const change = (name: string, value: string | null, isStep: boolean) => {
    // A step to another page, or another change, may be under way and not yet drawn: the browser's own address has it.
    if (window.location.pathname !== pathname) return;
    const next = new URLSearchParams(window.location.search);
    if (value) next.set(name, value);
    else next.delete(name);
    setSearch(next, { replace: !isStep });
  };

  return {
    to: search.get(FILTER) ?? '',
    messageId: search.get(MESSAGE),
    filter: (to: string) => change(FILTER, to, false),
    /** On a phone the message takes the place of the list, and Back returns to it. */
    open: (id: string) => change(MESSAGE, id, search.get(MESSAGE) === null),
    close: () => change(MESSAGE, null, false),
  };
}
