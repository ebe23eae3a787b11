import type { Portal } from '@orchestrate/server/testing-api';
import { addressOf, completeAppLogin, login, loginState } from '@orchestrate/shared';
import * as client from 'openid-client';

const USER = 'user@acme.test';
const CALLBACK = 'http://localhost:8080/oidc/callback';

/**
 * Signs the demo user in to a demo application. The application's server uses the portal's internal URL; the browser
 * uses the public URL.
 * @param asServer client for the portal's internal URL
 * @param publicUrl the portal's URL for browsers
 */
export async function signInToWiki(asServer: Portal, publicUrl: string): Promise<client.IDToken | undefined> {
  const { organisations = [] } = await asServer.world();
  const acme = organisations.find(({ code }) => code === 'acme');
  const secret = acme?.applications?.find(({ id }) => id === 'team-wiki')?.oidc?.secrets?.[0]?.secret;
  // The portal reports its public issuer at the internal URL, too. A library that expects the issuer to match the URL
  // it requested (OpenID Connect Discovery 1.0 §4.3) needs the metadata passed in.
  const found = await fetch(`${asServer.url}/oidc/acme/.well-known/openid-configuration`);
  const config = new client.Configuration(await found.json(), 'team-wiki', secret);
  client.allowInsecureRequests(config);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const there = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  if (there.origin !== publicUrl) throw new Error(`The browser was sent to ${there.origin} instead of ${publicUrl}.`);
  const back = await browse(asServer, there);
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier });
  return tokens.claims();
}

/** Follows redirects with cookies, and signs in when prompted. @returns the first URL outside the portal */
async function browse(asServer: Portal, start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  while (url.origin === start.origin) {
    const appLoginId = url.searchParams.get('app');
    if (appLoginId) {
      url = new URL(await signIn(asServer, appLoginId, cookieOf(cookies)), url);
      continue;
    }
    const headers = { cookie: cookieOf(cookies), accept: 'text/html' };
    const answer = await fetch(url, { redirect: 'manual', headers });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${url.pathname} responded with ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}

const cookieOf = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map((pair) => pair.join('=')).join('; ');

/** Signs the demo user in on the sign-in page, with the browser's cookies. @returns the URL that continues the flow */
async function signIn(portal: Portal, appLoginId: string, cookie: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(`${portal.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  };
  const { loginId } = await post(login.path, { orgCode: 'acme', mode: 'QID', appLoginId });
  await portal.approve(loginId, { as: USER });
  const { exchangeToken = '' } = await portal.call(loginState, { params: { loginId } });
  const path = addressOf(completeAppLogin, { params: { appLoginId } });
  return (await post(path, { loginId, exchangeToken })).redirectTo;
}
