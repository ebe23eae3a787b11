import type { Permission } from '@orchestrate/shared';
import { Navigate, Outlet } from 'react-router-dom';
import { useCan } from '../lib/session.ts';
import { paths } from '../paths.ts';

/** Sends people without the permission to the dashboard. The server refuses them anyway. */
export function RequirePermission({ permission }: { permission: Permission }) {
  return useCan(permission) ? <Outlet /> : <Navigate to={paths.dashboard} replace />;
}
