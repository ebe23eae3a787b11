import { useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { endSession, readReturnState, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { pageAfterSignIn } from './page-after-sign-in.ts';

/**
 * Redirects signed-in users from the sign-in screen to the page they requested, or to the dashboard. At the end of
 * single sign-on (`?login=success`), first clears the token of an earlier sign-in (spec 1 §2).
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
  // If the user is signing in to an application, show the sign-in screen even if they are signed in to the portal.
  if (!session || search.has('app')) return <Outlet />;
  const returnState = isFromProvider ? readReturnState() : state;
  return <Navigate to={pageAfterSignIn(session.profile.suid, returnState) ?? paths.dashboard} replace />;
}
