import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keepLabToken } from './lab-token.ts';

const NAME = 'lab-token';

/**
 * Takes the lab token out of the address that the start of the portal shows (`/lab#lab-token=…`), and keeps it on this
 * browser. Behind the `#`, because that part is never sent and so never logged; gone from the address once it is read.
 */
export function useCarriedLabToken(): void {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const token = new URLSearchParams(hash.slice(1)).get(NAME);
  // While rendering, and not after: what the page asks the lab for first is to carry it already.
  if (token) keepLabToken(token);
  useEffect(() => {
    if (!token) return;
    void navigate({ pathname, search }, { replace: true });
    // What was refused without it, where the page was open before.
    void mutate(() => true);
  }, [token, pathname, search, navigate, mutate]);
}
