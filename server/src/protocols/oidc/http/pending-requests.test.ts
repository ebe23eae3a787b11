import { once } from 'node:events';
import { request } from 'node:http';
import { HOUR } from '@orchestrate/shared';
import { afterEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { secretOf, WIKI } from '../relying-party-testing.ts';

let portal: TestPortal;
afterEach(() => portal.close());

const PARAMS = {
  response_type: 'code',
  client_id: 'team-wiki',
  scope: 'openid',
  redirect_uri: WIKI.callback,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

const begin = (more: object = {}) =>
  portal.http
    .get('/oidc/acme/auth')
    .query({ ...PARAMS, ...more })
    .redirects(0);

const stored = (where = '') =>
  portal.deps.db.$client
    .prepare(`SELECT count(*) AS rows, coalesce(max(length(payload)), 0) AS longest FROM oidc_models ${where}`)
    .get() as { rows: number; longest: number };

test('rejects authorization requests larger than 4 kB without storing anything', async () => {
  portal = await testPortal();
  expect((await begin({ state: 's'.repeat(3_000) })).status).toBe(303);
  const before = stored();
  const refused = await begin({ state: 's'.repeat(5_000) });
  expect(refused.status).toBe(413);
  expect(refused.text).toContain('at most 4096 characters');
  const posted = await portal.http
    .post('/oidc/acme/auth')
    .type('form')
    .send({ ...PARAMS, state: 's'.repeat(5_000) })
    .redirects(0);
  expect(posted.status).toBe(413);
  expect(stored()).toEqual(before);
  expect(before.longest).toBeLessThan(6_000);
});

// covers: security T5, security 2.4.1
test('counts requests that store data before a sign-in against the public write limit', async () => {
  portal = await testPortal({ config: { rateLimit: 3 } });
  const statuses = [];
  for (const request of [
    begin(),
    portal.http.get('/oidc/acme/device'),
    portal.http.head('/oidc/acme/auth').query(PARAMS),
  ])
    statuses.push((await request.redirects(0)).status);
  expect(statuses).not.toContain(429);
  const before = stored();
  for (const path of ['auth', 'auth/', 'device', 'session/end']) {
    const refused = await portal.http.get(`/oidc/acme/${path}`).query(PARAMS).redirects(0);
    expect({ path, status: refused.status, after: refused.headers['retry-after'] }).toMatchObject({
      path,
      status: 429,
    });
  }
  expect(stored()).toEqual(before);
  // Reads don't count against the limit.
  expect((await portal.http.get('/oidc/acme/jwks')).status).toBe(200);
});

test('applies a single limit to all addresses in an IPv6 network', async () => {
  portal = await testPortal({ config: { rateLimit: 3 } });
  const from = async (address: string) => (await begin().set('x-lab-ip', address)).status;
  const statuses = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::3', '2001:db8::4', '2001:db8:0:1::1'])
    statuses.push(await from(address));
  expect(statuses).toEqual([303, 303, 303, 429, 303]);
});

test('deletes expired interactions and pushed requests within two hours', async () => {
  portal = await testPortal();
  await begin();
  const pushed = { ...PARAMS, client_secret: secretOf(portal, 'team-wiki') };
  expect((await portal.http.post('/oidc/acme/request').type('form').send(pushed)).status).toBe(201);
  const requests = "WHERE model IN ('Interaction', 'PushedAuthorizationRequest')";
  expect(stored(requests).rows).toBe(2);
  portal.clock.advance((2 * HOUR) / 1_000);
  expect(stored(requests).rows).toBe(0);
});

/** Returns the status of a request whose path is sent exactly as written, unlike with `fetch`. */
async function statusOf(method: 'GET' | 'POST', path: string): Promise<number | undefined> {
  const [answer] = await once(request(portal.url, { method, path }).end(), 'response');
  answer.resume();
  return answer.statusCode;
}

test('rejects other spellings of an endpoint path', async () => {
  portal = await testPortal();
  const query = new URLSearchParams(PARAMS);
  expect(await statusOf('GET', `/oidc/acme/auth?${query}`)).toBe(303);
  for (const path of ['AUTH', 'Auth', 'auth%23', 'auth#', '%61uth', 'DEVICE', 'TOKEN', 'token#', 'Session/End']) {
    expect(await statusOf('GET', `/oidc/acme/${path}?${query}`), path).toBe(404);
  }
  for (const path of ['DEVICE', 'TOKEN', 'token#', 'device-authorization#', 'Request']) {
    expect(await statusOf('POST', `/oidc/acme/${path}`), `POST ${path}`).toBe(404);
  }
});

test('rejects device authorization requests larger than 4 kB without storing anything', async () => {
  portal = await testPortal();
  const send = (scope: string) =>
    portal.http.post('/oidc/acme/device-authorization').type('form').send({ client_id: 'team-wiki', scope });
  const before = stored();
  const refused = await send(`openid ${'x'.repeat(5_000)}`);
  expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 413, error: 'invalid_request' });
  expect(stored()).toEqual(before);
});
