import { useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { endSession, storedReturnState, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { pageAfterSignIn } from './page-after-sign-in.ts';

/**
 * Redirects signed-in users from the sign-in page to the page that they requested, or to the dashboard. At the end of
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
  // A sign-in to an application continues even if a user is signed in to the portal.
  if (!session || search.has('app')) return <Outlet />;
  const asked = isFromProvider ? storedReturnState() : state;
  return <Navigate to={pageAfterSignIn(session.profile.suid, asked) ?? paths.dashboard} replace />;
}
