import {
  addFault,
  bulkInviteLive,
  clearFaults,
  codeOf,
  emptyJournal,
  FAULTS_MAX,
  getOrgSettings,
  getProfile,
  health,
  login,
  loginState,
  makeSession,
  type ProgrammedFault,
  RESULT_NAMES,
  readFaults,
  readJournal,
  refresh,
  resultOf,
  verifyJournal,
} from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { withoutTimers } from '#testing/helpers.ts';
import { startTestPortal, type TestPortal, testPortal } from '#testing/test-portal.ts';

const lines: string[] = [];
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ onLog: (line) => lines.push(line) });
});
beforeEach(() => portal.call(clearFaults, { query: {} }));
afterAll(() => portal.close());

type Given = z.input<(typeof addFault)['body']>;
/** Adds a fault and asserts that it is accepted. */
async function fault(body: Given): Promise<void> {
  const { status, body: answer } = await portal.call(addFault, { body });
  expect(answer.issues).toBeUndefined();
  expect(status).toBe(200);
}

const HEALTH = { path: '/api/health' };
const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const RESERVED = RESULT_NAMES.filter((name) => name.startsWith('RESERVED'));

test('acceptance 4: forces every code once on an endpoint and rejects unknown codes', async () => {
  const email = 'user@acme.test';
  const { token } = await portal.signIn(email);
  const other = await portal.signIn('manager@acme.test');
  const match = { method: 'GET' as const, path: '/api/profile', email, org: 'acme' };
  for (const resultName of RESULT_NAMES.filter((name) => !RESERVED.includes(name))) {
    await fault({ match, answer: { resultName }, times: 1 });
    expect((await portal.call(getProfile, {}, { token: other.token })).body.resultCode).toBe(0);
    const { status, body } = await portal.call(getProfile, {}, { token });
    expect({ resultName, status, resultCode: body.resultCode }).toEqual({
      resultName,
      status: resultOf(resultName).status,
      resultCode: codeOf(resultName),
    });
    const next = await portal.call(getProfile, {}, { token });
    expect(next).toMatchObject({ status: 200, body: { resultCode: 0, profile: { email } } });
  }
  const unknown = { match, answer: { resultName: 'EXPIERD' } } as unknown;
  expect((await portal.call(addFault, { body: unknown as Given })).status).toBe(400);
});

test('returns 429 with the portal’s usual body and Retry-After', async () => {
  await fault({ match: HEALTH, answer: { status: 429 } });
  const { status, headers, body } = await portal.call(health, {});
  expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '60' });
  expect(body).toMatchObject({ resultName: 'BAD_REQUEST', message: 'Too many requests. Try again in 1 minute.' });
});

test.each([
  ['1', '1 second'],
  ['30', '30 seconds'],
  ['60', '1 minute'],
  ['120', '2 minutes'],
  ['7200', '2 hours'],
  ['Tue, 14 May 2030 08:00:05 GMT', '5 seconds'],
  ['Tue, 14 May 2030 07:59:00 GMT', '0 seconds'],
  ['soon', '1 minute'],
])('renders the Retry-After “%s” of a 429 fault as “%s” in the message', async (retryAfter, time) => {
  await portal.lab.clock({ freezeAt: '2030-05-14T08:00:00Z' });
  await fault({ match: HEALTH, answer: { status: 429, headers: { 'Retry-After': retryAfter } } });
  const { headers, body } = await portal.call(health, {});
  await portal.lab.clock({ mode: 'real' });
  expect(headers['retry-after']).toBe(retryAfter);
  expect(body).toMatchObject({ message: `Too many requests. Try again in ${time}.` });
});

test.each([{ status: 429 }, { scim: { status: 429 } }])(
  'returns 429 with Retry-After in the SCIM format: %o',
  async (answer) => {
    const path = '/scim/v2/acme/Users';
    await fault({ match: { path }, answer });
    const { status, headers, body } = await portal.http.get(path);
    expect({ status, retryAfter: headers['retry-after'], body }).toEqual({
      status: 429,
      retryAfter: '60',
      body: expect.objectContaining({ status: '429', detail: 'Too many requests. Try again in 1 minute.' }),
    });
  },
);

test.each(['authorization_pending', 'slow_down', 'expired_token'] as const)(
  'responds to a device token request with %s (RFC 8628 §3.5)',
  async (oauthError) => {
    await fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError } });
    const { status, body } = await portal.http.post('/oidc/acme/token').type('form').send('grant_type=x');
    expect({ status, error: body.error }).toEqual({ status: 400, error: oauthError });
  },
);

