import { login, loginLive, readMagic } from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { secretOf, WIKI } from '#protocols/oidc/relying-party-testing.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const PAGE = 'http://localhost:5173';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ config: { corsOrigins: [PAGE, 'https://client.example'] } });
});
afterAll(() => portal.close());

/** Sends a preflight request, as a browser would. */
const preflight = (path: string, origin = PAGE, { url } = portal) =>
  request(url).options(path).set({
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization, x-lab-ip',
  });

test.each([
  '/api/user/info',
  '/api/lab/policies',
  '/oidc/acme/token',
  '/oidc/acme/me',
  '/saml/acme/expenses/sso',
  '/logos/acme',
])('allows pages on CORS_ORIGINS to call %s with credentials and any header', async (path) => {
  const { status, headers } = await preflight(path);
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': PAGE,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'authorization, x-lab-ip',
  });
  expect(headers['access-control-allow-methods']).toContain('PUT');
});

test('exposes successes, errors and the headers that clients need', async () => {
  const answer = await portal.http.post('/api/user/login').set('origin', PAGE).send({ orgCode: 'acme', mode: 'QID' });
  const refusal = await portal.http.get('/api/user/browsers').set('origin', PAGE);
  const unknown = await portal.http.get('/api/nothing').set('origin', PAGE);
  expect([answer.status, refusal.status, unknown.status]).toEqual([200, 401, 404]);
  for (const { headers } of [answer, refusal, unknown]) {
    expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, 'access-control-allow-credentials': 'true' });
    expect(headers['access-control-expose-headers']).toContain('etag');
    expect(headers.vary).toContain('Origin');
  }
});

test('exposes injected faults like real errors', async () => {
  await portal.http.post('/api/lab/faults').send({ match: { path: '/api/health' }, answer: { status: 503 } });
  const { status, headers } = await portal.http.get('/api/health').set('origin', PAGE);
  expect([status, headers['access-control-allow-origin']]).toEqual([503, PAGE]);
});

test.each(['/oidc/acme/token', '/api/profile', '/saml/acme/travel-desk/sso', '/scim/v2/acme/Users'])(
  'applies an OPTIONS fault only to the preflight of %s',
  async (path) => {
    await portal.lab.fault({ match: { path }, answer: { status: 500 } });
    await portal.lab.fault({ match: { path, method: 'OPTIONS' }, answer: { status: 503 }, after: 1 });
    expect([(await preflight(path)).status, (await preflight(path)).status, (await preflight(path)).status]).toEqual([
      204, 503, 204,
    ]);
    expect((await portal.lab.faults()).faults).toMatchObject([{ match: { path } }]);
    await portal.lab.clearFaults();
  },
);

test.each([{ email: 'user@acme.test' }, { org: 'acme' }])(
  'refuses an OPTIONS fault that targets a person or organisation: %o',
  async (whom) => {
    const [name = ''] = Object.keys(whom);
    for (const path of ['/api/profile', '/api/*', '/*']) {
      const added = portal.lab.fault({ match: { path, method: 'OPTIONS', ...whom }, answer: { status: 503 } });
      await expect(added, path).rejects.toThrow(
        `The portal responds to OPTIONS before it knows the person or organisation. Omit ${name}.`,
      );
      await portal.lab.fault({ match: { path, ...whom }, answer: { status: 503 } });
    }
    await portal.lab.clearFaults();
  },
);

test('allows pages to call OpenID endpoints even without a redirect URI on their origin', async () => {
  const discovery = await portal.http.get('/oidc/acme/.well-known/openid-configuration').set('origin', PAGE);
  const keys = await portal.http.get('/oidc/acme/jwks').set('origin', PAGE);
  const token = await portal.http
    .post('/oidc/acme/token')
    .set('origin', PAGE)
    .auth(WIKI.appId, secretOf(portal, WIKI.appId))
    .type('form')
    .send({ grant_type: 'authorization_code', code: 'nothing', redirect_uri: WIKI.callback });
  const userinfo = await portal.http.get('/oidc/acme/me').set('origin', PAGE);
  expect([discovery.status, keys.status, token.status, userinfo.status]).toEqual([200, 200, 400, 401]);
  for (const { headers } of [discovery, keys, token, userinfo]) {
    expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, 'access-control-allow-credentials': 'true' });
  }
});

test('accepts sockets from any origin with a token or an ID', async () => {
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const socket = new WebSocket(
    `${portal.url.replace('http', 'ws')}${loginLive.path}?loginId=${body.loginId}&exchangeTokenRequired=false`,
    { origin: PAGE },
  );
  const first = await new Promise((resolve, reject) => {
    socket.once('message', (data) => resolve(JSON.parse(String(data))));
    socket.once('error', reject);
  });
  socket.terminate();
  expect(first).toMatchObject({ resultCode: expect.any(Number) });
});

// covers: security 3.4.2
test('leaves responses to other origins unchanged', async () => {
  for (const origin of ['http://localhost:5174', 'https://client.example.evil.test', 'null']) {
    const { status, headers } = await preflight('/api/user/info', origin);
    expect([status, headers['access-control-allow-origin']]).toEqual([404, undefined]);
    const answer = await portal.http.get('/api/health').set('origin', origin);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    for (const path of ['.well-known/openid-configuration', '.well-known/oauth-authorization-server', 'jwks']) {
      const open = await portal.http.get(`/oidc/acme/${path}`).set('origin', origin);
      expect(open.headers['access-control-allow-origin']).toBe(origin);
    }
    expect((await preflight('/oidc/acme/reg', origin)).headers['access-control-allow-origin']).toBe('*');
    const token = await portal.http
      .post('/oidc/acme/token')
      .set('origin', origin)
      .auth(WIKI.appId, secretOf(portal, WIKI.appId))
      .type('form')
      .send({ grant_type: 'client_credentials' });
    expect(token.headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('refuses lab calls without the lab token from any other site, even one in CORS_ORIGINS', async () => {
  const { status, headers } = await portal.http.get('/api/lab/magic').set('origin', 'https://client.example');
  expect([status, headers['access-control-allow-origin']]).toEqual([403, 'https://client.example']);
  expect((await portal.call(readMagic, {})).status).toBe(200);
  expect((await portal.http.get('/api/lab/magic').set('origin', PAGE)).status).toBe(200);
});

// covers: security 3.4.2
test('sends no CORS headers if CORS_ORIGINS is not set', async () => {
  const plain = await testPortal();
  try {
    const { status, headers } = await preflight('/api/user/info', PAGE, plain);
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([404, undefined, 'Accept-Language']);
  } finally {
    await plain.close();
  }
});
