import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keepLabToken } from './browser-state.ts';

const NAME = 'lab-token';

/**
 * Takes the lab token from the address that the portal prints at its start (`/lab#lab-token=…`), and keeps it in this
 * browser. It is behind the `#`, because that part is never sent and so never logged, and is removed from the address
 * once read.
 */
export function useCarriedLabToken(): void {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const token = new URLSearchParams(hash.slice(1)).get(NAME);
  // During render, not after it, so that the page's first lab calls already carry it.
  if (token) keepLabToken(token);
  useEffect(() => {
    if (!token) return;
    void navigate({ pathname, search }, { replace: true });
    // Calls that were refused without it, if the page was already open.
    void mutate(() => true);
  }, [token, pathname, search, navigate, mutate]);
}