test('returns a status with a custom body and headers', async () => {
  await fault({
    match: HEALTH,
    answer: { status: 503, body: { down: true }, headers: { 'Retry-After': '7', 'X-From': 'test' } },
  });
  const json = await portal.http.get('/api/health');
  expect(json).toMatchObject({ status: 503, body: { down: true } });
  expect(json.headers).toMatchObject({ 'retry-after': '7', 'x-from': 'test' });
  await fault({ match: HEALTH, answer: { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } } });
  const page = await portal.http.get('/api/health');
  expect({ status: page.status, type: page.type, text: page.text }).toEqual({
    status: 200,
    type: 'text/html',
    text: '<html>',
  });
});

test.each(['/api/health', '/oidc/acme/jwks', '/scim/v2/acme/Users', '/saml/acme/continue', '/acme/sign-in'])(
  'overrides the server’s headers at %s',
  async (path) => {
    const headers = { 'Content-Type': 'text/html', 'cache-control': 'public, max-age=60', 'retry-after': '7' };
    await fault({ match: { path }, answer: { status: 503, headers } });
    const answer = await portal.http.get(path);
    expect({ status: answer.status, headers: answer.headers }).toMatchObject({
      status: 503,
      headers: { 'content-type': 'text/html', 'cache-control': 'public, max-age=60', 'retry-after': '7' },
    });
  },
);

test('delays the real response if only a delay is set', async () => {
  await fault({ match: HEALTH, answer: { delayMs: 120 } });
  const began = performance.now();
  const { status } = await portal.call(health, {});
  expect({ status, isLate: performance.now() - began >= 119 }).toEqual({ status: 200, isLate: true });
});

test('never responds to a hanging call', async () => {
  await fault({ match: HEALTH, answer: { hang: true } });
  const calling = fetch(`${portal.url}/api/health`, { signal: AbortSignal.timeout(150) });
  await expect(calling).rejects.toThrow('timeout');
  expect((await portal.call(health, {})).status).toBe(200);
});

test.each(['reset', 'restore'] as const)('ends hanging calls on %s and lets slow calls finish', async (how) => {
  await using other = await testPortal();
  const { restore } = await other.lab.snapshot();
  await other.lab.fault({ match: HEALTH, answer: { hang: true } });
  const hanging = expect(fetch(`${other.url}/api/health`)).rejects.toThrow('fetch failed');
  await expect.poll(async () => (await other.lab.faults()).fired).toHaveLength(1);
  await other.lab.fault({ match: HEALTH, answer: { delayMs: 50_000 } });
  const slow = fetch(`${other.url}/api/health`);
  await expect.poll(async () => (await other.lab.faults()).fired).toHaveLength(2);
  await (how === 'reset' ? other.lab.reset() : restore());
  await hanging;
  expect((await slow).status).toBe(200);
  expect((await fetch(`${other.url}/api/health`)).status).toBe(200);
});

test('closes a portal without waiting for a hanging call', async () => {
  const other = await startTestPortal();
  await other.lab.fault({ match: HEALTH, answer: { hang: true } });
  const received = new Promise((resolve) => other.app.server.once('request', resolve));
  const hanging = fetch(`${other.url}/api/health`);
  await received;
  // The call is hanging once the journal lists it.
  await expect.poll(() => other.lab.journal({ path: '/api/health', kind: 'fault' })).toHaveLength(1);
  const refused = expect(hanging).rejects.toThrow('fetch failed');
  await other.close();
  await refused;
});

test('closes a portal without waiting for a delayed response or leaving a timer', async () => {
  const other = await startTestPortal();
  await other.lab.fault({ match: HEALTH, answer: { delayMs: 50_000 } });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const slow = fetch(`${other.url}/api/health`);
  await expect.poll(() => other.lab.journal({ path: '/api/health', kind: 'fault' })).toHaveLength(1);
  const during = timers();
  await withoutTimers(() => other.close());
  expect((await slow).status).toBe(200);
  expect(timers()).toBeLessThan(during);
});

