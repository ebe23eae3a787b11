import {
  type Application,
  getApp,
  getOrgApp,
  getSessionSettings,
  listApps,
  type SessionSettings,
  saveOrgApp,
  updateApp,
} from '@orchestrate/shared';
import type { Versioned } from '../../editing/drafts.ts';
import { useRead } from '../../lib/api/use-read.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { useSession } from '../../lib/session/session.ts';

/** The login options of an application in their wire format: `maxCookieLife` in seconds. */
export type AppLoginOptions = Pick<
  Application,
  'maxCookieLife' | 'didEnabled' | 'webAuthnEnabled' | 'desktopAppEnabled' | 'forceAuthnEnabled'
>;

/** The applications that people sign in to, with their login options, portals first, and the organisation's options. */
export function useLoginApplications() {
  const orgCode = useSession()?.orgId ?? '';
  const apps = useRead(listApps, orgCode ? { params: { orgCode } } : null);
  const organisation = useRead(getSessionSettings, {});
  const data = apps.data &&
    organisation.data && {
      apps: apps.data.apps
        .filter(({ hasSignIn }) => hasSignIn)
        .toSorted((a, b) => Number(b.integrationType === 'portal') - Number(a.integrationType === 'portal')),
      organisation: organisation.data satisfies SessionSettings,
    };
  const refetch = () => Promise.all([apps.refetch(), organisation.refetch()]);
  return { data, refusal: apps.refusal ?? organisation.refusal, refetch };
}

/** The login options of one application: portals have a call of their own (spec 2 §7). */
export function useAppOptions({ appId, orgCode, integrationType }: Application) {
  const isPortal = integrationType === 'portal';
  const portal = useRead(getOrgApp, isPortal ? { query: { appId } } : null);
  const app = useRead(getApp, isPortal ? null : { params: { orgCode, appId } });
  const portalWrite = useWrite(saveOrgApp, { invalidates: ['Applications', 'Org Settings'] });
  const appWrite = useWrite(updateApp, { invalidates: ['Applications'] });
  const save = async (options: AppLoginOptions, ifMatch: string | undefined): Promise<Versioned<AppLoginOptions>> => {
    if (isPortal) {
      const { orgApp, etag } = await portalWrite.run({ body: { appId, ...options } }, { ifMatch });
      return { values: orgApp, version: etag };
    }
    const saved = await appWrite.run({ params: { orgCode, appId }, body: options }, { ifMatch });
    return { values: saved.app, version: saved.etag };
  };
  const read = isPortal ? portal : app;
  const options = isPortal ? portal.data?.orgApp : app.data?.app;
  const data = options && { values: options, version: read.data?.etag };
  return { data, refusal: read.refusal, refetch: read.refetch, save };
}
