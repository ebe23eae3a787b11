import { Navigate, Outlet } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { rememberedOrganisation, useSession } from '../lib/session.ts';
import { paths } from '../paths.ts';

const freshCache = { provider: () => new Map() };

/** The private area: without a session to the sign-in page of the remembered organisation, else to the root. */
export function RequireSession() {
  const session = useSession();
  if (!session) {
    const organisation = rememberedOrganisation();
    return <Navigate to={organisation ? paths.signIn(organisation) : paths.home} replace />;
  }
  // A cache of their own for each person: nothing of the last sign-in may show in the next.
  return (
    <SWRConfig key={session.profile.suid} value={freshCache}>
      <Outlet />
    </SWRConfig>
  );
}
