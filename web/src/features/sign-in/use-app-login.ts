import { type AppLogin, getAppLogin } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import { call } from '../../lib/api.ts';
import type { ApiRefusal } from '../../lib/api-refusal.ts';
import { mayBeRemembered } from '../../lib/remembered.ts';

/** The sign-in to an application for which the browser was sent here; undefined for one to the portal. */
export function useAppLoginId(): string | undefined {
  const [search] = useSearchParams();
  return search.get('app') ?? undefined;
}

/** Signs in whom this browser is remembered for, and goes on; false where a device must approve after all. */
export async function isRemembered(orgCode: string, appLoginId?: string): Promise<boolean> {
  if (!mayBeRemembered()) return false;
  // Loaded only where there is something to try.
  const { signInRemembered } = await import('./remembered-sign-in.ts');
  const goOn = await signInRemembered(orgCode, appLoginId);
  goOn?.();
  return goOn !== null;
}

/** The sign-in to an application; one that a remembered browser has made by itself never comes, for the page leaves. */
async function openAppLogin(appLoginId: string): Promise<AppLogin> {
  const appLogin = await call(getAppLogin, { params: { appLoginId } });
  return (await isRemembered(appLogin.orgCode, appLoginId)) ? new Promise(() => undefined) : appLogin;
}

/** Which application that is, and which ways it leaves. */
export function useAppLogin() {
  const appLoginId = useAppLoginId();
  const { data, error } = useSWRImmutable<AppLogin, ApiRefusal>(appLoginId ? ['app-login', appLoginId] : null, () =>
    openAppLogin(appLoginId ?? ''),
  );
  return { appLogin: data, refusal: error, isLoading: appLoginId !== undefined && !data && !error };
}
