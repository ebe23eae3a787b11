import { useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import RefetchOnReconnect from '#lib/api/refetch-on-reconnect.ts';
import { hasSessionExpired, rememberedOrganisation, useIsAddressBlocked, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import type { ReturnState } from './page-after-sign-in.ts';

const freshCache = { provider: () => new Map() };

/**
 * Redirects visitors without a session to the remembered organisation's sign-in screen, or to the root if this
 * browser remembers no organisation.
 */
export function RequireSession() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const [lastPerson, setLastPerson] = useState(session?.profile.suid);
  if (session && session.profile.suid !== lastPerson) setLastPerson(session.profile.suid);
  const isKeptOut = useIsAddressBlocked();
  if (session && isKeptOut) return <Navigate to={paths.keptOut} replace />;
  if (!session) {
    const organisation = rememberedOrganisation();
    const returnState: ReturnState = { from: pathname + search, suid: lastPerson, hasExpired: hasSessionExpired() };
    return <Navigate to={organisation ? paths.signIn(organisation) : paths.home} replace state={returnState} />;
  }
  // Use a new cache for each user, so that no data from another user's session is displayed.
  return (
    <SWRConfig key={session.profile.suid} value={freshCache}>
      <RefetchOnReconnect />
      <Outlet />
    </SWRConfig>
  );
}
