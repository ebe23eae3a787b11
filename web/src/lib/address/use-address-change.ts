import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isStillAt } from './use-next-step.ts';

interface AddressChangeOptions {
  /** The part after the `#`; unchanged where absent. */
  hash?: string;
  /** Whether Back undoes it; otherwise it replaces the current entry of the browser's history. */
  isStep?: boolean;
  /**
   * Whether it also holds on a page that the router has yet to render; otherwise it ends with the page it came from.
   */
  isForAnyPage?: boolean;
}

/**
 * Changes the address without its path: sets the named parameters, and removes those that are empty. All other
 * parameters, the hash and the entry's state are kept as the browser has them now, not as the page was last rendered
 * with them. Once the page has been left, nothing is changed, unless the change is meant for any page.
 */
export function useAddressChange() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return useCallback(
    (
      parameters: Readonly<Record<string, string | null | undefined>>,
      { hash, isStep = false, isForAnyPage = false }: AddressChangeOptions = {},
    ) => {
      if (!isForAnyPage && !isStillAt(pathname)) return;
      const present = window.location;
      const search = new URLSearchParams(present.search);
      for (const [name, value] of Object.entries(parameters)) {
        if (value) search.set(name, value);
        else search.delete(name);
      }
      void navigate(
        { pathname: present.pathname, search: search.toString(), hash: hash ?? present.hash },
        { replace: !isStep, preventScrollReset: true, state: stateOfEntry() },
      );
    },
    [pathname, navigate],
  );
}

/** In the format in which the router keeps it in the browser's history. */
function stateOfEntry(): unknown {
  const entry: unknown = window.history.state;
  return typeof entry === 'object' && entry !== null && 'usr' in entry ? entry.usr : null;
}
