import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isStillAt } from './is-still-at.ts';

interface AddressChangeOptions {
  /** What stands after the `#`; as it was where absent. */
  hash?: string;
  /** Whether Back undoes it; else it takes the place of the present entry in the browser's history. */
  isStep?: boolean;
}

/**
 * Changes what the address says beside the path: the named parameters, where an empty one is left out. All others, the
 * hash and the state of the entry stay, as the browser has them now and not as the page was last drawn with them. Once
 * the page has been left, nothing is changed.
 */
export function useAddressChange() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return useCallback(
    (
      parameters: Readonly<Record<string, string | null | undefined>>,
      { hash, isStep = false }: AddressChangeOptions = {},
    ) => {
      if (!isStillAt(pathname)) return;
      const present = window.location;
      const search = new URLSearchParams(present.search);
      for (const [name, value] of Object.entries(parameters)) {
        if (value) search.set(name, value);
        else search.delete(name);
      }
      void navigate(
        { search: search.toString(), hash: hash ?? present.hash },
        { replace: !isStep, preventScrollReset: true, state: stateOfEntry() },
      );
    },
    [pathname, navigate],
  );
}

/** As the router keeps it in the browser's history. */
function stateOfEntry(): unknown {
  const entry: unknown = window.history.state;
  return typeof entry === 'object' && entry !== null && 'usr' in entry ? entry.usr : null;
}
