import { bulkInviteLive, LIVE_PROTOCOL, listSessions, login, loginLive, readFaults } from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Config } from '#config.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { setOrganisation } from '#testing/device.ts';
import { approveQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const TOKEN = 'a-token-of-the-lab';
const OFFICE = { 'x-lab-ip': '203.0.113.7' };
const CAFE = { 'x-lab-ip': '198.51.100.9' };
const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const allowOffice = () => setOrganisation(portal, 'acme', { allowedIps: JSON.stringify(['203.0.113.0/24']) });

/** Returns the HTTP status of a WebSocket upgrade. */
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

test('allows only the office addresses for the API, OIDC, SAML, SCIM and sockets', async () => {
  const { token } = await portal.signIn(ADMIN);
  const directory = directoryOf(portal);
  const channel = `${bulkInviteLive.path}?uploadId=upload-1`;
  allowOffice();
  for (const [headers, isIn] of [
    [OFFICE, true],
    [CAFE, false],
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
    expect(await upgrade(channel, headers, [LIVE_PROTOCOL, `bearer.${token}`])).toBe(isIn ? 101 : 403);
  }
});

test('shows the simulated address in the list of sessions', async () => {
  const { loginId, ...started } = (
    await portal.http.post('/api/user/login').set(CAFE).send({ orgCode: 'acme', mode: 'QID' })
  ).body;
  const exchangeToken = await approveQr(portal, portal.device(ADMIN), { loginId, ...started });
  const { body } = await portal.http.post('/api/user/login').set(OFFICE).send({ loginId, exchangeToken });
  const { sessions } = (await portal.call(listSessions, { query: {} }, { token: body.token })).body;
  expect(sessions.map(({ ip }) => ip)).toContain('203.0.113.7');
});

test('applies rate limits per simulated address', async () => {
  const limited = await testPortal({ config: { rateLimit: 2 } });
  try {
    const ask = (headers: Record<string, string>) =>
      request(limited.url).post('/api/user/login').set(headers).send({ orgCode: 'acme', mode: 'QID' });
    const statuses = [];
    for (const headers of [OFFICE, OFFICE, OFFICE, CAFE, { 'x-other': '' }]) statuses.push((await ask(headers)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200]);
  } finally {
    await limited.close();
  }
});

test.each(['', 'office', '127.1', '0x7f.1', '203.0.113.7, 198.51.100.9', '203.0.113.0/24', '::1::'])(
  'rejects "%s" as an address everywhere',
  async (address) => {
    const set = { 'x-lab-ip': address };
    const api = await portal.http.get('/api/health').set(set);
    expect(api.body).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path: 'x-lab-ip' }] });
    const scim = await portal.http.get('/scim/v2/acme/Users').set(set);
    expect(scim.body).toMatchObject({ status: '400', detail: expect.stringContaining('x-lab-ip') });
    const oidc = await portal.http.get('/oidc/acme/jwks').set(set);
    expect(oidc.body.error_description).toContain('x-lab-ip');
    const { loginId } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
    const statuses = [
      api.status,
      scim.status,
      oidc.status,
      (await portal.http.get('/saml/acme/expenses').set(set)).status,
      await upgrade(`${loginLive.path}?loginId=${loginId}`, set),
    ];
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
  },
);

test('supports IPv6 addresses', async () => {
  expect((await portal.http.get('/api/health').set({ 'x-lab-ip': '2001:db8::7' })).status).toBe(200);
});

test('requires the lab token in its own header on a publicly reachable portal', async () => {
  const elsewhere = await publicPortal({ labToken: TOKEN });
  try {
    const ask = (headers: Record<string, string>) =>
      request(elsewhere.url)
        .get('/api/health')
        .set({ ...OFFICE, ...headers });
    const refused = await ask({});
    expect(refused.body).toMatchObject({ resultName: 'FORBIDDEN' });
    const statuses = [];
    for (const headers of [
      ['x-lab-token', TOKEN],
      ['authorization', `Bearer ${TOKEN}`],
      ['x-lab-token', 'x'],
    ])
      statuses.push((await ask(Object.fromEntries([headers]))).status);
    expect([refused.status, ...statuses]).toEqual([403, 200, 200, 403]);
  } finally {
    await elsewhere.close();
  }
});

// covers: security 4.1.3
test('grants lab access based on the connection, not the header', async () => {
  const { status } = await portal.http.get('/api/lab/faults').set(OFFICE);
  expect([status, (await portal.call(readFaults, {})).status]).toEqual([200, 200]);
  const through = await portal.http.get('/api/health').set({ ...OFFICE, 'x-forwarded-for': '127.0.0.1' });
  expect(through.status).toBe(403);
});

// covers: security 4.1.3
test('ignores the header with LAB=off', async () => {
  const off = await publicPortal({ lab: false });
  try {
    expect((await request(off.url).get('/api/health').set(OFFICE)).status).toBe(200);
  } finally {
    await off.close();
  }
});

async function publicPortal(config: Partial<Config>) {
  const opened = await testPortal({ config: { host: '0.0.0.0', ...config } });
  return { url: opened.url, close: opened.close };
}
