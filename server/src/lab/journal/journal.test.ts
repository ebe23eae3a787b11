import {
  addFault,
  addSocketFault,
  approveRequest,
  emptyJournal,
  emptyOutbox,
  getProfile,
  JOURNAL_PAGE_MAX,
  type JournalEntry,
  labLive,
  login,
  loginLive,
  loginState,
  makePerson,
  makeSession,
  makeSpace,
  type ReplyOf,
  readJournal,
  readOutbox,
  readWorld,
  refresh,
  regenerateActivationCode,
  resetLab,
  setClock,
  setPolicy,
  signup,
  testDeviceLive,
  verifyJournal,
} from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { directoryOf } from '#protocols/scim/testing.ts';
import { activateFrom, beginPush, memberByEmail } from '#testing/device.ts';
import { watchSecrets } from '#testing/secrets.ts';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.call(resetLab, { body: {} }));
afterAll(() => portal.close());

const USER = 'user@acme.test';
const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
type Query = z.input<(typeof readJournal)['query']>;

async function read(query: Query = {}): Promise<JournalEntry[]> {
  return (await portal.call(readJournal, { query })).body.entries;
}

async function verify(body: z.input<(typeof verifyJournal)['body']>): Promise<ReplyOf<typeof verifyJournal>> {
  return (await portal.call(verifyJournal, { body })).body;
}

