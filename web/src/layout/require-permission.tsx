import type { Permission } from '@orchestrate/shared';
import { Navigate, Outlet } from 'react-router-dom';
import { hasPermission, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';

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
