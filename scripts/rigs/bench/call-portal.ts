import {
  completeAppLogin,
  type EndpointDefinition,
  login,
  loginState,
  type ReplyOf,
  virtualDevices,
} from '@orchestrate/shared';
import { createAuthenticator, deviceOfVirtual } from '@orchestrate/shared/authenticator';

/** Calls an endpoint of a portal's API. Returns the response body without checking for errors. */
export async function callPortal<const D extends EndpointDefinition>(
  url: string,
  { method }: D,
  path: string,
  { body, token, cookie }: { body?: object; token?: string; cookie?: string } = {},
): Promise<ReplyOf<D>> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: ReplyOf<D> = JSON.parse(await response.text());
  return answer;
}

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