describe('the journal', () => {
  test('records a whole sign-in in order', async () => {
    await portal.call(setPolicy, { body: { match: { email: USER }, answer: 'deny', times: 1 } });
    const { loginId } = await beginPush(portal, memberByEmail(portal, 'acme', USER).primaryAttr);
    const live = await portal.open(loginLive, { loginId });
    while ((await live.next()).state !== 'rejected');
    live.close();
    await live.closed;
    const seen = (await read({ after: 0 })).map(({ kind, summary }) => [kind, summary]);
    const at = (kind: string, words: string) =>
      seen.findIndex(([is, summary]) => is === kind && summary?.includes(words));
    const order = [at('challenge', 'is begun'), at('challenge', 'is denied'), at('socket', '/ws/login sent rejected')];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(at('http', 'POST /api/user/login answered 200')).toBeGreaterThan(-1);
    expect(at('policy', 'denied automatically: SUCCESS')).toBeGreaterThan(-1);
  });

  test('records faults on calls and sockets, and a hanging request', async () => {
    await portal.call(addFault, { body: { match: { path: '/api/health' }, answer: { cut: true } } });
    await portal.call(addSocketFault, { body: { channel: 'login', do: 'refuse' } });
    await expect(fetch(`${portal.url}/api/health`)).rejects.toThrow('fetch failed');
    const { loginId } = await beginQr(portal);
    await expect(portal.open(loginLive, { loginId })).rejects.toMatchObject({ status: 503 });
    expect(await read({ kind: 'fault' })).toMatchObject([
      { path: '/api/health', what: '{"cut":true}' },
      { path: '/ws/login', what: 'refuse' },
    ]);
    expect(await read({ path: '/api/health', kind: 'http' })).toMatchObject([{ status: 0 }]);
  });

  test('records refused connections with a reason', async () => {
    const { token } = await portal.signIn(USER);
    await portal.call(emptyJournal, {});
    await expect(portal.open(loginLive, { loginId: '' })).rejects.toMatchObject({ status: 400 });
    await expect(portal.open(testDeviceLive, { qid: 'x', org: 'globex' }, { token })).rejects.toMatchObject({
      status: 403,
    });
    await expect(portal.open(testDeviceLive, { qid: 'x', org: 'acme' })).rejects.toMatchObject({ status: 401 });
    const refused = { kind: 'socket', connection: 0, direction: 'refused' };
    expect(await read()).toMatchObject([
      { ...refused, channel: '/ws/login', code: 400, reason: 'INVALID_REQUEST' },
      { ...refused, channel: '/ws/test-device', code: 403, reason: 'FORBIDDEN', email: USER, org: 'acme' },
      { ...refused, summary: '/ws/test-device refused with 401 UNAUTHORIZED' },
    ]);
    expect((await verify({ kind: 'socket', path: '/ws/test-device', direction: 'refused', count: 2 })).ok).toBe(true);
  });

  test('filters by kind, path, person and number', async () => {
    const { body: person } = await portal.call(makePerson, { body: { org: 'acme' } });
    const { token } = await portal.signIn(USER);
    await portal.call(getProfile, {}, { token });
    expect(await read({ path: '/api/profile', kind: 'http' })).toMatchObject([{ email: USER, org: 'acme' }]);
    expect(await read({ path: '/api/user/*', limit: 1 })).toHaveLength(1);
    const [made] = await read({ email: USER, path: '/api/profile' });
    expect(await read({ after: made?.seq ?? 0 })).toEqual([]);
    expect(await read({ email: person.email, kind: 'message' })).toEqual([]);
  });

  test('rejects a number beyond the newest entry', async () => {
    const { last } = (await portal.call(readJournal, { query: {} })).body;
    expect(await read({ after: last })).toEqual([]);
    const { status, body } = await portal.call(readJournal, { query: { after: last + 1_000 } });
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ path: 'after', message: expect.stringMatching(/^The newest entry is number \d+\.$/) }],
    });
  });

  test('is cleared by a reset or on request, and continues its numbering', async () => {
    await portal.call(getProfile, {});
    const { last } = (await portal.call(readJournal, { query: {} })).body;
    await portal.call(emptyJournal, {});
    expect(await read()).toEqual([]);
    await portal.call(getProfile, {});
    expect((await read())[0]?.seq).toBeGreaterThan(last);
  });

  test('reports how many entries after a number were dropped', {
    tags: 'whole',
  }, async () => {
    const { last } = (await portal.call(readJournal, { query: {} })).body;
    await beginQr(portal);
    const long = 'x'.repeat(4_000);
    for (let call = 0; call < 900; call += 1) await portal.app.inject({ url: '/api/health', query: { long } });

    const { entries, skipped } = (await portal.call(readJournal, { query: { after: last } })).body;
    expect(skipped).toBeGreaterThan(100);
    expect(entries[0]?.seq).toBe(last + skipped + 1);
    await expect(portal.lab.journal({ after: last })).rejects.toThrow(
      `${skipped} entries after ${last} have been removed`,
    );
    expect((await portal.call(readJournal, { query: {} })).body.skipped).toBe(0);

    const path = '/api/user/login';
    expect(await verify({ path, after: last, count: 0 })).toMatchObject({
      ok: false,
      count: 0,
      skipped,
      message: `Expected ${path} after ${last} 0 times, found it 0 times. But ${skipped} entries after ${last} have been removed.`,
    });
    expect((await verify({ path, after: last, atMost: 1 })).ok).toBe(false);
    expect((await verify({ path: '/api/health', after: last, atLeast: 100 })).ok).toBe(true);
    expect((await verify({ path, count: 0 })).ok).toBe(true);

    await portal.call(emptyJournal, {});
    expect((await portal.call(readJournal, { query: { after: last } })).body.skipped).toBe(0);
  });

  test('keeps only the newest entries that fit, each of them complete', { tags: 'whole' }, async () => {
    const long = 'ü€𝄞'.repeat(400);
    const marks = Array.from({ length: 900 }, (_, index) => String(index));
    for (const mark of marks) await portal.app.inject({ url: '/api/health', query: { mark, long } });
    const entries = await read({ path: '/api/health', limit: 500 });
    const queries = entries.map((entry) => (entry.kind === 'http' ? entry.query : {}));
    expect(queries.length).toBeGreaterThan(200);
    expect(queries.length).toBeLessThan(900);
    expect(queries).toEqual(marks.slice(-queries.length).map((mark) => ({ mark, long })));
  });

  test('truncates an overlong path and hides its secrets', async () => {
    const { loginId } = await beginQr(portal);
    const long = 'a'.repeat(600_000);
    expect((await portal.app.inject({ url: `/api/user/login/${loginId}`, query: { long } })).statusCode).toBeLessThan(
      500,
    );
    expect((await portal.app.inject({ url: `/oidc/acme/${long}` })).statusCode).toBe(404);
    const [state, unknown] = (await read()).slice(-2);
    expect(state).toMatchObject({ path: '/api/user/login/[secret]', truncated: true });
    expect(unknown).toMatchObject({ path: expect.stringMatching(/^\/oidc\/acme\/a{16000,}$/), status: 404 });
  });

  test('hides all secrets of a sign-in', async () => {
    const { loginId, qid } = await beginQr(portal);
    await portal.call(approveRequest, { params: { loginId }, body: { as: USER } });
    const { exchangeToken = '' } = (await portal.call(loginState, { params: { loginId } })).body;
    const text = JSON.stringify(await read());
    expect([loginId, qid, exchangeToken].filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain('/api/user/login/[secret]');
  });

  test('hides signed tokens wherever a client sends them', async () => {
    const { token } = await portal.signIn(USER);
    await portal.http.get(`/api/nothing/${token}`);
    await portal.http.get(`/api/profile/${token}?x=${token}`);
    await portal.http.get(`/acme/${token}`);
    await portal.http.get(`/oidc/acme/${token}`);
    await portal.http.post('/api/refresh').send({ x: { y: [`Bearer ${token}`] }, refreshToken: 7 });
    const text = JSON.stringify(await read({ limit: 500 }));
    expect(text).not.toContain(token.split('.')[2]);
    expect(text).toContain('/api/nothing/[secret]');
    expect(text).toContain('Bearer [secret]');
  });

  test('records requests from applications and directories with response, person and organisation', async () => {
    const form = {
      grant_type: 'authorization_code',
      client_id: 'team-wiki',
      client_secret: 'hush-hush',
      code: 'abc123',
    };
    await portal.http.post('/oidc/acme/token').type('form').send(form);
    await portal.http.get('/.well-known/oauth-authorization-server/oidc/acme');
    expect(await read({ path: '/.well-known/oauth-authorization-server/oidc/acme' })).toMatchObject([
      { status: 200, responseBody: { issuer: `${portal.url}/oidc/acme` } },
    ]);
    expect(await read({ path: '/oidc/acme/token' })).toMatchObject([
      {
        status: 401,
        org: 'acme',
        requestBody: { ...form, client_secret: '[secret]', code: '[secret]' },
        responseBody: { error: 'invalid_client' },
      },
    ]);
    const user = { schemas: [USER_SCHEMA], userName: 'ann@acme.test', password: 'hush-hush' };
    await directoryOf(portal).send('POST', '/Users', user);
    expect(await read({ path: '/scim/v2/acme/Users' })).toMatchObject([
      {
        status: 201,
        email: 'ann@acme.test',
        requestBody: { ...user, password: '[secret]' },
        responseBody: { userName: 'ann@acme.test' },
      },
    ]);
    await portal.http
      .post('/saml/acme/travel-desk/sso')
      .type('form')
      .send({ SAMLRequest: 'bm9uZQ', RelayState: 'there' });
    expect(await read({ path: '/saml/*' })).toMatchObject([
      { org: 'acme', requestBody: { SAMLRequest: '[secret]', RelayState: '[secret]' } },
    ]);
    const { loginId } = await beginQr(portal);
    await portal.call(approveRequest, { params: { loginId }, body: { as: USER } });
    await portal.call(loginState, { params: { loginId } });
    expect((await read({ path: '/api/user/login/*' })).at(-1)).toMatchObject({
      email: USER,
      org: 'acme',
      resultName: 'LOGIN_SUCCESS',
    });
    expect(JSON.stringify(await read({ after: 0 }))).not.toContain('hush-hush');
  });

  test('notifies watchers of new entries, but not of their own requests', async () => {
    const live = await portal.open(labLive, {});
    const { last } = await live.next();
    await portal.call(getProfile, {});
    expect((await live.next()).last).toBeGreaterThan(last);
    live.close();
  });

  test('notifies watchers when the journal is emptied or the space ends', async () => {
    const live = await portal.open(labLive, {});
    const { changes } = await live.next();
    await portal.call(emptyJournal, {});
    const update = await live.next();
    expect(update.changes).toBeGreaterThan(changes);
    live.close();
  });

  test('accepts any lab token from watchers, even with characters not allowed in a subprotocol', async () => {
    for (const labToken of ['a/b+c==', 'long (lab) token, "quoted" 100%', 'grüße']) {
      const guarded = await testPortal({ config: { labToken, host: '0.0.0.0' } });
      const live = await guarded.open(labLive, {}, { token: labToken });
      expect((await live.next()).last).toBeGreaterThanOrEqual(0);
      live.close();
      await expect(guarded.open(labLive, {}, { token: `${labToken}x` })).rejects.toMatchObject({ status: 403 });
      await guarded.close();
    }
  });

  test.each<[Record<string, string>, string]>([
    [{ kind: 'https' }, 'kind'],
    [{ emial: USER }, 'emial'],
    [{ path: 'profile' }, 'path'],
    [{ path: '/api/profil' }, 'path'],
    [{ kind: 'message', path: '/api/profile' }, 'path'],
    [{ kind: 'socket', path: '/api/profile' }, 'path'],
    [{ kind: 'fault', email: USER }, 'email'],
    [{ kind: 'fault', org: 'acme' }, 'org'],
    [{ path: '/oidc/globex/token', org: 'acme' }, 'org'],
  ])('rejects the query %j', async (query, path) => {
    const { status, body } = await portal.call(readJournal, { query });
    expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 400, path });
  });

  test.each([
    [{ email: 'usr@acme.test' }, `Did you mean ${USER}?`],
    [{ org: 'acmee' }, 'Did you mean acme?'],
  ])('rejects the query %j, which can’t match any entry', async (query, hint) => {
    const { status, body } = await portal.call(readJournal, { query });
    expect({ status, message: body.message }).toEqual({ status: 404, message: expect.stringContaining(hint) });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the outbox was emptied', () => portal.call(emptyOutbox, {})],
    ['all requests have expired', () => portal.call(setClock, { body: { advance: '100d' } })],
  ])('records new emails and sign-ins even after %s', async (_, forget) => {
    const newcomer = (name: string) => ({
      orgCode: 'acme',
      firstName: name,
      lastName: 'B',
      email: `${name}@acme.test`,
    });
    const begin = () => beginPush(portal, memberByEmail(portal, 'acme', USER).primaryAttr);
    await portal.call(signup, { body: newcomer('anna') });
    await begin();
    await forget();
    await portal.call(emptyJournal, {});
    await portal.call(signup, { body: newcomer('bert') });
    await begin();
    expect(await read({ kind: 'message' })).toMatchObject([{ to: 'bert@acme.test' }]);
    expect(await read({ kind: 'challenge' })).toMatchObject([{ state: 'begun' }]);
  });
});

