import { useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import RefetchOnReconnect from '#lib/api/refetch-on-reconnect.ts';
import { hasSessionExpired, rememberedOrganisation, useIsAddressBlocked, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import type { ReturnState } from './page-after-sign-in.ts';

const freshCache = { provider: () => new Map() };

/** Redirects visitors without a session to the sign-in page of the remembered organisation, or else to the root. */
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
  // A new cache for each user, so that no data of an earlier sign-in is displayed.
  return (
    <SWRConfig key={session.profile.suid} value={freshCache}>
      <RefetchOnReconnect />
      <Outlet />
    </SWRConfig>
  );
}
