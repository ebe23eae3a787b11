import { contract, defineWorld, loginLive } from 'orchestrate/contract';
import { connectPortal, explainFailures, type Portal, startPortal } from 'orchestrate/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

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
explainFailures(() => portal, { afterEach, failOnUnused: false });

/** Starts a sign-in with a QR code or with a push that shows a number. */
const begin = async (mode: 'QID' | 'PUSH', name = email) => {
  const { loginId } = await portal.call(contract.session.login, { body: { orgCode: 'acme', mode, primaryAttr: name } });
  return loginId;
};
const code = () => begin('QID');
const push = () => begin('PUSH');
const stateOf = async (loginId: string) =>
  (await portal.call(contract.session.loginState, { params: { loginId } })).state;
/** Waits until the browser receives one of the given states. */
const stateIn = async (loginId: string, states: string[]) => {
  const live = await portal.open(loginLive, { loginId });
  for (;;) {
    const { state } = await live.next();
    if (!states.includes(state)) continue;
    live.close();
    return state;
  }
};
/** Signs up a new user, who receives a code by email. */
const signUp = (newcomer: string) =>
  portal.call(contract.session.signUp, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email: newcomer } });

describe('simulated phones', () => {
  test('choose the wrong number in a push', async () => {
    await portal.policy({ match: { email }, answer: 'approve', number: 'wrong' });
    expect(await stateIn(await push(), ['rejected', 'success'])).toBe('rejected');
  });

  test('choose the wrong number in the next push only', async () => {
    const refused = await portal.approve(await push(), { as: email, number: 'wrong' });
    expect(refused.resultName).toBe('INVALID_VALIDATION_CODE');
  });

  test('open a code without responding', async () => {
    await portal.policy({ match: { email }, answer: 'ignore', opens: true });
    expect(await stateIn(await code(), ['pending', 'success'])).toBe('pending');
  });

  test('send an invalid response to the next request only', async () => {
    await portal.policy({ match: { email }, answer: 'approve', opens: true, lie: 'wrong-key', times: 1 });
    const loginId = await code();
    expect(await stateIn(loginId, ['pending', 'success'])).toBe('pending');
    expect((await portal.policies()).policies).toEqual([]);
  });

  test('deny a pending request with a reason', async () => {
    const loginId = await push();
    await portal.deny(loginId, { as: email, reason: 'not-me' });
    expect(await stateOf(loginId)).toBe('rejected');
  });

  test('stop responding', async () => {
    await portal.policy({ match: { org: 'acme', kind: 'login' }, answer: 'deny' });
    await portal.clearPolicies();
    expect(await stateOf(await push())).toBe('pending');
  });
});

describe('people', () => {
  test('lose their session when an administrator ends it', async () => {
    const { token: own, refreshToken } = await portal.session({ email });
    const { token } = await portal.session({ email: 'super.admin@acme.test' });
    await portal.call(contract.session.end, { body: { suid, what: 'all' } }, { token });
    const ended = { status: 401, resultName: 'INVALID_SESSION' };
    await expect(portal.call(contract.session.getProfile, {}, { token: own })).rejects.toMatchObject(ended);
    await expect(portal.call(contract.session.refresh, { body: { refreshToken } })).rejects.toMatchObject(ended);
  });

  test('have the role and devices that the test sets', async () => {
    const admin = await portal.person({ org: 'acme', role: 'HELPDESK_ADMIN', devices: [{}, { type: 'desktop' }] });
    expect(admin.devices).toHaveLength(2);
    const changed = await portal.person({ org: 'acme', email, role: 'HELPDESK_ADMIN' });
    expect(changed).toMatchObject({ suid, role: 'HELPDESK_ADMIN', status: 'active' });
    const manager = 'super.admin@acme.test';
    const managed = await portal.person({ org: 'acme', email, status: 'inactive', manager });
    expect(managed).toMatchObject({ role: 'HELPDESK_ADMIN', status: 'inactive', manager });
    expect(await portal.person({ org: 'acme', status: 'invited' })).toMatchObject({ devices: [] });
  });

  test('use an application that the test adds and changes', async () => {
    const redirectUris = ['http://localhost:8080/back'];
    const { oidc } = await portal.application({ org: 'acme', name: 'Shop', oidc: { redirectUris } });
    expect(oidc).toMatchObject({ clientId: 'shop', redirectUris, issuer: `${portal.url}/oidc/acme` });
    const claims = [{ name: 'plan', value: 'pro' }];
    await portal.application({ org: 'acme', id: 'shop', oidc: { claims } });
    const { idToken = '' } = await portal.tokens({ client: 'shop', as: email });
    const { documents } = await portal.inspect({ token: idToken });
    expect(documents.map(({ text }) => text).join()).toContain('"plan": "pro"');
  });

  test('can call any endpoint with a session created without signing in', async () => {
    const { token, storageState } = await portal.session({ email: 'super.admin@acme.test' });
    const { devices } = await portal.call(contract.people.get, { query: { suid } }, { token });
    expect(devices).toHaveLength(1);
    expect(storageState.origins[0]?.origin).toBe(portal.url);
  });

  test('come from your own world', async () => {
    await portal.reset({ seed: { organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }] }] } });
    expect((await portal.session({ email: 'peter@initech.test' })).orgId).toBe('initech');
    await portal.reset({ seed: 'demo' });
  });
});