test.each<[Query, string]>([
  [{ email: 'usr@acme.test' }, USER],
  [{ org: 'acmee' }, 'acme?'],
  [{ path: '/oidc/acmee/token' }, 'acme?'],
])('reports that %j doesn’t exist', async (query, hint) => {
  const { status, body } = await portal.call(readJournal, { query });
  expect({ status, message: body.message }).toEqual({ status: 404, message: expect.stringContaining(hint) });
});

test('hides sign-in IDs and fault bodies in fault entries and unknown paths', async () => {
  const { loginId, qid } = await beginQr(portal);
  const answer = { status: 401, headers: { 'set-cookie': 'sid=hush-hush' }, body: { token: 'hush-hush' } };
  await portal.call(addFault, { body: { match: { path: '/api/user/login/*' }, answer } });
  await portal.call(loginState, { params: { loginId } });
  for (const path of [`/api/lab/logins/${qid}/denny`, `/api/user/login/${loginId}/state`]) await portal.http.get(path);
  await portal.http.post(`/api/lab/logins/${qid}/denny`);
  const entries = await read({ after: 0 });
  const text = JSON.stringify(entries);
  expect([loginId, qid, 'hush-hush'].filter((secret) => text.includes(secret))).toEqual([]);
  expect(entries.map((entry) => 'path' in entry && entry.path)).toEqual(
    expect.arrayContaining([
      '/api/lab/logins/[secret]/denny',
      '/api/user/login/[secret]',
      '/api/user/login/[secret]/state',
    ]),
  );
  expect((await verify({ kind: 'fault', path: `/api/user/login/${loginId}`, count: 1 })).ok).toBe(true);
});

