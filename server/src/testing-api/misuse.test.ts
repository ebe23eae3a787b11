import { contract, loginLive } from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Portal } from './portal.ts';
import { startPortal } from './start-portal.ts';

let portal: Portal;
let email: string;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(async () => {
  await portal.reset();
  ({ email } = await portal.person({ org: 'acme' }));
});
afterAll(() => portal.close());

const begin = async () => (await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } })).loginId ?? '';

test('names the call, the status and the result of a refusal', async () => {
  const sentence = 'Please sign in.';
  await expect(portal.call(contract.getProfile, {})).rejects.toMatchObject({
    name: 'PortalRefusal',
    status: 401,
    resultName: 'UNAUTHORIZED',
    message: `GET /api/profile → 401 UNAUTHORIZED (28): ${sentence}`,
    sentence,
  });
  await expect(portal.open(loginLive, { loginId: 'nothing' })).rejects.toThrow(/^GET \/ws\/login → 404 \w+ \(\d+\): /);
});

test.each<[string, (of: { portal: Portal; loginId: string }) => Promise<unknown>]>([
  ['org', (of) => of.portal.person({ org: 'acm' })],
  ['role', (of) => of.portal.person({ org: 'acme', role: 'HELPDESK_ADMNI' })],
  ['email', (of) => of.portal.session({ email: 'nobody@acme.test' })],
  ['as', (of) => of.portal.approve(of.loginId, { as: 'nobody@acme.test' })],
  ['as', (of) => of.portal.deny(of.loginId, { as: 'nothing' })],
  ['loginId', (of) => of.portal.approve('nothing', { as: email })],
  ['match.email', (of) => of.portal.policy({ match: { email: 'nobody@acme.test' }, answer: 'deny' })],
  ['match.zid', (of) => of.portal.policy({ match: { zid: 'nothing' }, answer: 'deny' })],
  ['match.org', (of) => of.portal.policy({ match: { org: 'acm' }, answer: 'deny' })],
  ['zid', (of) => of.portal.clearPolicies({ zid: 'nothing' })],
  [
    'match.email',
    (of) => of.portal.fault({ match: { path: '/api/profile', email: 'nobody@acme.test' }, answer: { status: 500 } }),
  ],
  ['match.path', (of) => of.portal.fault({ match: { path: '/oidc/acm/token' }, answer: { status: 500 } })],
  ['email', (of) => of.portal.verify({ email: 'nobody@acme.test', count: 0 })],
  ['application', (of) => of.portal.verify({ kind: 'exchange', application: 'nothing', count: 0 })],
])('names the field %s in the refusal of an unknown name', async (field, control) => {
  const loginId = await begin();
  const refusal = await control({ portal, loginId }).catch((reason: unknown) => reason);
  expect(refusal).toMatchObject({ issues: [{ path: field }], message: expect.stringContaining(`: ${field}: `) });
});

test('stops waiting for a message after a timeout and reports the last state', async () => {
  const live = await portal.open(loginLive, { loginId: await begin() });
  await expect(live.next({ timeout: 5_000 })).resolves.toMatchObject({ state: 'init' });
  await expect(live.next({ timeout: 20 })).rejects.toThrow(
    'No message arrived on /ws/login within 20 ms. The last state was init.',
  );
  await expect(live.next({ timeuot: 20 } as never)).rejects.toThrow('live.next has no option timeuot');
  await expect(live.next({ timeout: 0 })).rejects.toThrow('expects a timeout');
  const next = live.next({ timeout: 5_000 });
  await portal.reset();
  await expect(next).rejects.toThrow(/closed: \d{4}.*\. The last state was init\./);
  await expect(live.next()).rejects.toThrow('The last state was init.');
});

test('empties the outbox of one recipient', async () => {
  for (const newcomer of ['ada@acme.test', 'bob@acme.test']) {
    await portal.call(contract.signup, {
      body: { orgCode: 'acme', firstName: 'New', lastName: 'Comer', email: newcomer },
    });
  }
  expect(await portal.emptyOutbox({ to: 'ADA@acme.test' })).toBe(1);
  expect(await portal.outbox({ to: 'ada@acme.test' })).toEqual([]);
  expect(await portal.outbox({ to: 'bob@acme.test' })).toHaveLength(1);
  expect(await portal.emptyOutbox({ to: 'ada@acme.test' })).toBe(0);
  await portal.emptyOutbox();
  expect(await portal.outbox()).toEqual([]);
});

test('rejects arguments that a method doesn’t accept', async () => {
  const extra = { to: 'ada@acme.test' };
  const { url: _url, ca: _ca, ...methods } = portal;
  for (const [name, method] of Object.entries(methods)) {
    const call = () => (method as (...given: unknown[]) => unknown)(...Array.from({ length: 4 }, () => extra));
    expect(call, name).toThrow(`portal.${name} expects `);
  }
  expect(() => (portal.emptyJournal as (query: object) => unknown)(extra)).toThrow('expects no arguments, not 1');
  const people = await Promise.all(
    ['map-1@acme.test', 'map-2@acme.test'].map((one) => ({ org: 'acme', email: one })).map(portal.person),
  );
  expect(people).toHaveLength(2);
  const snapshot = await portal.snapshot();
  expect(() => (snapshot.restore as (to: string) => unknown)('before')).toThrow(
    'snapshot.restore expects no arguments',
  );
  const browser = portal.browser();
  expect(() => (browser.open as (...given: unknown[]) => unknown)('/', {}, 'as')).toThrow('expects 2 arguments, not 3');
  expect(() => portal.browser({ answer: 'deny' })).toThrow('requires as');
  await expect(portal.people('acme' as never)).rejects.toThrow('expects an object, not a string');
  await expect(portal.outbox({ too: 'ada@acme.test' } as never)).rejects.toThrow('Did you mean to?');
});

