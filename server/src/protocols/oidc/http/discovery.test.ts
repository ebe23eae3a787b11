import { createRegistrationToken, makeSpace } from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { signInToWiki } from '../relying-party-testing.ts';

const INSIDE = 'http://portal.internal:3000';
const PATH = '/oidc/acme/.well-known/openid-configuration';

const TOKEN = 'a-token-of-the-lab';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ config: { backchannelUrl: INSIDE, labToken: TOKEN } });
});
afterAll(() => portal.close());

test.each(['http://portal.internal:3000', 'http://localhost:3000'])(
  'returns the same document for the host %s',
  async (path) => {
    const { body, headers } = await portal.http.get(PATH).set('host', new URL(path).host).expect(200);
    const [issuer, inside] = [`${portal.url}/oidc/acme`, `${INSIDE}/oidc/acme`];
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      end_session_endpoint: `${issuer}/session/end`,
      token_endpoint: `${inside}/token`,
      userinfo_endpoint: `${inside}/me`,
      jwks_uri: `${inside}/jwks`,
      introspection_endpoint: `${inside}/token/introspection`,
      revocation_endpoint: `${inside}/token/revocation`,
      device_authorization_endpoint: `${inside}/device-authorization`,
      pushed_authorization_request_endpoint: `${inside}/request`,
      registration_endpoint: `${inside}/reg`,
    });
    const outside = Object.entries(body).flatMap(([name, value]) => (String(value).startsWith(issuer) ? name : []));
    expect(outside.toSorted()).toEqual(['authorization_endpoint', 'end_session_endpoint', 'issuer']);
    expect(headers.vary).toMatch(/Origin.*Sec-Fetch-Dest/i);
  },
);

test.each([{ origin: 'http://localhost:8080' }, { 'sec-fetch-dest': 'empty' }])(
  'returns public URLs to web pages: %o',
  async (headers) => {
    const { body } = await portal.http.get(PATH).set(headers).expect(200);
    const issuer = `${portal.url}/oidc/acme`;
    expect(body).toMatchObject({ issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` });
  },
);

test.each(['/oidc/acme//.well-known/openid-configuration', `${PATH}/`, `${PATH}/?x=1`])(
  "returns the issuer's document at %s",
  async (path) => {
    const { body } = await portal.http.get(path).expect(200);
    expect(body).toEqual((await portal.http.get(PATH)).body);
  },
);

test('signs members in for a client that calls the internal URL, with the same issuer', async () => {
  const other = await testPortal();
  try {
    // Another host name for the same portal. It can't be set earlier, because the port is known only once the portal
    // listens.
    other.deps.backchannelUrl = other.url.replace('localhost', '127.0.0.1');
    const { config, tokens } = await signInToWiki(other);
    expect(config.serverMetadata().token_endpoint).toBe(`${other.deps.backchannelUrl}/oidc/acme/token`);
    expect(tokens.claims()?.iss).toBe(`${other.url}/oidc/acme`);
    await request(other.deps.backchannelUrl)
      .get('/oidc/acme/me')
      .auth(tokens.access_token, { type: 'bearer' })
      .expect(200);
  } finally {
    await other.close();
  }
});

test('returns an internal registration management URL to servers and a public one to pages', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { secret } = (await portal.call(createRegistrationToken, { body: { name: 'Clients' } }, { token })).body;
  const body = { redirect_uris: ['https://planner.test/callback'], client_name: 'Planner' };
  const reg = '/oidc/acme/reg';
  const made = await portal.http.post(reg).auth(secret, { type: 'bearer' }).send(body).expect(201);
  const { client_id: id, registration_client_uri: at, registration_access_token: access } = made.body;
  expect(at).toBe(`${INSIDE}${reg}/${id}`);
  const { pathname } = new URL(at);
  const again = await portal.http.get(pathname).auth(access, { type: 'bearer' }).expect(200);
  expect(again.body.registration_client_uri).toBe(at);
  const page = { authorization: `Bearer ${access}`, origin: 'http://localhost:8080' };
  expect((await portal.http.get(pathname).set(page).expect(200)).body.registration_client_uri).toBe(
    `${portal.url}${pathname}`,
  );
});

test("uses the same internal host for a space, with the space's port", async () => {
  const { body } = await portal.call(makeSpace, { body: {} }, { token: TOKEN });
  const { port } = new URL(body.url);
  const discovery = await request(body.url).get(PATH).expect(200);
  expect(discovery.body).toMatchObject({
    issuer: `${body.url}/oidc/acme`,
    token_endpoint: `http://portal.internal:${port}/oidc/acme/token`,
  });
});

test('requires the lab token if the portal has an internal URL', async () => {
  expect((await portal.http.get('/api/lab/clock')).status).toBe(403);
  expect((await portal.http.get('/api/lab/clock').auth(TOKEN, { type: 'bearer' })).status).toBe(200);
});
