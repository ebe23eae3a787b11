import { bulkInviteLive, LIVE_PROTOCOL, listActivity, listSessions } from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Config } from '#config.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { setOrganisation } from '#testing/device.ts';
import { approveQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const LAB = { labToken: 'a-token-of-the-lab' };
const BEHIND_PROXY = { ...LAB, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] };
const [OFFICE, CAFE] = ['203.0.113.7', '198.51.100.9'];
const ADMIN = 'super.admin@acme.test';

const from = (address: string) => ({ 'x-forwarded-for': address });

let portal: TestPortal;
async function open(config: Partial<Config>) {
  portal = await testPortal({ config });
}
afterEach(() => portal.close());

/** Returns the HTTP status of an upgrade request. */
function upgrade(path: string, headers: Record<string, string>, protocols: string[] = []): Promise<number> {
  return new Promise((done) => {
    const socket = new WebSocket(`${portal.url.replace('http', 'ws')}${path}`, protocols, { headers });
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => done(statusCode));
    socket.once('open', () => {
      socket.terminate();
      done(101);
    });
  });
}

/** Sends public writes, each with a different `X-Forwarded-For`, and returns their statuses. */
async function writes(addresses: readonly string[]): Promise<number[]> {
  const statuses = [];
  for (const address of addresses) {
    const { status } = await portal.http
      .post('/api/user/login')
      .set(from(address))
      .send({ orgCode: 'acme', mode: 'QID' });
    statuses.push(status);
  }
  return statuses;
}

/** Signs in through the proxy and returns the access token. */
async function signInFrom(address: string): Promise<string> {
  const post = (body: object) => portal.http.post('/api/user/login').set(from(address)).send(body);
  const { loginId, ...started } = (await post({ orgCode: 'acme', mode: 'QID' })).body;
  const exchangeToken = await approveQr(portal, portal.device(ADMIN), { loginId, ...started });
  return (await post({ loginId, exchangeToken })).body.token;
}

test('limits the rate per client behind a trusted proxy', async () => {
  await open({ ...BEHIND_PROXY, rateLimit: 2 });
  expect(await writes([OFFICE, OFFICE, OFFICE, CAFE, CAFE])).toEqual([200, 200, 429, 200, 200]);
});

// covers: security T11, security 4.1.3
test('ignores X-Forwarded-For from untrusted peers', async () => {
  await open({ ...LAB, rateLimit: 2, trustedProxies: ['10.0.0.0/8'] });
  expect(await writes([OFFICE, CAFE, OFFICE, CAFE])).toEqual([200, 200, 429, 429]);
});

test('ignores addresses that a client prepends to X-Forwarded-For', async () => {
  await open({ ...BEHIND_PROXY, rateLimit: 2 });
  const forged = ['1.1.1.1', '2.2.2.2', '127.0.0.1', 'nonsense'].map((claimed) => `${claimed}, ${OFFICE}`);
  expect(await writes(forged)).toEqual([200, 200, 429, 429]);
  // With two trusted proxies in a row, the client's address is the one that the first proxy saw.
  expect(await writes([`${CAFE}, 10.1.2.3`, `${CAFE}, 10.1.2.3`, `${CAFE}, 10.9.9.9`])).toEqual([200, 200, 429]);
});

test.each(['unknown', `${OFFICE}:1234`, '_hidden'])(
  'refuses requests from a trusted proxy that forwards "%s"',
  async (address) => {
    await open(BEHIND_PROXY);
    const { status, body } = await portal.http.get('/api/health').set(from(address));
    expect({ status, message: body.message }).toMatchObject({
      status: 400,
      message: expect.stringContaining('must send IP addresses without ports'),
    });
  },
);

// covers: security 15.3.4
test('checks the forwarded address against allowed IPs in API, OIDC, SAML, SCIM and sockets', async () => {
  await open(BEHIND_PROXY);
  const token = await signInFrom(OFFICE);
  setOrganisation(portal, 'acme', { allowedIps: JSON.stringify(['203.0.113.0/24']) });
  const directory = directoryOf(portal);
  for (const [headers, isIn] of [
    [from(OFFICE), true],
    [from(CAFE), false],
    [from(`${OFFICE}, ${CAFE}`), false],
    [{}, false],
  ] satisfies [Record<string, string>, boolean][]) {
    const get = (path: string) => portal.http.get(path).set(headers);
    const answers = {
      api: await get('/api/profile').auth(token, { type: 'bearer' }),
      oidc: await get('/oidc/acme/auth'),
      saml: await get('/saml/acme/expenses/sso'),
      scim: await directory.get('/Users?count=1', headers),
    };
    const closed = Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status === 403]));
    expect(closed).toEqual({ api: !isIn, oidc: !isIn, saml: !isIn, scim: !isIn });
    const socket = `${bulkInviteLive.path}?uploadId=upload-1`;
    expect(await upgrade(socket, headers, [LIVE_PROTOCOL, `bearer.${token}`])).toBe(isIn ? 101 : 403);
  }
});

test('records the forwarded address in sessions and the audit trail', async () => {
  await open(BEHIND_PROXY);
  const token = await signInFrom(OFFICE);
  const { sessions } = (await portal.call(listSessions, { query: {} }, { token })).body;
  expect(sessions.map(({ ip }) => ip)).toContain(OFFICE);
  const made = portal.http.post('/api/org/registration-tokens').set(from(CAFE)).auth(token, { type: 'bearer' });
  expect((await made.send({ name: 'CI' })).status).toBe(200);
  const { Items } = (await portal.call(listActivity, { query: {} }, { token })).body;
  expect(Items.map(({ actor }) => actor.ip)).toContain(CAFE);
});

test('requires the lab token behind a trusted proxy, whatever address the proxy forwards', async () => {
  await open({ trustedProxies: ['127.0.0.1'] });
  for (const headers of [{}, from('127.0.0.1'), from('::1'), { 'x-lab-ip': OFFICE }]) {
    const path = 'x-lab-ip' in headers ? '/api/health' : '/api/lab/clock';
    expect((await request(portal.url).get(path).set(headers)).status).toBe(403);
  }
});

test('replaces the forwarded address with x-lab-ip if the lab token is sent', async () => {
  await open({ ...BEHIND_PROXY, rateLimit: 1 });
  const ask = (address: string) =>
    portal.http
      .post('/api/user/login')
      .set({ ...from(OFFICE), 'x-lab-ip': address, 'x-lab-token': LAB.labToken })
      .send({ orgCode: 'acme', mode: 'QID' });
  expect([(await ask(CAFE)).status, (await ask('203.0.113.8')).status, (await ask(CAFE)).status]).toEqual([
    200, 200, 429,
  ]);
});

// covers: security 4.1.3
test("ignores forwarded hosts and protocols when building the portal's URLs", async () => {
  await open(BEHIND_PROXY);
  const forwarded = {
    ...from(OFFICE),
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'for=1.1.1.1;host=evil.example;proto=https',
  };
  const texts = await Promise.all(
    [
      '/oidc/acme/.well-known/openid-configuration',
      '/oidc/acme/auth?client_id=team-wiki',
      '/saml/acme/expenses/sso',
    ].map(async (path) => {
      const { text, headers } = await portal.http.get(path).set(forwarded).redirects(0);
      return `${text}${JSON.stringify(headers)}`;
    }),
  );
  expect(texts[0]).toContain(`"issuer":"${portal.url}/oidc/acme"`);
  expect(texts.join()).not.toContain('evil.example');
});
