import { completeAppLogin, login, loginState, virtualDevices } from '@orchestrate/shared';
import { createAuthenticator, deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { callPortal } from './call-portal.ts';

/**
 * Signs a user in to an application, as both the sign-in page and the phone. @param cookie the browser's cookie
 * @returns the URL that continues the flow
 */
export async function signInToApplication(
  url: string,
  orgCode: string,
  { appLoginId, cookie }: { appLoginId: string; cookie: string },
): Promise<string> {
  const { devices } = await callPortal(url, virtualDevices, `/lab/virtual-devices?orgCode=${orgCode}`);
  const device = devices.map(deviceOfVirtual).find((one) => one?.type === 'mobile');
  if (!device) throw new Error('The seed data has no user with a phone.');
  const phone = createAuthenticator({ baseUrl: url, now: Date.now });
  const started = await callPortal(url, login, '/user/login', { body: { orgCode, mode: 'QID', appLoginId }, cookie });
  const { challenge } = await phone.resolve(device, started.qid ?? '');
  await phone.respond(device, { challengeId: challenge.challengeId, decision: 'approve' });
  const { exchangeToken } = await callPortal(url, loginState, `/user/login/${started.loginId}`);
  const body = { loginId: started.loginId, exchangeToken };
  return (await callPortal(url, completeAppLogin, `/user/app-login/${appLoginId}`, { body, cookie })).redirectTo;
}
