import { clearFaults, LIMITS, OAUTH_ERRORS } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authorize, exchange, relyingParty, secretOf, USER, WIKI } from '#protocols/oidc/relying-party-testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.call(clearFaults, { query: {} }));
afterAll(() => portal.close());

const force = (path: string, oauthError: (typeof OAUTH_ERRORS)[number]) =>
  portal.lab.fault({ match: { path }, answer: { oauthError } });

/** The library's errors for features that the portal doesn't have. */
const ERRORS_OF_OTHERS = [
  ...['invalid_nonce', 'invalid_proof', 'invalid_credential_request', 'credential_request_denied'],
  ...['unknown_credential_configuration', 'unknown_credential_identifier', 'invalid_authorization_details'],
  ...['expired_login_hint_token', 'invalid_binding_message', 'invalid_user_code', 'missing_user_code'],
  ...['transaction_failed', 'unknown_user_id'],
  ...['use_attestation_challenge', 'use_fresh_attestation', 'invalid_client_attestation'],
];

test('covers every OAuth error that the provider can return', async () => {
  const { errors } = await import('oidc-provider');
  const names = Object.values(errors)
    .filter(({ name }) => name !== 'OIDCProviderError' && name !== 'CustomOIDCProviderError')
    .map((Failure): string => Reflect.construct(Failure, ['x', 'x']).error);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !OAUTH_ERRORS.some((one) => one === name) && !ERRORS_OF_OTHERS.includes(name))).toEqual(
    [],
  );
});

test.each(OAUTH_ERRORS)('forces the OAuth error %s once, at every kind of endpoint', async (oauthError) => {
  for (const path of ['/oidc/acme/token', '/oidc/acme/me', '/oidc/acme/reg']) {
    await force(path, oauthError);
    const { status, body } = await portal.http.post(path).type('form').send('grant_type=x');
    expect({ isError: status >= 400, error: body.error }).toEqual({ isError: true, error: oauthError });
    const { body: real } = await portal.http.post(path).type('form').send('grant_type=x');
    expect(real.error_description).not.toBe(body.error_description);
  }
});

test('returns a DPoP nonce that the client’s next proof can use', async () => {
  const config = await relyingParty(portal);
  const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
  const { refreshToken = '' } = await portal.lab.tokens({ client: WIKI.appId, as: USER });
  const path = '/oidc/acme/token';
  const statuses: number[] = [];
  Object.assign(config, {
    [client.customFetch]: async (url: string, options: RequestInit) => {
      const answer = await fetch(url, options);
      statuses.push(answer.status);
      return answer;
    },
  });
  let presented = refreshToken;
  // The first proof has no nonce, and the second has the nonce of the first response.
  for (let proof = 0; proof < 2; proof++) {
    await force(path, 'use_dpop_nonce');
    const { token_type: type, refresh_token: next = '' } = await client.refreshTokenGrant(
      config,
      presented,
      undefined,
      {
        DPoP: dpop,
      },
    );
    expect({ type, statuses: statuses.splice(0) }).toEqual({ type: 'dpop', statuses: [400, 200] });
    presented = next;
  }
  await force('/oidc/acme/me', 'invalid_dpop_proof');
  const { status, headers } = await portal.http.get('/oidc/acme/me');
  expect({ status, scheme: headers['www-authenticate'] }).toEqual({
    status: 401,
    scheme: expect.stringMatching(/^DPoP realm=".+", error="invalid_dpop_proof"$/),
  });
});

/** Sends the same request twice: with a fault, and without. Returns the header names of both responses. */
async function headersWithAndWithout(of: TestPortal, path: string, answer: object, origin?: string) {
  const send = async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) };
    const response = await fetch(of.url + path, { method: 'POST', headers, body: 'grant_type=x' });
    await response.arrayBuffer();
    return [...response.headers.keys()]
      .filter((name) => name !== 'transfer-encoding' && name !== 'content-length')
      .sort();
  };
  await of.lab.fault({ match: { path }, answer });
  return [await send(), await send()];
}

test.each([
  ['/oidc/acme/token', 'invalid_client'],
  ['/oidc/acme/me', 'invalid_token'],
  ['/oidc/acme/token/introspection', 'invalid_client'],
] as const)('answers at %s with the headers of a real %s', async (path, oauthError) => {
  for (const origin of [undefined, 'https://wiki.acme.test']) {
    const [simulated, real] = await headersWithAndWithout(portal, path, { oauthError }, origin);
    expect(simulated).toEqual(real);
  }
});

