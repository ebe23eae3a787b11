import { completeAppLogin, login, loginState, virtualDevices } from '@orchestrate/shared';
import { createAuthenticator, deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { askPortal } from './ask-portal.ts';

/** Signs a person in to the application, as page and phone do. @param cookie of the browser. @returns the way back */
export async function signInToApplication(
  url: string,
  orgCode: string,
  { appLoginId, cookie }: { appLoginId: string; cookie: string },
): Promise<string> {
  const { devices } = await askPortal(url, virtualDevices, `/lab/virtual-devices?orgCode=${orgCode}`);
  const device = devices.map(deviceOfVirtual).find((one) => one?.type === 'mobile');
  if (!device) throw new Error('The seed has nobody with a phone.');
  const phone = createAuthenticator({ baseUrl: url, now: Date.now });
  const begun = await askPortal(url, login, '/user/login', { body: { orgCode, mode: 'QID', appLoginId }, cookie });
  const { challenge } = await phone.resolve(device, begun.qid ?? '');
  await phone.respond(device, { challengeId: challenge.challengeId, decision: 'approve' });
  const { exchangeToken } = await askPortal(url, loginState, `/user/login/${begun.loginId}`);
  const body = { loginId: begun.loginId, exchangeToken };
  return (await askPortal(url, completeAppLogin, `/user/app-login/${appLoginId}`, { body, cookie })).redirectTo;
}