test('drops the connection before or in the middle of the response', async () => {
  await fault({ match: HEALTH, answer: { cut: true } });
  await expect(fetch(`${portal.url}/api/health`)).rejects.toThrow('fetch failed');
  await fault({ match: { path: '/.well-known/jwks.json' }, answer: { cut: 'body' } });
  const response = await fetch(`${portal.url}/.well-known/jwks.json`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  expect((await portal.http.get('/.well-known/jwks.json')).body.keys).toHaveLength(1);
});

test.each(['/scim/v2/acme/Users', '/oidc/acme/me', '/api/profile', '/saml/acme/continue'])(
  'doesn’t treat a truncated refusal of %s as a server error',
  async (path) => {
    lines.length = 0;
    await fault({ match: { path }, answer: { cut: 'body' } });
    const refused = await fetch(new URL(path, portal.url));
    expect(refused.ok).toBe(false);
    await expect(refused.text()).rejects.toThrow('terminated');
    await portal.call(health, {});
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);

test('recognises a person by their refresh token, also in the journal', async () => {
  const email = 'user@acme.test';
  const [one, other] = [await portal.signIn(email), await portal.signIn('manager@acme.test')];
  const use = ({ refreshToken }: { refreshToken: string }) => portal.call(refresh, { body: { refreshToken } });
  await fault({ match: { path: '/api/refresh', email }, answer: { status: 503 } });
  expect((await use(other)).status).toBe(200);
  expect((await use(one)).status).toBe(503);
  await portal.lab.verify({ path: '/api/refresh', email, status: 503, count: 1 });
  await portal.lab.verify({ path: '/api/refresh', email: 'manager@acme.test', org: 'acme', count: 1 });
});

test('matches only the configured person or organisation', async () => {
  const [one, other] = [await portal.signIn('user@acme.test'), await portal.signIn('manager@acme.test')];
  const match = { path: '/api/profile', email: 'user@acme.test' };
  await fault({ match, answer: { resultName: 'USER_INACTIVE' } });
  expect((await portal.call(getProfile, {}, { token: other.token })).body.resultCode).toBe(0);
  expect((await portal.call(getProfile, {}, { token: one.token })).body.resultName).toBe('USER_INACTIVE');
  await fault({ match: { path: '/api/user/login', org: 'globex' }, answer: { status: 500 } });
  expect((await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).status).toBe(200);
  expect((await portal.call(login, { body: { orgCode: 'globex', mode: 'QID' } })).status).toBe(500);
});

test('recognises a person by their phone, a pending request and a socket token', async () => {
  const email = 'user@acme.test';
  const { token } = await portal.signIn('super.admin@acme.test');
  const { loginId = '', qid = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
  await fault({ match: { path: '/api/authenticator/resolve', email }, answer: { resultName: 'EXPIRED' } });
  await expect(portal.authenticator.resolve(portal.device('manager@acme.test'), 'nothing')).rejects.toThrow();
  expect((await portal.call(readFaults, {})).body.faults).toHaveLength(1);
  await expect(portal.authenticator.resolve(portal.device(email), qid)).rejects.toMatchObject({
    resultName: 'EXPIRED',
  });
  await portal.authenticator.resolve(portal.device(email), qid);
  await fault({ match: { path: '/api/user/login/*', email }, answer: { status: 502 } });
  expect((await portal.call(loginState, { params: { loginId } })).status).toBe(502);
  await fault({ match: { path: '/ws/bulk-invite', email: 'super.admin@acme.test' }, answer: { status: 503 } });
  await expect(portal.open(bulkInviteLive, { uploadId: 'one' }, { token })).rejects.toMatchObject({ status: 503 });
});

test.each([
  ['the userName attribute', 'POST', '/Users', { schemas: [USER_SCHEMA], userName: 'User@acme.test' }],
  ['the ID in the path', 'PATCH', '/Users/{suid}', { schemas: [PATCH_SCHEMA], Operations: [] }],
  ['a filter', 'GET', '/Users?filter=userName%20eq%20%22user@acme.test%22', undefined],
] as const)('recognises a person in SCIM requests by %s', async (_, method, below, body) => {
  const [acme] = (await portal.lab.world()).organisations ?? [];
  const { username = '', password = '' } = acme?.provisioning ?? {};
  const ask = (suid: string) =>
    fetch(new URL(`/scim/v2/acme${below.replace('{suid}', suid)}`, portal.url), {
      method,
      headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const answer = { scim: { status: 503 } };
  await fault({ match: { path: '/scim/v2/acme/*', email: 'manager@acme.test' }, answer });
  await fault({ match: { path: '/scim/v2/acme/*', email: 'user@acme.test' }, answer });
  expect((await ask(portal.device('user@acme.test').suid)).status).toBe(503);
  expect((await portal.call(readFaults, {})).body.faults).toMatchObject([{ match: { email: 'manager@acme.test' } }]);
});

test('accepts a percent-encoded path', async () => {
  await fault({ match: { path: '/scim/v2/acme/Users/%C3%A9' }, answer: { scim: { status: 409 } } });
  expect((await portal.call(readFaults, {})).body.faults).toMatchObject([{ match: { path: '/scim/v2/acme/Users/é' } }]);
  expect((await portal.http.get('/scim/v2/acme/Users/%C3%A9')).status).toBe(409);
});

test('waits until the configured number of calls have passed', async () => {
  await fault({ match: HEALTH, answer: { status: 500 }, after: 2, times: 2 });
  const statuses = [];
  for (let call = 0; call < 5; call += 1) statuses.push((await portal.call(health, {})).status);
  expect(statuses).toEqual([200, 200, 500, 500, 200]);
});

test('can refuse the second call and the third call differently', { tags: 'whole' }, async () => {
  await fault({ match: HEALTH, answer: { status: 500 }, after: 1 });
  await fault({ match: { path: '/api/*' }, answer: { status: 503 }, after: 2 });
  await fault({ match: HEALTH, answer: { status: 502 } });
  const statuses = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await portal.call(health, {})).status);
  expect(statuses).toEqual([502, 500, 503, 200]);
});

test('lists pending and fired faults', async () => {
  const given: ProgrammedFault = { match: HEALTH, answer: { status: 500 }, times: 2, after: 0 };
  await fault(given);
  await portal.call(health, {});
  const { faults, fired } = (await portal.call(readFaults, {})).body;
  expect(faults).toEqual([{ ...given, times: 1 }]);
  expect(fired).toEqual([
    {
      id: expect.any(String),
      method: 'GET',
      path: '/api/health',
      at: expect.any(String),
      fault: given,
    },
  ]);
});

describe('faults on every path that the portal serves', () => {
  test.each([
    ['/docs', { status: 500 }, 500],
    ['/.well-known/jwks.json', { status: 503 }, 503],
    ['/acme/sign-in', { status: 502, body: 'Bad gateway' }, 502],
    ['/oidc/acme/.well-known/openid-configuration', { status: 500 }, 500],
    ['/saml/acme/travel-desk/metadata', { status: 500 }, 500],
    ['/scim/v2/acme/Users', { scim: { status: 409, scimType: 'uniqueness' } }, 409],
    ['/logos/acme', { status: 404 }, 404],
  ] as const)('apply to %s', async (path, answer, status) => {
    await fault({ match: { path }, answer });
    expect((await portal.http.get(path)).status).toBe(status);
    expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
  });

  test('return SCIM errors at SCIM endpoints', async () => {
    await fault({
      match: { path: '/scim/v2/:orgCode/Groups' },
      answer: { scim: { status: 400, scimType: 'tooMany' } },
    });
    const { status, type, body } = await portal.http.get('/scim/v2/acme/Groups');
    expect({ status, type }).toEqual({ status: 400, type: 'application/scim+json' });
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      scimType: 'tooMany',
      status: '400',
    });
  });

  test.each([
    ['POST', '/oidc/acme/token', 503, 'temporarily_unavailable'],
    ['POST', '/oidc/acme/token', 500, 'server_error'],
    ['POST', '/oidc/acme/token', 429, 'temporarily_unavailable'],
    ['POST', '/oidc/acme/token', 400, 'invalid_request'],
    ['POST', '/oidc/acme/token', 401, 'invalid_client'],
    ['GET', '/oidc/acme/me', 401, 'invalid_token'],
    ['POST', '/oidc/acme/reg', 503, 'temporarily_unavailable'],
    ['GET', '/.well-known/openid-configuration/oidc/acme', 502, 'server_error'],
  ] as const)('at %s %s with only the status %i return the OAuth error %s', async (method, path, status, error) => {
    await fault({ match: { path }, answer: { status } });
    const { headers, ...answer } = await fetch(new URL(path, portal.url), { method }).then(async (response) => ({
      headers: response.headers,
      status: response.status,
      body: await response.json(),
    }));
    expect(answer).toEqual({ status, body: { error, error_description: expect.any(String) } });
    expect(headers.get('www-authenticate')?.includes(error) ?? false).toBe(status === 401);
    expect(headers.get('retry-after')).toBe(status === 429 ? '60' : null);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['invalid_token', 401],
    ['insufficient_scope', 403],
  ] as const)('send the Bearer scheme in WWW-Authenticate for %s with HTTP %i', async (oauthError, status) => {
    await fault({ match: { path: '/oidc/acme/me' }, answer: { oauthError } });
    const { status: answered, headers } = await portal.http.get('/oidc/acme/me');
    expect(answered).toBe(status);
    expect(headers['www-authenticate']).toMatch(new RegExp(`^Bearer realm=".+", error="${oauthError}"$`));
  });

  test('apply to one organisation if the well-known path precedes the issuer’s path', async () => {
    const path = '/.well-known/openid-configuration/oidc';
    await fault({ match: { path: `${path}/:org`, org: 'acme' }, answer: { status: 503 } });
    expect((await portal.http.get(`${path}/globex`)).status).toBe(200);
    expect((await portal.http.get(`${path}/acme`)).status).toBe(503);
    await portal.lab.verify({ path: `${path}/:org`, org: 'acme', status: 503, count: 1 });
  });

  test('don’t affect preflights at the OpenID provider and can be read by cross-origin pages', async () => {
    await fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError: 'invalid_grant' }, times: 1 });
    const url = new URL('/oidc/acme/token', portal.url);
    const origin = 'https://app.example';
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'dpop' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    const { status, headers } = await fetch(url, { method: 'POST', headers: { origin } });
    expect(status).toBe(400);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-expose-headers')).toMatch(/www-authenticate/i);
    expect(headers.get('vary')).toMatch(/origin/i);
  });

  test('render an HTML page for browsers at the OpenID provider', async () => {
    await fault({ match: { path: '/oidc/acme/auth' }, answer: { status: 503 } });
    const { status, type, text } = await portal.http.get('/oidc/acme/auth').accept('text/html');
    expect({ status, type }).toEqual({ status: 503, type: 'text/html' });
    expect(text).toContain('temporarily_unavailable');
  });

  test('return OAuth errors at OpenID endpoints', async () => {
    await fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError: 'invalid_grant' } });
    const token = await portal.http.post('/oidc/acme/token').type('form').send({ grant_type: 'authorization_code' });
    expect(token).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await fault({ match: { path: '/oidc/acme/me' }, answer: { oauthError: 'invalid_token' } });
    const me = await portal.http.get('/oidc/acme/me');
    expect({ status: me.status, header: me.headers['www-authenticate'] }).toEqual({
      status: 401,
      header: expect.stringContaining('error="invalid_token"'),
    });
  });
});