test('answers a simulated 429 with the headers of a real one', async () => {
  const limited = await testPortal({ config: { rateLimit: 2 } });
  try {
    for (const path of ['/oidc/acme/token', '/api/refresh']) {
      for (const _ of [1, 2, 3]) await fetch(limited.url + path, { method: 'POST' });
      const [simulated, real] = await headersWithAndWithout(limited, path, { status: 429 });
      expect(real).toContain('retry-after');
      expect(simulated).toEqual(real);
    }
  } finally {
    await limited.close();
  }
});

/** Waits for a call, and returns the status with which it was refused. */
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (reason: { status?: number; cause?: { status?: number } }) => reason.status ?? reason.cause?.status,
  );

test('applies a fault to one grant type, and leaves the requests of others readable', async () => {
  const config = await relyingParty(portal);
  const refreshing = { path: '/oidc/acme/token', body: { grant_type: 'refresh_token' } };
  await portal.lab.fault({ match: refreshing, answer: { status: 503 } });
  await portal.lab.fault({ match: refreshing, answer: { token: 'wrong-issuer' } });
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
  expect(tokens.claims()?.iss).toBe(`${portal.url}/oidc/acme`);
  const refresh = () => client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await statusOf(refresh())).toBe(503);
  await expect(refresh()).rejects.toThrow();
  expect((await portal.lab.faults()).faults).toEqual([]);
});

test.each([
  ['the body', (appId: string) => client.ClientSecretPost(secretOf(portal, appId))],
  ['HTTP Basic', (appId: string) => client.ClientSecretBasic(secretOf(portal, appId))],
])('applies a fault to one application, which names itself in %s', async (_, auth) => {
  const [wiki, payroll] = [WIKI.appId, 'payroll'];
  await portal.lab.fault({ match: { path: '/oidc/acme/token', client: payroll }, answer: { status: 503 } });
  const refresh = async (appId: string) => {
    const { refreshToken = '' } = await portal.lab.tokens({ client: appId, as: USER });
    const config = await relyingParty(portal, { appId, auth: auth(appId) });
    return statusOf(client.refreshTokenGrant(config, refreshToken));
  };
  expect([await refresh(wiki), await refresh(payroll), await refresh(payroll)]).toEqual([200, 503, 200]);
});

test('finds the application in the query, and fields in JSON and in repeated form fields', async () => {
  const answer = { status: 503 };
  const post = (path: string, body: object | string) => portal.http.post(path).type('form').send(body);
  await portal.lab.fault({ match: { path: '/oidc/acme/auth', client: WIKI.appId }, answer });
  expect((await portal.http.get('/oidc/acme/auth?client_id=payroll')).status).toBe(400);
  expect((await portal.http.get(`/oidc/acme/auth?client_id=${WIKI.appId}`)).status).toBe(503);
  await portal.lab.fault({ match: { path: '/oidc/acme/token', body: { resource: 'b' } }, answer });
  expect((await post('/oidc/acme/token', 'resource=a&resource=c')).status).toBe(401);
  expect((await post('/oidc/acme/token', 'resource=a&resource=b')).status).toBe(503);
  await portal.lab.fault({ match: { path: '/api/user/login', body: { mode: 'PUSH' } }, answer });
  const login = (mode: string) => portal.http.post('/api/user/login').send({ orgCode: 'acme', mode, primaryAttr: 'x' });
  expect([(await login('QID')).status, (await login('PUSH')).status]).toEqual([200, 503]);
});

test('limits the body that it compares, as without a fault', async () => {
  await portal.lab.fault({ match: { path: '/oidc/acme/token', body: { grant_type: 'x' } }, answer: { status: 503 } });
  const long = `grant_type=y&padding=${'x'.repeat(LIMITS.publicBodyBytes)}`;
  const send = (body: string | ReadableStream) =>
    fetch(`${portal.url}/oidc/acme/token`, {
      ...{ method: 'POST', body, duplex: 'half' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const chunked = (text: string) => new Blob([text]).stream();
  expect([(await send(long)).status, (await send(chunked(long))).status]).toEqual([413, 413]);
  expect((await send(chunked('grant_type=x'))).status).toBe(503);
});
