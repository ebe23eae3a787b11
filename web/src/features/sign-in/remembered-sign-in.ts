import { login } from '@orchestrate/shared';
import { call } from '../../lib/api.ts';
import { ApiRefusal } from '../../lib/api-refusal.ts';
import { setRemembered } from '../../lib/remembered.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';

/**
 * Signs in the person whom this browser remembers; returns the next step, or null where a device must approve after all
 * (COOKIE_ABSENT, COOKIE_EXPIRED, COOKIE_LOGIN_DISABLED, AUTHENTICATION_INCOMPLETE).
 */
export async function signInRemembered(orgCode: string, appLoginId: string | undefined): Promise<(() => void) | null> {
  try {
    const { loginId = '', exchangeToken = '' } = await call(login, { body: { orgCode, mode: 'COOKIE', appLoginId } });
    return await exchangeSignIn(loginId, exchangeToken, appLoginId);
  } catch (failure) {
    if (!(failure instanceof ApiRefusal)) throw failure;
    if (failure.resultName === 'COOKIE_ABSENT' || failure.resultName === 'COOKIE_EXPIRED') setRemembered(false);
    return null;
  }
}
