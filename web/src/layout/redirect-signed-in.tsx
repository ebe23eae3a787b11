import { useState } from 'react';
import { Navigate, Outlet, useSearchParams } from 'react-router-dom';
import { endSession, useSession } from '../lib/session.ts';
import { paths } from '../paths.ts';

/**
 * Sends people who are signed in from the sign-in page to their dashboard. `?login=success` is where single sign-on
 * ends: there the token of an earlier sign-in is cleared first (spec 1 §2).
 */
export function RedirectSignedIn() {
  const [search] = useSearchParams();
  const [hasCleared, setHasCleared] = useState(false);
  const session = useSession();
  if (search.get('login') === 'success' && !hasCleared) {
    setHasCleared(true);
    endSession();
    return null;
  }
  return session ? <Navigate to={paths.dashboard} replace /> : <Outlet />;
}
