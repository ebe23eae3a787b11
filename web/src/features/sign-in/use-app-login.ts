import { type AppLogin, getAppLogin } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { mayBeRemembered } from '#lib/session/browser-state.ts';

/** Returns the id of the application sign-in that brought the browser here; undefined for a sign-in to the portal. */
export function useAppLoginId(): string | undefined {
  const [search] = useSearchParams();
  return search.get('app') ?? undefined;
}

/**
 * Signs in the user whom this browser remembers and continues; returns false if a device has to approve.
 * @param app the sign-in to an application, and whether the user confirmed it
 */
export async function signInIfRemembered(
  orgCode: string,
  app: { appLoginId?: string; confirmed?: boolean } = {},
): Promise<boolean> {
  if (!mayBeRemembered()) return false;
  // Loaded only if there is a remembered browser to try.
  const { signInRemembered } = await loadPart(() => import('./remembered-sign-in.ts'));
  const resume = await signInRemembered(orgCode, app);
  resume?.();
  return resume !== null;
}

/**
 * Starts the sign-in to an application. Never resolves if a remembered browser signs in automatically, or if the
 * application forbids prompts, because the browser leaves the page.
 */
async function openAppLogin(appLoginId: string, isPassive: boolean): Promise<AppLogin> {
  const appLogin = await call(getAppLogin, { params: { appLoginId } });
  const isLeft = !appLogin.needsConfirmation && (await signInIfRemembered(appLogin.orgCode, { appLoginId }));
  if (!isLeft && !isPassive) return appLogin;
  // The application requested a passive sign-in, without any prompt (decision 169).
  if (!isLeft) window.location.assign(`/saml/${appLogin.orgCode}/continue?id=${appLoginId}`);
  return new Promise(() => undefined);
}

/** Reads the application to sign in to, with the methods that it allows. */
export function useAppLogin() {
  const [search] = useSearchParams();
  const appLoginId = search.get('app') ?? undefined;
  const { data, error } = useSWRImmutable<AppLogin, ApiRefusal>(appLoginId ? ['app-login', appLoginId] : null, () =>
    openAppLogin(appLoginId ?? '', search.has('passive')),
  );
  return { appLogin: data, refusal: error, isLoading: appLoginId !== undefined && !data && !error };
}