describe('applications', () => {
  const secret = 'known to this test';
  const redirectUris = ['http://localhost:8080/callback'];
  const shop = defineWorld({
    organisations: [
      { code: 'initech', applications: [{ id: 'shop', type: 'oidc', oidc: { redirectUris, secrets: [{ secret }] } }] },
    ],
  });
  const tv = defineWorld({
    organisations: [{ code: 'initech', applications: [{ id: 'tv', type: 'oidc', oidc: { kind: 'native' } }] }],
  });
  const post = async (path: string, form: Record<string, string>) =>
    (await fetch(`${portal.url}/oidc/initech${path}`, { method: 'POST', body: new URLSearchParams(form) })).json();

  test('have the IDs and secrets you set', async () => {
    await portal.reset({ seed: shop });
    const code = { grant_type: 'authorization_code', code: 'none', redirect_uri: redirectUris[0] ?? '' };
    const known = { ...code, client_id: 'shop', client_secret: secret };
    expect(await post('/token', known)).toMatchObject({ error: 'invalid_grant' });
    expect(await post('/token', { ...known, client_secret: 'guessed' })).toMatchObject({ error: 'invalid_client' });
    await portal.reset({ seed: tv });
    expect(await post('/device-authorization', { client_id: 'tv', scope: 'openid' })).toMatchObject({
      expires_in: 600,
      interval: 5,
    });
    await portal.reset({ seed: 'demo' });
  });
});

describe('protocols', () => {
  const post = (path: string) => fetch(`${portal.url}${path}`, { method: 'POST', body: new URLSearchParams() });

  test('return protocol errors', async () => {
    await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError: 'invalid_grant' } });
    expect(await (await post('/oidc/acme/token')).json()).toMatchObject({ error: 'invalid_grant' });
    await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError: 'slow_down' }, times: 3 });
    expect(await (await post('/oidc/acme/token')).json()).toMatchObject({ error: 'slow_down' });
    await portal.clearFaults();
    await portal.fault({
      match: { path: '/scim/v2/acme/Users' },
      answer: { scim: { status: 409, scimType: 'uniqueness' } },
    });
    expect((await post('/scim/v2/acme/Users')).status).toBe(409);
  });

  test('publish a new key and withdraw the previous key', async () => {
    const { token } = await portal.session({ email: 'super.admin@acme.test' });
    const published = async () => (await fetch(`${portal.url}/oidc/acme/jwks`)).text();
    await published();
    const { signingKeys } = await portal.call(
      contract.applications.createSigningKey,
      { body: { alg: 'RS256' } },
      { token },
    );
    const [{ kid } = { kid: '' }] = signingKeys.filter(({ alg, isSigning }) => alg === 'RS256' && !isSigning);
    expect(await published()).toContain(kid);
    await portal.call(contract.applications.deleteSigningKey, { params: { kid } }, { token });
    expect(await published()).not.toContain(kid);
  });

  test('issue invalid tokens and assertions on request', async () => {
    await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { token: 'wrong-nonce' } });
    await portal.fault({ match: { path: '/saml/acme/travel-desk/sso' }, answer: { assertion: 'unsigned' } });
    expect((await portal.faults()).faults).toHaveLength(2);
  });

  test('return a result for a magic address', async () => {
    await expect(begin('PUSH', 'user-inactive@magic.test')).rejects.toMatchObject({ resultName: 'USER_INACTIVE' });
    await expect(begin('PUSH', 'ratelimited@magic.test')).rejects.toMatchObject({ status: 429 });
  });

  test('accept requests from a simulated IP address', async () => {
    await fetch(new URL('/api/profile', portal.url), { headers: { 'x-lab-ip': '203.0.113.7' } });
    expect(await portal.journal({ path: '/api/profile' })).toMatchObject([{ ip: '203.0.113.7' }]);
  });
});

