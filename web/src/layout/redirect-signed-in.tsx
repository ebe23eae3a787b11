import { useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { endSession, keptReturnState, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { pageAfterSignIn } from './page-after-sign-in.ts';

/**
 * Sends people who are signed in from the sign-in page to their dashboard, or back to the page from which they were
 * sent here. `?login=success` is where single sign-on ends: there the token of an earlier sign-in is cleared first
 * (spec 1 §2).
 */
export function RedirectSignedIn() {
  const [search] = useSearchParams();
  const [hasCleared, setHasCleared] = useState(false);
  const { state } = useLocation();
  const session = useSession();
  const isFromProvider = search.get('login') === 'success';
  if (isFromProvider && !hasCleared) {
    setHasCleared(true);
    endSession();
    return null;
  }
  // A sign-in to an application goes on, no matter who is signed in to the portal in this browser.
  if (!session || search.has('app')) return <Outlet />;
  const asked = isFromProvider ? keptReturnState() : state;
  return <Navigate to={pageAfterSignIn(session.profile.suid, asked) ?? paths.dashboard} replace />;
}
