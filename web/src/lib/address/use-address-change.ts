import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isStillAt } from './use-next-step.ts';

interface AddressChangeOptions {
  /** URL fragment without the `#`; undefined keeps the current fragment. */
  hash?: string;
  /** True to add a history entry, so that Back undoes the change. Otherwise the current entry is replaced. */
  isStep?: boolean;
  /** True to apply the change even if the browser has left the page that requested it. */
  isForAnyPage?: boolean;
}

/**
 * Returns a function that sets query parameters and removes empty ones. It keeps all other parameters, the hash and
 * the history state from the browser's current URL, which can be newer than the rendered URL. After the browser has
 * left the page, it does nothing unless `isForAnyPage` is set.
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

/** Returns the state of the current history entry, in the router's format. */
function stateOfEntry(): unknown {
  const entry: unknown = window.history.state;
  return typeof entry === 'object' && entry !== null && 'usr' in entry ? entry.usr : null;
}