describe('time', () => {
  test('can be frozen or set', async () => {
    await portal.clock({ mode: 'frozen' });
    await portal.clock({ freezeAt: '2030-01-01T00:00:00Z' });
    await portal.clock({ advance: '1h 30m' });
    expect((await portal.clock()).now).toBe('2030-01-01T01:30:00.000Z');
    await portal.clock({ mode: 'real' });
  });

  test('can also apply to tokens issued to other programs', async () => {
    await portal.clock({ freezeAt: '2030-01-01T00:00:00Z', tokens: 'lab' });
    expect(await portal.clock()).toMatchObject({ tokens: 'lab' });
  });

  test('can be restored from a snapshot', async () => {
    const before = await portal.snapshot();
    await portal.person({ org: 'acme', email: 'ada@acme.test' });
    await before.restore();
    expect((await portal.people({ email: 'ada@acme.test' })).total).toBe(0);
  });
});

describe('activity', () => {
  test('appears in the outbox', async () => {
    await signUp('ada@acme.test');
    const [mail] = await portal.outbox({ to: 'ada@acme.test', wait: 5 });
    expect(mail?.code).toMatch(/^\d{6}$/);
    await portal.emptyOutbox({ to: 'ada@acme.test' });
    expect(await portal.outbox({ to: 'ada@acme.test' })).toEqual([]);
  });

  test('shows that all faults and policies fired', async () => {
    await portal.policy({ match: { email }, answer: 'deny' });
    expect((await portal.unused()).policies).toHaveLength(1);
    await stateIn(await push(), ['rejected']);
    expect(await portal.unused()).toMatchObject({ messages: [] });
  });

  test('can be counted', async () => {
    await push();
    await portal.verify({ path: '/api/user/login', atLeast: 1, atMost: 2 });
    await portal.verify({ path: '/api/user/login', body: { mode: 'PUSH' }, count: 1 });
    await portal.verify({ kind: 'socket', path: '/ws/login', direction: 'opened', count: 0 });
    await expect(portal.verify({ path: '/api/user/login', count: 2 })).rejects.toThrow('found it once');
  });

  test('can be counted for one organisation, starting after an entry', async () => {
    await push();
    const seq = (await portal.journal({ limit: 1 })).at(-1)?.seq;
    await portal.verify({ path: '/api/user/login', org: 'acme', after: seq, count: 0 });
    const misspelt = portal.verify({ path: '/api/user/login', body: { moed: 'PUSH' }, count: 0 });
    await expect(misspelt).rejects.toThrow('Did you mean mode?');
  });

  test('can be listed', async () => {
    await signUp('ada@acme.test');
    expect(await portal.journal({ kind: 'message', email: 'ada@acme.test' })).toHaveLength(1);
    expect(await portal.journal({ path: '/api/user/login/*' })).toHaveLength(0);
  });

  test('rejects a fault with a misspelt path', async () => {
    const misspelt = portal.fault({ match: { path: '/api/profil' }, answer: { status: 500 } });
    await expect(misspelt).rejects.toThrow('Did you mean /api/profile?');
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 } });
    await portal.clearFaults({ path: '/api/profile' });
    expect(await portal.faults()).toMatchObject({ faults: [], fired: [] });
  });
});

describe('portals', () => {
  test('run side by side, one per worker', async () => {
    const before = await portal.snapshot();
    await using space = await portal.space({ name: 'worker 1', from: before.snapshotId });
    await space.clock({ advance: '1d' });
    expect((await portal.clock()).mode).toBe('real');
    expect((await space.session({ email })).profile.email).toBe(email);
  });

  test('run on another host', async () => {
    const elsewhere = connectPortal({ url: portal.url, labToken: process.env.LAB_TOKEN });
    expect((await elsewhere.session({ email })).profile.email).toBe(email);
  });

  test('start with settings from the environment', async () => {
    const env = { CORS_ORIGINS: 'http://localhost:5173' };
    await using other = await startPortal({ seed: 'none', now: '2030-01-01T00:00:00Z', env });
    const answer = await fetch(`${other.url}/api/health`, { headers: { origin: 'http://localhost:5173' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect((await other.clock()).now).toBe('2030-01-01T00:00:00.000Z');
  });
});
