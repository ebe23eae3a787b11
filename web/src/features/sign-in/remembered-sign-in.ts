import { forgetRememberedMember, login, type RememberedMember } from '@orchestrate/shared';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';
import { startedOf, storePendingSignIn, withdrawPendingSignIn } from './pending-sign-in.ts';

/**
 * Signs in the user that this browser remembers. Returns the next step, or null if a device must approve
 * (COOKIE_ABSENT, COOKIE_EXPIRED, COOKIE_LOGIN_DISABLED, AUTHENTICATION_INCOMPLETE).
 */
export async function signInRemembered(
  orgCode: string,
  { appLoginId, confirmed }: { appLoginId?: string; confirmed?: boolean },
): Promise<(() => void) | null> {
  try {
    const { loginId = '', exchangeToken = '' } = await call(login, {
      body: { orgCode, mode: 'COOKIE', appLoginId, confirmed },
    });
    return await exchangeSignIn(loginId, exchangeToken, appLoginId);
  } catch (failure) {
    if (!(failure instanceof ApiRefusal)) throw failure;
    if (failure.resultName === 'COOKIE_ABSENT' || failure.resultName === 'COOKIE_EXPIRED')
      setRemembered(orgCode, false);
    return null;
  }
}

/**
 * Sends a request to the device that approved remembering this browser, for the method "My device" to continue
 * with. Withdraws it if the user has left the page meanwhile.
 * @returns true if the request was sent
 * @throws ApiRefusal
 */
export async function requestRemembered(
  aim: { orgCode: string; appLoginId: string | undefined },
  { fullName }: RememberedMember,
  isLeft: () => boolean,
): Promise<boolean> {
  const mode = 'PUSH';
  const started = startedOf(await call(login, { body: { ...aim, mode, remembered: true } }));
  storePendingSignIn({ ...aim, mode, started, remembered: fullName });
  if (isLeft()) withdrawPendingSignIn(started.loginId);
  return !isLeft();
}

/** Makes this browser forget the member. The server revokes the cookie. */
export async function forgetRemembered(orgCode: string): Promise<void> {
  await call(forgetRememberedMember, { body: { orgCode } });
  setRemembered(orgCode, false);
}
