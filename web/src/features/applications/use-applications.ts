import { getApp, listApps } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { useSession } from '#lib/session/session.ts';

/** Returns the session's organisation; '' briefly while a session ends. */
export const useOrgCode = (): string => useSession()?.orgId ?? '';

export function useApplications() {
  const orgCode = useOrgCode();
  return useRead(listApps, orgCode ? { params: { orgCode } } : null);
}

export function useApplication(appId: string) {
  const orgCode = useOrgCode();
  return useRead(getApp, orgCode && appId ? { params: { orgCode, appId } } : null);
}