describe('verify', () => {
  test('acceptance 9: verify passes or returns the nearest misses, and entries have no secrets', async () => {
    const secrets = watchSecrets();
    try {
      const { token, refreshToken } = await portal.signIn(USER);
      await portal.call(getProfile, {}, { token });
      expect(await verify({ method: 'GET', path: '/api/profile', count: 1 })).toEqual({
        resultCode: 0,
        ok: true,
        count: 1,
        skipped: 0,
        message: 'Expected GET /api/profile once, found it once.',
        misses: [],
      });
      const missed = await verify({ method: 'POST', path: '/api/profile', status: 200, count: 1 });
      expect(missed).toMatchObject({
        ok: false,
        count: 0,
        message: 'Expected POST /api/profile with status 200 once, found it 0 times.',
      });
      expect(missed.misses[0]).toMatchObject({
        entry: { path: '/api/profile' },
        differs: [{ field: 'method', expected: 'POST', actual: 'GET' }],
      });

      // Covers codes, tokens and keys in requests, responses, emails and socket messages.
      await portal.call(refresh, { body: { refreshToken } });
      const { loginId, qid } = await beginQr(portal);
      const live = await portal.open(loginLive, { loginId });
      await portal.call(approveRequest, { params: { loginId }, body: { as: USER } });
      let update = await live.next();
      while (update.state !== 'success') update = await live.next();
      live.close();
      const { body: typed } = await portal.call(login, { body: { orgCode: 'acme', mode: 'DID' } });
      const admin = await portal.call(makeSession, { body: { email: 'super.admin@acme.test' } });
      const newcomer = { email: 'mara.lindholm@acme.test', primaryAttr: 'E-11020' };
      const body = { ...newcomer, type: 'mobile' as const, sendEmail: true };
      const code = await portal.call(regenerateActivationCode, { body }, { token: admin.body.token });
      const { activationCode } = code.body;
      await activateFrom(portal, '127.0.0.1', { email: 'mara.lindholm@acme.test', activationCode });
      await portal.call(readOutbox, { query: {} });
      const { devices } = (await portal.call(makePerson, { body: { org: 'acme' } })).body;
      const { world } = (await portal.call(readWorld, {})).body;
      await portal.call(makeSpace, { body: { seed: world } });
      const key = devices[0]?.privateKeyJwk.d;

      const known = [token, refreshToken, qid, typed.did, update.exchangeToken, activationCode, key];
      for (const secret of known) secrets.add(secret ?? '');
      expect([...secrets.seen]).toEqual(expect.arrayContaining(known));
      const entries = await read({ after: 0, limit: JOURNAL_PAGE_MAX });
      expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['http', 'socket', 'challenge', 'message']));
      expect(secrets.in(JSON.stringify(entries))).toEqual([]);
    } finally {
      secrets.stop();
    }
  });

  test('compares bodies and messages partially and reports the differences', async () => {
    await beginQr(portal, 'acme');
    expect((await verify({ path: '/api/user/login', body: { mode: 'QID', orgCode: 'acme' } })).ok).toBe(true);
    const { misses } = await verify({ path: '/api/user/login', body: { mode: 'PUSH' } });
    expect(misses[0]?.differs).toEqual([{ field: 'body.mode', expected: 'PUSH', actual: 'QID' }]);
    const { loginId } = await beginQr(portal);
    const live = await portal.open(loginLive, { loginId });
    await live.next();
    live.close();
    expect((await verify({ kind: 'socket', path: '/ws/login', body: { state: 'init' } })).ok).toBe(true);
  });

  test('finds a request by full path or pattern even if part of the path is hidden', async () => {
    const { loginId } = await beginQr(portal);
    await portal.call(loginState, { params: { loginId } });
    for (const path of [`/api/user/login/${loginId}`, '/api/user/login/:loginId', '/api/user/login/{loginId}']) {
      expect({ path, count: (await verify({ path, count: 1 })).count }).toEqual({ path, count: 1 });
      expect(await read({ path })).toHaveLength(1);
    }
    expect((await verify({ path: '/api/user/login/somebody-elses', count: 0 })).ok).toBe(true);
  });

  test('omits lab calls unless requested', async () => {
    await portal.call(makePerson, { body: { org: 'acme' } });
    const { misses } = await verify({ path: '/api/refresh', count: 1 });
    expect(misses).toEqual([]);
    expect((await verify({ path: '/api/lab/people', count: 1 })).ok).toBe(true);
  });

  test('also omits the lab’s pages, but no other pages', async () => {
    for (const page of ['/lab', '/lab/journal?kind=http', '/laboratory/sign-in']) await portal.http.get(page);
    const { entries } = (await portal.call(readJournal, { query: { kind: 'http' } })).body;
    const paths = entries.flatMap((entry) => (entry.kind === 'http' ? entry.path : []));
    expect(paths.filter((path) => path.startsWith('/lab'))).toEqual(['/laboratory/sign-in']);
  });

  test('counts a channel’s connections', async () => {
    const { loginId } = await beginQr(portal);
    for (let time = 0; time < 2; time += 1) {
      const live = await portal.open(loginLive, { loginId });
      await live.next();
      live.close();
    }
    expect((await verify({ kind: 'socket', path: '/ws/login', direction: 'opened', count: 2 })).ok).toBe(true);
  });

  test('rejects an email address that no member has and no entry contains', async () => {
    const { status, body } = await portal.call(verifyJournal, { body: { email: 'usr@acme.test', count: 0 } });
    expect({ status, message: body.message }).toEqual({ status: 404, message: expect.stringContaining(USER) });
    // This address doesn't belong to a member, but a request contains it.
    await portal.call(signup, { body: { orgCode: 'acme', firstName: 'A', lastName: 'B', email: 'a.b@acme.test' } });
    expect((await verify({ email: 'a.b@acme.test', atLeast: 1 })).ok).toBe(true);
  });

  test.each([
    [{ path: '/oidc/acme/token', email: USER }, 'name a person'],
    [{ path: '/saml/acme/continue', email: USER }, 'name a person'],
    [{ path: '/openapi.json', org: 'acme' }, 'name an organisation'],
  ])('rejects fields that entries at a path never have: %j', async (query, sentence) => {
    const [name] = Object.keys(query).slice(-1);
    const refusal = { status: 400, body: { issues: [{ path: name, message: expect.stringContaining(sentence) }] } };
    expect(await portal.call(verifyJournal, { body: { ...query, count: 0 } })).toMatchObject(refusal);
    expect(await portal.call(readJournal, { query })).toMatchObject(refusal);
  });

  test.each(['/', '/favicon.svg', '/assets/*', '/lab'])('rejects %s, which the journal omits', async (path) => {
    const { status, body } = await portal.call(verifyJournal, { body: { path, count: 0 } });
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: `The journal doesn't record requests to ${path}. It omits client files and lab pages.`,
    });
    // Faults at these paths are recorded, so the journal accepts this query.
    expect((await portal.call(readJournal, { query: { path, kind: 'fault' } })).status).toBe(200);
  });

  test('finds the person in an application sign-in', async () => {
    await portal.http.get('/oidc/acme/auth').query({ client_id: 'team-wiki', login_hint: USER });
    await portal.http.post('/oidc/acme/request').type('form').send({ client_id: 'team-wiki', login_hint: USER });
    for (const path of ['/oidc/acme/auth', '/oidc/acme/request', '/*']) {
      expect((await verify({ path, email: USER, atLeast: 1 })).ok, path).toBe(true);
    }
  });

  test('matches a :name in a path even if the journal hides the value', async () => {
    const { loginId } = await beginQr(portal);
    await portal.call(loginState, { params: { loginId } });
    for (const path of ['/api/user/login/:loginId', '/api/:area/login/:id', '/api/user/login/*']) {
      expect((await verify({ method: 'GET', path, atLeast: 1 })).ok).toBe(true);
    }
    expect((await verify({ method: 'GET', path: '/api/user/:login', count: 1 })).ok).toBe(false);
  });

  test.each([
    [{ moed: 'PUSH' }, 'there is no such field. Did you mean mode?'],
    [{ mode: 'PUHS' }, 'did you mean PUSH?'],
    [{ mode: 'NONE' }, 'it must be one of '],
  ])('suggests a correction for the body %j', async (body, hint) => {
    const expected = { path: '/api/user/login', body, count: 0 };
    const { status, body: answer } = await portal.call(verifyJournal, { body: expected });
    expect({ status, message: answer.message }).toEqual({ status: 400, message: expect.stringContaining(hint) });
  });

  test('finds requests to unknown endpoints, and strings in any Unicode form', async () => {
    const path = '/api/user/login';
    const body = { moed: 'PUSH' };
    await portal.http.post(path).send({ orgCode: 'acme', mode: 'PUHS', ...body });
    for (const sent of [body, { mode: 'PUHS' }]) expect((await verify({ path, body: sent, count: 1 })).ok).toBe(true);
    expect((await verify({ path, body: { moed: 'QID' }, count: 0 })).ok).toBe(true);
    // A test might check that a client validates an email address before sending it, so accept an invalid address.
    const signsUp = { path: '/api/user/signup', body: { email: 'no address' } };
    expect((await verify({ ...signsUp, count: 0 })).ok).toBe(true);
  });

  test('searches within one organisation and after a given number', async () => {
    const path = '/api/user/login';
    for (const orgCode of ['acme', 'globex', 'globex']) {
      await portal.call(login, { body: { orgCode, mode: 'QID' } });
    }
    expect((await verify({ path, org: 'acme', count: 1 })).ok).toBe(true);
    const missed = await verify({ path, org: 'acme', count: 2 });
    expect(missed.misses.map(({ differs }) => differs)).toEqual([
      [{ field: 'org', expected: 'acme', actual: 'globex' }],
      [{ field: 'org', expected: 'acme', actual: 'globex' }],
      [{ field: 'count', expected: 2, actual: 1 }],
    ]);
    const { misses } = await verify({ path: '/api/user/login', count: 99 });
    expect(misses.every(({ differs: [{ field } = { field: '' }] }) => field === 'count')).toBe(true);
    const { last } = (await portal.call(readJournal, { query: {} })).body;
    await portal.call(login, { body: { orgCode: 'globex', mode: 'QID' } });
    expect((await verify({ path, after: last, count: 1 })).ok).toBe(true);
    const { status, body } = await portal.call(verifyJournal, { body: { path, org: 'acmee', count: 0 } });
    expect({ status, message: body.message }).toEqual({ status: 404, message: expect.stringContaining('acme?') });
  });

  test('fails if a request occurred too many times', async () => {
    for (let call = 0; call < 3; call += 1) await portal.call(getProfile, {});
    const expected = { path: '/api/profile', resultName: 'UNAUTHORIZED' as const };
    expect((await verify({ ...expected, atLeast: 2, atMost: 3 })).ok).toBe(true);
    const { misses, ...tooOften } = await verify({ ...expected, count: 2 });
    expect(tooOften).toMatchObject({
      ok: false,
      count: 3,
      message: 'Expected /api/profile with UNAUTHORIZED 2 times, found it 3 times.',
    });
    expect(misses.map(({ differs }) => differs)).toEqual(
      Array.from({ length: 3 }, () => [{ field: 'count', expected: 2, actual: 3 }]),
    );
    expect((await verify({ path: '/api/health', count: 0 })).ok).toBe(true);
  });

  test.each<[object, string]>([
    [{ method: 'GTE' }, 'method'],
    [{ path: '/api/profil', count: 0 }, 'path'],
    [{ pth: '/api/profile' }, 'pth'],
    [{ count: 1, atLeast: 2 }, 'count'],
    [{ kind: 'message', status: 200 }, 'status'],
    [{ status: 99, count: 0 }, 'status'],
    [{ kind: 'message', path: '/api/health', count: 0 }, 'path'],
    [{ path: '/api/*/profile', count: 0 }, 'path'],
    [{ resultName: 'EXPIERD' }, 'resultName'],
    [{ path: '/oidc/acme/token', resultName: 'EXPIRED', count: 0 }, 'resultName'],
    [{ path: '/scim/v2/acme/Users', resultName: 'EXPIRED', count: 0 }, 'resultName'],
    [{ direction: 'opened' }, 'direction'],
    [{ path: '/api/profile', atLeast: 0 }, 'atLeast'],
    [{ kind: 'fault', email: USER, count: 0 }, 'email'],
    [{ kind: 'socket', path: '/api/profile', count: 0 }, 'path'],
    [{ path: '/ws/login', count: 0 }, 'path'],
    [{ kind: 'socket', direction: 'opened', body: { state: 'init' }, count: 0 }, 'body'],
    [{ path: '/api/user/login', body: { mode: 'QID', exchangeToken: 'x' }, count: 0 }, 'body.exchangeToken'],
    [{ path: '/oidc/acme/token', body: { client_secret: 'x' }, count: 0 }, 'body.client_secret'],
    [{ kind: 'socket', path: '/ws/login', body: { exchangeToken: 'x' }, count: 0 }, 'body.exchangeToken'],
    [{ path: '/api/user/login', body: { moed: 'PUSH' }, count: 0 }, 'body.moed'],
    [{ path: '/api/user/login', body: { constructor: 'PUSH' }, count: 0 }, 'body.constructor'],
    [{ path: '/api/user/login', body: { mode: 'PUHS' }, count: 0 }, 'body.mode'],
    [{ path: '/api/user/login', body: { mode: ['PUSH'] }, count: 0 }, 'body.mode'],
    [
      { path: '/api/orgs/acme/apps/team-wiki', body: { oidcConfiguration: { client: {} } }, count: 0 },
      'body.oidcConfiguration.client',
    ],
    [{ path: '/api/profile', body: { mode: 'PUSH' }, count: 0 }, 'body'],
    [{ kind: 'socket', path: '/ws/login', body: { state: 'sucess' }, count: 0 }, 'body.state'],
    [{ kind: 'socket', path: '/ws/login', body: { stat: 'success' }, count: 0 }, 'body.stat'],
    [{ kind: 'socket', path: '/ws/login', direction: 'received', body: { state: 'init' }, count: 0 }, 'body'],
    [{ path: '/api/health', after: 1_000_000, count: 0 }, 'after'],
    [{ kind: 'fault', org: 'acme', count: 0 }, 'org'],
    [{ path: '/oidc/globex/token', org: 'acme', count: 0 }, 'org'],
  ])('rejects %j', async (body, path) => {
    const { status, body: answer } = await portal.call(verifyJournal, { body });
    expect({ status, paths: answer.issues?.map((issue) => issue.path) }).toEqual({ status: 400, paths: [path] });
  });

  test.each([
    ['200', 'This must be a number'],
    [99, 'The status must be 0 or from 100 to 599'],
    [600, 'At most 599'],
  ])('explains what is wrong with the status %j', { tags: 'whole' }, async (status, message) => {
    const { body } = await portal.http.post('/api/lab/journal/verify').send({ status });
    expect(body.issues).toEqual([{ path: 'status', message }]);
  });
});
