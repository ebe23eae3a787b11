import { contract, loginLive } from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Portal } from './portal.ts';
import { startPortal } from './start-portal.ts';

const ADMIN = 'super.admin@acme.test';

let portal: Portal;
let email: string;
let suid: string;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(async () => {
  await portal.reset();
  ({ email, suid } = await portal.person({ org: 'acme' }));
});
afterAll(() => portal.close());

/** Headers that affect clients. */
const HEADERS = ['content-type', 'cache-control', 'location', 'retry-after', 'www-authenticate'];

/** Returns what a client sees of a response, without the request ID and the text for developers. */
async function seen(response: Response) {
  const headers = [...response.headers].filter(([name]) => HEADERS.includes(name));
  const { requestId: _, error_description: __, detail: ___, ...body } = Object(await response.json());
  return { status: response.status, headers, body };
}
const ask = async (path: string, init: RequestInit = {}) => seen(await fetch(portal.url + path, init));
const asJson = (body: object, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const signIn = (primaryAttr = email) => ask('/api/user/login', asJson({ orgCode: 'acme', mode: 'PUSH', primaryAttr }));
const poll = (form: Record<string, string>) =>
  ask('/oidc/acme/token', { method: 'POST', body: new URLSearchParams(form) });
const asAdmin = async () => ({ token: (await portal.session({ email: ADMIN })).token });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

// Each test compares a line of the guide with the real situation that it simulates.
test('a simulated disabled account is refused like one that an administrator has paused', async () => {
  const simulated = await portal.person({ org: 'acme', status: 'inactive', devices: [{}] });
  const magic = await signIn('user-inactive@magic.test');
  await portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, await asAdmin());
  expect(await signIn(simulated.email)).toEqual(await signIn());
  expect(magic).toEqual(await signIn());
  const [one] = (await portal.people({ email })).people;
  expect(one?.status).toBe(simulated.status);
});

test('a simulated rejection of a token equals that of an unknown token', async () => {
  const { token } = await portal.session({ email });
  const real = await ask('/api/profile', bearer('unknown'));
  await portal.fault({ match: { path: '/api/profile' }, answer: { resultName: 'UNAUTHORIZED' } });
  expect(await ask('/api/profile', bearer(token))).toEqual(real);
});

test('a simulated rejection of an address equals that of an address outside the allowed ranges', async () => {
  await portal.fault({ match: { path: '/api/user/login' }, answer: { resultName: 'IP_NOT_VALID' } });
  const simulated = await signIn();
  const restricted = { code: 'acme', security: { allowedIps: ['203.0.113.0/24'] }, people: [{ email, devices: [{}] }] };
  await portal.reset({ seed: { organisations: [restricted] } });
  expect(simulated).toEqual(await signIn());
  await portal.reset({ seed: 'demo' });
});

test('a simulated 429 equals the response above the rate limit', async () => {
  await using limited = await startPortal({ env: { RATE_LIMIT: '1' } });
  const login = { orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' };
  let real = await seen(await fetch(`${limited.url}/api/user/login`, asJson(login)));
  for (let call = 0; call < 5 && real.status !== 429; call += 1)
    real = await seen(await fetch(`${limited.url}/api/user/login`, asJson(login)));
  const after = real.headers.find(([name]) => name === 'retry-after')?.[1] ?? '';
  await portal.fault({
    match: { path: '/api/user/login' },
    answer: { status: 429, headers: { 'retry-after': after } },
  });
  expect(await signIn()).toEqual(real);
  const { status, body } = await signIn('ratelimited@magic.test');
  expect([status, body.resultName]).toEqual([429, real.body.resultName]);
});

test.each(['invalid_grant', 'authorization_pending', 'slow_down', 'expired_token', 'access_denied'] as const)(
  'the simulated OAuth error %s equals the real one',
  async (oauthError) => {
    const people = [{ email, devices: [{}] }];
    const applications = [{ id: 'tv', type: 'oidc' as const, oidc: { kind: 'native' as const } }];
    await portal.reset({ seed: { organisations: [{ code: 'acme', people, applications }] } });
    const grant = 'urn:ietf:params:oauth:grant-type:device_code';
    const form = new URLSearchParams({ client_id: 'tv', scope: 'openid' });
    const started = Object(
      await (await fetch(`${portal.url}/oidc/acme/device-authorization`, { method: 'POST', body: form })).json(),
    );
    const polled = { grant_type: grant, client_id: 'tv', device_code: String(started.device_code) };
    if (oauthError === 'slow_down') await poll(polled);
    if (oauthError === 'expired_token') await portal.clock({ advance: '10m' });
    if (oauthError === 'access_denied') await deny(started.verification_uri_complete);
    const real = await poll(oauthError === 'invalid_grant' ? { ...polled, device_code: 'unknown' } : polled);
    expect(real.body.error).toBe(oauthError);
    await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError } });
    expect(await poll(polled)).toEqual(real);
  },
);