describe('adding a fault that could never fire', () => {
  test.each<[string, unknown, string, string]>([
    [
      'an unknown path',
      { match: { path: '/api/device/mange' }, answer: { status: 500 } },
      'match.path',
      '/api/device/manage',
    ],
    [
      'an unknown OIDC path',
      { match: { path: '/oidc/acme/tokn' }, answer: { status: 500 } },
      'match.path',
      '/oidc/acme/token',
    ],
    ['a short path without an endpoint', { method: 'GET', path: '/profil' }, 'path', '/api/profile'],
    [
      'a short path outside the API',
      { method: 'POST', path: '/oidc/acme/token' },
      'path',
      "isn't one. Pass /oidc/acme/token as match.path",
    ],
    [
      'a misspelt short path outside the API',
      { method: 'GET', path: '/scim/v2/acme/Uses' },
      'path',
      'Pass /scim/v2/acme/Users as match.path',
    ],
    ['a page as a short path', { method: 'GET', path: '/dashboard' }, 'path', 'Pass /dashboard as match.path'],
    [
      'a short path that is unknown everywhere',
      { method: 'GET', path: '/oidc/acme/zzzzzzzzzzzzzzzz' },
      'path',
      "The portal doesn't serve /oidc/acme/zzzzzzzzzzzzzzzz.",
    ],
    [
      'a short path without a leading slash',
      { method: 'GET', path: 'oidc/acme/token' },
      'path',
      'Paths must start with /',
    ],
    ['a full URL', { method: 'GET', path: 'http://localhost:3000/api/profile' }, 'path', 'Paths must start with /'],
    ['a short path with an unsupported method', { method: 'PUT', path: '/profile' }, 'method', '/api/profile answers'],
    [
      'an unsupported method',
      { match: { path: '/api/health', method: 'POST' }, answer: { status: 500 } },
      'match.method',
      'GET',
    ],
    ['an unknown key', { match: HEALTH, answer: { status: 500 }, tims: 2 }, 'tims', 'times'],
    ['an unknown key in answer', { match: HEALTH, answer: { staus: 500 } }, 'answer.staus', 'status'],
    ['an unknown result', { match: HEALTH, answer: { resultName: 'EXPIERD' } }, 'answer.resultName', 'EXPIRED'],
    ['a reserved result', { match: HEALTH, answer: { resultName: RESERVED[0] } }, 'answer.resultName', 'allowed'],
    [
      'an unknown OAuth error',
      { match: { path: '/oidc/acme/token' }, answer: { oauthError: 'invalid_grand' } },
      'answer.oauthError',
      'invalid_grant',
    ],
    [
      'an OAuth error outside /oidc/',
      { match: HEALTH, answer: { oauthError: 'invalid_grant' } },
      'answer.oauthError',
      '/oidc/',
    ],
    ['a lab path', { match: { path: '/api/lab/clock' }, answer: { status: 500 } }, 'match.path', 'is part of the lab'],
    [
      'a prefix of lab paths',
      { match: { path: '/api/lab/*' }, answer: { hang: true } },
      'match.path',
      'is part of the lab',
    ],
    [
      'an asterisk in the middle of a path',
      { match: { path: '/api/*/health' }, answer: { status: 500 } },
      'match.path',
      'only allowed at the end',
    ],
    [
      'an asterisk within a path segment',
      { match: { path: '/assets/a*' }, answer: { status: 500 } },
      'match.path',
      'only allowed at the end',
    ],
    [
      'an organisation other than the one in the path',
      { match: { path: '/oidc/acme/token', org: 'globex' }, answer: { oauthError: 'invalid_grant' } },
      'match.org',
      'path of acme',
    ],
    ...[204, 205, 304].map((status): [string, unknown, string, string] => [
      `a body with the status ${status}`,
      { match: HEALTH, answer: { status, body: 'lost' } },
      'answer.body',
      'cannot have a body',
    ]),
    ...['a\r\nset-cookie: b', 'a\u0000', '€'].map((value): [string, unknown, string, string] => [
      `a header that cannot be sent: ${JSON.stringify(value)}`,
      { match: HEALTH, answer: { status: 503, headers: { 'x-a': value } } },
      'answer.headers.x-a',
      'cannot contain line breaks',
    ]),
    [
      'an email at a path whose requests don’t name a person',
      { match: { path: '/oidc/acme/token', email: 'user@acme.test' }, answer: { status: 500 } },
      'match.email',
      'Omit email',
    ],
    [
      'an organisation at a path whose requests don’t name one',
      { match: { path: '/assets/*', org: 'acme' }, answer: { status: 500 } },
      'match.org',
      'Omit org',
    ],
    [
      'a truncated WebSocket upgrade',
      { match: { path: '/ws/login' }, answer: { cut: 'body' } },
      'answer.cut',
      'POST /api/lab/sockets',
    ],
    ['a delay of 0', { match: HEALTH, answer: { delayMs: 0 } }, 'answer.delayMs', 'delayMs must be at least 1'],
    [
      'a truncated body of a HEAD response',
      { match: { path: '/favicon.svg', method: 'HEAD' }, answer: { cut: 'body' } },
      'answer.cut',
      'HEAD',
    ],
    [
      'a truncated body of an OPTIONS response',
      { match: { path: '/oidc/acme/token', method: 'OPTIONS' }, answer: { cut: 'body' } },
      'answer.cut',
      "OPTIONS don't have a body. Use true.",
    ],
    ['a delayed hang', { match: HEALTH, answer: { hang: true, delayMs: 5 } }, 'answer.delayMs', 'cannot be combined'],
    ['two outcomes', { match: HEALTH, answer: { hang: true, status: 500 } }, 'answer.hang', 'cannot be combined'],
    ['an answer without an outcome', { match: HEALTH, answer: {} }, 'answer', 'Provide one of'],
    [
      'a body without a status',
      { match: HEALTH, answer: { delayMs: 1, body: {} } },
      'answer.body',
      'requires a status',
    ],
  ])('rejects %s', async (_, given, path, hint) => {
    const { status, body } = await portal.call(addFault, { body: given as Given });
    expect({ status, resultName: body.resultName }).toEqual({ status: 400, resultName: 'INVALID_REQUEST' });
    expect(body.issues).toContainEqual({ path, message: expect.stringContaining(hint) });
    expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
  });

  test.each(['Content-Length', 'transfer-encoding', 'trailer'])(
    'rejects the header %s, which only the server sets',
    async (name) => {
      const { status, body } = await portal.call(addFault, {
        body: { match: HEALTH, answer: { status: 503, body: 'x', headers: { [name]: 'chunked' } } },
      });
      expect({ status, issues: body.issues }).toEqual({
        status: 400,
        issues: [{ path: `answer.headers.${name}`, message: 'This header is set by the server' }],
      });
    },
  );

  test('because it has a duplicate header in different case', async () => {
    const answer = { status: 503, headers: { 'retry-after': '1', 'x-a': '1', 'Retry-After': '2' } };
    const { status, body } = await portal.call(addFault, { body: { match: HEALTH, answer } });
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [
        {
          path: 'answer.headers.Retry-After',
          message: 'This header appears twice. List it only once',
        },
      ],
    });
  });

  test.each(['', 'not a name'])('because of the header name %j', async (name) => {
    const answer = { status: 503, headers: { [name]: 'x' } };
    const { body } = await portal.call(addFault, { body: { match: HEALTH, answer } });
    expect(body.issues?.map(({ message }) => message)).toContain("This isn't a valid header name");
  });

  test.each([
    ['/robots.txt', "The portal doesn't serve /robots.txt."],
    ['/oauth2/token', "The portal doesn't serve /oauth2/token."],
    ['/acme/sign-on', 'Did you mean /acme/sign-in?'],
    ['/asyncapi.json', 'Did you mean /openapi.json?'],
    ['/api/profile/', 'Did you mean /api/profile?'],
    ['/asets/*', 'Did you mean /assets/*?'],
    ['/asets/app.js', 'Did you mean /assets/app.js?'],
    ['/oidc/acmee/tokn', 'Did you mean /oidc/acmee/token?'],
    ['/oidc/token', "The portal doesn't serve /oidc/token."],
    ['/api/oidc/acme/token', "The portal doesn't serve /api/oidc/acme/token."],
    ['/acme/oidc/token', "The portal doesn't serve /acme/oidc/token."],
    ['/foo/bar/baz', "The portal doesn't serve /foo/bar/baz."],
    ['/sign-in', "The portal doesn't serve /sign-in."],
  ])('because the path isn’t served: %s', async (path, sentence) => {
    const { body } = await portal.call(addFault, { body: { match: { path }, answer: { status: 503 } } });
    expect(body.message).toMatch(new RegExp(`${sentence.replaceAll(/[.?*]/g, '\\$&')}$`));
  });

  test('because the organisation is unknown', async () => {
    const { status, body } = await portal.call(addFault, {
      body: { match: { path: '/api/user/login', org: 'acmee' }, answer: { status: 500 } },
    });
    expect({ status, resultName: body.resultName }).toEqual({ status: 404, resultName: 'ORG_CODE_NOT_FOUND' });
    expect(body.message).toContain('Did you mean acme?');
  });

  test('because the call doesn’t accept the query', async () => {
    const { status, body } = await portal.http.get('/api/lab/faults?fired=1');
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ path: 'fired', message: "This endpoint doesn't accept query parameters" }],
    });
  });
});

