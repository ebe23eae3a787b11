import { Box, Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Permission } from '@orchestrate/shared';
import { Monitor } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import RefetchOnReconnect from '#lib/api/refetch-on-reconnect.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import {
  hasPermission,
  hasSessionExpired,
  rememberedOrganisation,
  useIsAddressBlocked,
  useSession,
} from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';
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

interface RequirePermissionProps {
  /** Required permission, or several permissions of which the user needs at least one. */
  permission: Permission | readonly Permission[];
}

/** Redirects users without the permission to the dashboard. The server enforces the permission separately. */
export function RequirePermission({ permission }: RequirePermissionProps) {
  const profile = useSession()?.profile;
  const isAllowed = [permission].flat().some((one) => hasPermission(profile, one));
  return isAllowed ? <Outlet /> : <Navigate to={paths.dashboard} replace />;
}

/**
 * In small windows, shows the spec's notice instead of an administration screen. The screen stays mounted behind the
 * notice, so its input survives if the window shrinks or a tablet is rotated.
 */
export function DesktopOnly() {
  const hasRoom = useHasRoomForAdministration();
  const [hadRoom, setHadRoom] = useState(hasRoom);
  if (hasRoom && !hadRoom) setHadRoom(true);
  return (
    <>
      {!hasRoom && (
        <MessagePage
          as="div"
          icon={Monitor}
          title={t`Admin features are available only on Desktop`}
          action={
            <Button asChild>
              <Link to={paths.dashboard}>{t`Back to dashboard`}</Link>
            </Button>
          }
        />
      )}
      {hadRoom && (
        <Box display={hasRoom ? 'contents' : 'none'}>
          <Outlet />
        </Box>
      )}
    </>
  );
}
