import { login } from '@orchestrate/shared';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';

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
    if (failure.resultName === 'COOKIE_ABSENT' || failure.resultName === 'COOKIE_EXPIRED') setRemembered(false);
    return null;
  }
}