/** Cancels a device's request on its confirmation page. */
async function deny(address: string): Promise<void> {
  const browser = portal.browser();
  const { text, url } = await browser.open(address);
  const xsrf = /name="xsrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const code = new URL(address).searchParams.get('user_code') ?? '';
  await browser.open(new URL(url.pathname, url), { xsrf, user_code: code, abort: 'yes' });
}

test('a simulated SCIM conflict equals the response to a user name in use', async () => {
  const world = await portal.world();
  const { username = '', password = '' } =
    Object(world.organisations?.find(({ code }) => code === 'acme')).provisioning ?? {};
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const user = { schemas, userName: email, emails: [{ value: email }], name: { givenName: 'A', familyName: 'B' } };
  const create = () =>
    ask('/scim/v2/acme/Users', asJson(user, { authorization, 'content-type': 'application/scim+json' }));
  await create();
  const real = await create();
  expect(real.status).toBe(409);
  await portal.fault({
    match: { path: '/scim/v2/acme/Users' },
    answer: { scim: { status: 409, scimType: 'uniqueness' } },
  });
  expect(await create()).toEqual(real);
});

test('userinfo rejects a token issued as expired like one that has expired', async () => {
  const client = { client: 'team-wiki', as: 'user@acme.test' };
  const userinfo = (token: string) => fetch(`${portal.url}/oidc/acme/me`, bearer(token)).then(seen);
  await portal.clock({ mode: 'frozen', tokens: 'lab' });
  const short = await portal.tokens({ ...client, expiresIn: 5 });
  await portal.clock({ advance: '6s' });
  const { accessToken } = await portal.tokens({ ...client, tamper: 'expired' });
  expect(await userinfo(accessToken)).toEqual(await userinfo(short.accessToken));
});

test('a simulated restart closes a socket with the same code as a real restart', async () => {
  const follow = async (target: Portal) => {
    const { loginId = '' } = await target.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
    return target.open(loginLive, { loginId });
  };
  const restarted = await startPortal();
  const live = await follow(restarted);
  await live.next();
  await restarted.close();
  await portal.socketFault({ channel: 'login', do: 'close', code: 1001 });
  expect((await (await follow(portal)).closed).code).toBe((await live.closed).code);
});

test('a session that an administrator ended is refused like one that was signed out', async () => {
  const { token, refreshToken } = await portal.session({ email });
  await portal.call(contract.endSession, { body: { suid, what: 'all' } }, await asAdmin());
  const other = await portal.session({ email });
  await portal.call(contract.logout, { body: {} } as never, { token: other.token });
  const refreshed = (one: string) => ask('/api/refresh', asJson({ refreshToken: one }));
  expect(await ask('/api/profile', bearer(token))).toEqual(await ask('/api/profile', bearer(other.token)));
  expect(await refreshed(refreshToken)).toEqual(await refreshed(other.refreshToken));
});
