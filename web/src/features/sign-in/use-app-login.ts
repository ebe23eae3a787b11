import { type AppLogin, getAppLogin } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import type { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { call } from '../../lib/api/call.ts';
import { mayBeRemembered } from '../../lib/session/remembered.ts';

/** The sign-in to an application that brought the browser here; undefined for a sign-in to the portal. */
export function useAppLoginId(): string | undefined {
  const [search] = useSearchParams();
  return search.get('app') ?? undefined;
}

/** Signs in the person whom this browser remembers, and continues; false where a device must approve after all. */
export async function isRemembered(orgCode: string, appLoginId?: string): Promise<boolean> {
  if (!mayBeRemembered()) return false;
  // Loaded only where there is something to try.
  const { signInRemembered } = await import('./remembered-sign-in.ts');
  const goOn = await signInRemembered(orgCode, appLoginId);
  goOn?.();
  return goOn !== null;
}

/**
 * The sign-in to an application. Never resolves where a remembered browser signs in by itself, because the page is
 * left.
 */
async function openAppLogin(appLoginId: string): Promise<AppLogin> {
  const appLogin = await call(getAppLogin, { params: { appLoginId } });
  return (await isRemembered(appLogin.orgCode, appLoginId)) ? new Promise(() => undefined) : appLogin;
}

/** Which application it is, and which methods to sign in it allows. */
export function useAppLogin() {
  const appLoginId = useAppLoginId();
  const { data, error } = useSWRImmutable<AppLogin, ApiRefusal>(appLoginId ? ['app-login', appLoginId] : null, () =>
    openAppLogin(appLoginId ?? ''),
  );
  return { appLogin: data, refusal: error, isLoading: appLoginId !== undefined && !data && !error };
}
