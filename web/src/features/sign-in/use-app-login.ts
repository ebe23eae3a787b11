import { type AppLogin, getAppLogin } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { mayBeRemembered } from '#lib/session/browser-state.ts';

/**
 * Returns the ID of the application sign-in that brought the browser here, or undefined if the user is signing in to
 * the portal.
 */
export function useAppSignInId(): string | undefined {
  const [search] = useSearchParams();
  return search.get('app') ?? undefined;
}

/**
 * Signs in the user that this browser remembers and continues. Returns false if a device must approve.
 * @param app the application sign-in, and whether the user has confirmed it
 */
export async function signInIfRemembered(
  orgCode: string,
  app: { appLoginId?: string; confirmed?: boolean } = {},
): Promise<boolean> {
  if (!mayBeRemembered(orgCode)) return false;
  // Load the code only if this browser may be remembered.
  const { signInRemembered } = await loadPart(() => import('./remembered-sign-in.ts'));
  const resume = await signInRemembered(orgCode, app);
  resume?.();
  return resume !== null;
}

/**
 * Starts the application sign-in. Never resolves if the browser leaves the page, because the browser is remembered
 * and signs in automatically, or because the application forbids prompts.
 */
async function openAppLogin(appLoginId: string, isPassive: boolean): Promise<AppLogin> {
  const appLogin = await call(getAppLogin, { params: { appLoginId } });
  const isLeft = !appLogin.needsConfirmation && (await signInIfRemembered(appLogin.orgCode, { appLoginId }));
  if (!isLeft && !isPassive) return appLogin;
  // The application requested passive sign-in, which allows no prompts, so return without signing in (decision 169).
  if (!isLeft) window.location.assign(`/saml/${appLogin.orgCode}/continue?id=${appLoginId}`);
  return new Promise(() => undefined);
}

/** Loads the application to sign in to and the methods it allows. */
export function useAppSignIn() {
  const [search] = useSearchParams();
  const appLoginId = search.get('app') ?? undefined;
  const { data, error } = useSWRImmutable<AppLogin, ApiRefusal>(appLoginId ? ['app-login', appLoginId] : null, () =>
    openAppLogin(appLoginId ?? '', search.has('passive')),
  );
  return { appLogin: data, refusal: error, isLoading: appLoginId !== undefined && !data && !error };
}