test('lists controls that have not fired', async () => {
  await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 }, times: 2 });
  await portal.fault({ match: { path: '/api/health' }, answer: { status: 503 }, times: 2 });
  await portal.policy({ match: { email }, answer: 'approve', opens: true });
  await portal.policy({ match: { org: 'acme' }, answer: 'deny', times: 5 });
  await portal.socketFault({ channel: 'verbal', do: 'cut' });
  await portal.socketFault({ channel: 'login', do: 'duplicate', times: 2 });
  await portal.webhookFault({ do: 'drop' });
  await portal.outboxFault({ smtp: 451, times: 2 });
  const unused = await portal.unused();
  expect([unused.faults.length, unused.policies.length, unused.socketFaults.length]).toEqual([2, 2, 2]);
  expect([unused.webhookFaults.length, unused.outboxFaults.length]).toEqual([1, 1]);

  await expect(portal.call(contract.health, {})).rejects.toMatchObject({ status: 503 });
  await portal.open(loginLive, { loginId: await begin() });
  await expect(portal.verify({ path: '/api/refresh' })).rejects.toThrow('/api/profile');
  expect(await portal.unused()).toMatchObject({
    faults: [{ match: { path: '/api/profile' }, times: 2 }],
    policies: [{ match: { org: 'acme' } }],
    socketFaults: [{ channel: 'verbal' }],
    messages: [
      expect.stringMatching(/^The fault .* has not fired: .*\.$/),
      expect.stringMatching(/^The policy .* has not answered any request\b.*\.$/),
      expect.stringMatching(/^The socket fault .* has not fired: .*\.$/),
      expect.stringMatching(/^The webhook fault .* has not fired: .*\.$/),
      expect.stringMatching(/^The outbox fault .* has not fired: .*\.$/),
    ],
  });
  await portal.clearFaults();
  await portal.clearPolicies();
  await portal.clearSocketFaults();
  await portal.clearWebhookFaults();
  await portal.clearOutboxFaults();
  expect(await portal.unused()).toMatchObject({ faults: [], policies: [], socketFaults: [], messages: [] });
});

test('explains why a fault or policy has not fired', async () => {
  const [path, token] = ['/api/user/login', '/oidc/acme/token'];
  await portal.fault({ match: { path: '/api/refresh' }, answer: { status: 500 } });
  await portal.fault({ match: { path: '/oidc/acme/me', method: 'POST' }, answer: { status: 500 } });
  await portal.fault({ match: { path, email }, answer: { status: 500 } });
  await portal.fault({ match: { path }, answer: { status: 500 }, after: 3 });
  await portal.fault({ match: { path: token }, answer: { token: 'expired' } });
  await portal.fault({ match: { path: token }, answer: { fields: { client_info: 'x' } } });
  await portal.policy({ match: { email, kind: 'app-login' }, answer: 'approve', opens: true });
  await portal.policy({ match: { email, kind: 'login' }, answer: 'approve' });
  await begin();
  for (const address of [token, '/oidc/acme/me']) {
    await fetch(portal.url + address, { method: address === token ? 'POST' : 'GET' });
  }
  expect((await portal.unused()).messages.map((message) => message.replace(/^The .*? has not /, ''))).toEqual([
    'fired: no request to /api/refresh has arrived since it was set.',
    'fired: requests to /oidc/acme/me arrived with GET, not with POST.',
    `fired: no request to ${path} came from ${email} or named this address.`,
    'fired: it skips the first 3 requests, and only 1 arrived.',
    'fired: all responses were errors (401), without an ID token (which requires a user and the scope openid).',
    'fired: all responses were errors (401), without an access token.',
    'answered any request: requests were of the kind login.',
    'answered any request: the requests were codes, which phones only scan with opens: true.',
  ]);
});

test('explains why a token fault, a socket fault or a delivery fault has not fired', async () => {
  const [admin, secret] = ['ada@acme.test', 'a-secret-of-a-service-client'];
  const job = { id: 'job', type: 'oidc' as const, oidc: { kind: 'machine' as const, secrets: [{ secret }] } };
  const space = await portal.space({
    seed: {
      organisations: [{ code: 'acme', people: [{ email: admin, role: 'SUPER_ADMIN' }], applications: [job] }],
    },
  });
  const { token } = await space.session({ email: admin });
  const hook = { url: `${space.url}/hook`, events: ['member.paused' as const] };
  const { webhook } = await space.call(contract.createWebhook, { body: hook }, { token });
  await space.fault({ match: { path: '/oidc/acme/token' }, answer: { token: 'expired' } });
  await space.socketFault({ channel: 'login', do: 'cut', state: 'success' });
  await space.webhookFault({ do: 'delay', ms: 1_000 });
  await space.outboxFault({ smtp: 451, to: admin });
  await fetch(`${space.url}/oidc/acme/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'job', client_secret: secret }),
  });
  await space.forge(webhook.id, { type: 'member.paused' });
  const { loginId = '' } = await space.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
  await (await space.open(loginLive, { loginId })).next();
  expect((await space.unused()).messages.map((message) => message.replace(/^The .*? has not /, ''))).toEqual([
    'fired: no response had an ID token (which requires a user and the scope openid).',
    'fired: no message on the channel login had the state success.',
    "fired: only tests or forged deliveries were sent, which this fault doesn't affect.",
    'fired: no email has been sent since it was set.',
  ]);
  await space.close();
});
