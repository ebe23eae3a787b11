import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { storeLabToken } from './browser-state.ts';

const NAME = 'lab-token';

/**
 * Reads the lab token from the URL that the portal prints on startup (`/lab#lab-token=…`), stores it in this browser
 * and removes it from the address. The token is in the hash because browsers don't send the hash to servers, which
 * could log it.
 */
export function useLabTokenFromHash(): void {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const token = new URLSearchParams(hash.slice(1)).get(NAME);
  // Runs during render, so that the page's first lab calls already send the token.
  if (token) storeLabToken(token);
  useEffect(() => {
    if (!token) return;
    void navigate({ pathname, search }, { replace: true });
    // If the page was already open, repeat the requests that were refused without the token.
    void mutate(() => true);
  }, [token, pathname, search, navigate, mutate]);
}