test('matches a path that looks like a pattern literally', async () => {
  await fault({ match: HEALTH, answer: { status: 503 } });
  for (const path of ['/api/*', '/api/:x']) expect((await portal.http.get(path)).status).toBe(404);
  expect((await portal.call(health, {})).status).toBe(503);
});

test('stores a long fault body once instead of with every request', async () => {
  await fault({ match: HEALTH, answer: { status: 200, body: 'x'.repeat(100_000) } });
  const { faults } = (await portal.call(readFaults, {})).body;
  expect((await portal.http.get('/api/health')).text).toHaveLength(100_000);
  const { fired } = (await portal.call(readFaults, {})).body;
  expect(JSON.stringify([faults, fired]).length).toBeLessThan(5_000);
  const { entries } = (await portal.call(readJournal, { query: { kind: 'fault', limit: 1 } })).body;
  expect(JSON.stringify(entries).length).toBeLessThan(5_000);
});

test('rejects a fault beyond the limit and keeps the earlier ones', { tags: 'whole' }, async () => {
  for (let at = 0; at < FAULTS_MAX; at += 1) {
    const { status } = await portal.http.post('/api/lab/faults').send({ match: HEALTH, answer: { status: 500 } });
    if (status !== 200) throw new Error(`Expected 200 for fault ${at}, got ${status}.`);
  }
  const { status, body } = await portal.call(addFault, { body: { match: HEALTH, answer: { status: 500 } } });
  expect({ status, message: body.message }).toEqual({ status: 409, message: expect.stringContaining('200 faults') });
  expect((await portal.call(readFaults, {})).body.faults).toHaveLength(FAULTS_MAX);
});

test('returns a result in the endpoint’s format', async () => {
  await fault({ match: { path: '/api/user/login' }, answer: { resultName: 'EXPIRED' } });
  const { status, body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  expect({ status, resultName: body.resultName }).toEqual({ status: 400, resultName: 'EXPIRED' });
});

test('ignores sessions created by the lab, which aren’t client traffic', async () => {
  await portal.call(emptyJournal, {});
  const match = { path: '/api/user/login' };
  await fault({ match, answer: { status: 502 } });
  await fault({ match: { path: '/api/authenticator/*' }, answer: { status: 502 } });
  expect((await portal.call(makeSession, { body: { email: 'user@acme.test' } })).body.resultCode).toBe(0);
  expect((await portal.call(readFaults, {})).body.faults).toHaveLength(2);
  expect((await portal.call(verifyJournal, { body: { ...match, count: 0 } })).body.ok).toBe(true);
  expect((await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).status).toBe(502);
});

test('matches nested and parameterised paths exactly', async () => {
  const { loginId = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
  const state = async () => (await portal.call(loginState, { params: { loginId } })).status;
  await fault({ match: { path: '/api/user/login/*' }, answer: { status: 502 } });
  expect((await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).status).toBe(200);
  expect(await state()).toBe(502);
  for (const path of ['/api/user/login/:loginId', '/api/user/login/{loginId}']) {
    await fault({ match: { path }, answer: { status: 503 } });
    expect({ path, status: await state() }).toEqual({ path, status: 503 });
  }
});

test.each([
  ['an unknown person', { path: '/api/profile', email: 'usr@acme.test' }, 404, 'user@acme.test'],
  ['an unknown organisation', { path: '/api/profile', org: 'acmee' }, 404, 'acme?'],
  [
    'a person from another organisation',
    { path: '/api/profile', email: 'user@acme.test', org: 'globex' },
    404,
    'globex',
  ],
  ['an unknown organisation in the path', { path: '/oidc/acmee/token' }, 404, 'Did you mean acme?'],
  ['an unknown application', { path: '/saml/acme/travel-dsk/sso' }, 404, 'Did you mean travel-desk?'],
  ['an organisation code in upper case', { path: '/scim/v2/ACME/Users' }, 404, 'acme?'],
  [
    'a person from an organisation that isn’t in the path',
    { path: '/scim/v2/globex/Users', email: 'user@acme.test' },
    404,
    'globex',
  ],
  ['a lab endpoint', { path: '/api/lab/people' }, 400, 'faults never apply'],
  ['a path that resembles an API path', { path: '/api/profil/*' }, 400, "The portal doesn't serve /api/profil/*."],
  ['a path that is not served', { path: '/api/nowhere/:id' }, 400, "doesn't serve"],
  ['a path without /api', { path: '/user/login' }, 400, '/api/user/login'],
])('rejects a fault for %s', async (_, match, status, words) => {
  const { status: answered, body } = await portal.call(addFault, { body: { match, answer: { status: 500 } } });
  expect({ answered, message: body.message }).toEqual({ answered: status, message: expect.stringContaining(words) });
  expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
});

test('deletes a fault by its match and rejects an unknown match', async () => {
  await fault({ match: { method: 'GET', path: '/api/health' }, answer: { status: 500 }, times: 5 });
  await portal.call(addFault, { body: { method: 'GET', path: '/profile' } });
  const missed = await portal.call(clearFaults, { query: { path: '/api/health' } });
  expect(missed).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
  expect((await portal.call(readFaults, {})).body.faults).toHaveLength(2);
  expect((await portal.call(clearFaults, { query: { method: 'GET', path: '/api/health' } })).status).toBe(200);
  expect((await portal.call(health, {})).status).toBe(200);
  // A fault added in the short form can also be removed by its full path.
  await portal.call(clearFaults, { query: { method: 'GET', path: '/api/profile' } });
  expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
});

test('accepts a path with /api in the short form', async () => {
  await portal.call(addFault, { body: { method: 'GET', path: '/api/health', status: 503 } });
  expect((await portal.call(health, {})).status).toBe(503);
});

test('never applies to the lab itself, so tests can always remove their faults', async () => {
  await fault({ match: { path: '/api/*' }, answer: { status: 500 }, times: 10 });
  expect((await portal.call(getOrgSettings, { query: { code: 'acme' } })).status).toBe(500);
  expect((await portal.call(clearFaults, { query: {} })).status).toBe(200);
  expect((await portal.call(health, {})).status).toBe(200);
});
