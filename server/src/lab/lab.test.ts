import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import {
  addFault,
  bulkInvite,
  clearFaults,
  codeOf,
  emptyOutbox,
  getProfile,
  getUser,
  health,
  inviteUsers,
  login,
  loginLive,
  makePerson,
  OMIT_FIELD,
  OUTBOX_MESSAGES_MAX,
  readClock,
  readFaults,
  readOutbox,
  regenerateActivationCode,
  resetLab,
  setClock,
  virtualDevices,
} from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withoutTimers } from '#testing/helpers.ts';
import { startTestPortal, TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

/**
 * Emails an activation code to a member without a device.
 * @param given access token of a Super Admin
 */
async function mailCode(given?: string): Promise<string> {
  const token = given ?? (await portal.signIn('super.admin@acme.test')).token;
  const newcomer = { email: 'mara.lindholm@acme.test', primaryAttr: 'E-11020' };
  const { body } = await portal.call(
    regenerateActivationCode,
    { body: { ...newcomer, type: 'mobile', sendEmail: true } },
    { token },
  );
  expect(body.resultCode).toBe(0);
  return body.activationCode;
}

test('keeps every email and its code in the outbox until it is emptied', async () => {
  await portal.call(emptyOutbox, {});
  const code = await mailCode();
  const { messages } = (await portal.call(readOutbox, { query: { to: 'mara.lindholm@acme.test' } })).body;
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ channel: 'mail', to: 'mara.lindholm@acme.test', code, links: expect.any(Array) });
  expect(messages[0]?.text).toContain(code);
  expect((await portal.call(readOutbox, { query: { to: 'else@acme.test' } })).body.messages).toEqual([]);
  await portal.call(emptyOutbox, {});
  expect((await portal.call(readOutbox, { query: {} })).body.messages).toEqual([]);
});

/** Resolves when a server in this process starts to handle an outbox request. */
function serverAsked(): Promise<void> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const look = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (!request.url?.startsWith('/api/lab/outbox')) return;
      unsubscribe(channel, look);
      resolve();
    };
    subscribe(channel, look);
  });
}

test('acceptance 8: an outbox call returns an email once it is sent, or lists other recipients', async () => {
  expect(portal.deps.config.smtpUrl).toBeNull();
  const query = { to: 'mara.lindholm@acme.test', wait: 5 };
  const { token } = await portal.signIn('super.admin@acme.test');
  await portal.call(emptyOutbox, {});
  const messages = await withoutTimers(async () => {
    const waiting = portal.call(readOutbox, { query });
    await serverAsked();
    const code = await mailCode(token);
    const { body } = await waiting;
    expect(body.messages).toEqual([expect.objectContaining({ code, links: [] })]);
    return body.messages;
  });
  expect((await portal.call(readOutbox, { query })).body.messages).toEqual(messages);
  const invitation = { orgEmails: [query.to], type: 'mobile' as const, sendEmail: true };
  await portal.call(inviteUsers, { body: invitation }, { token });
  const invited = await portal.call(readOutbox, { query: { ...query, after: messages[0]?.id } });
  expect(invited.body.messages[0]?.links).toEqual([expect.stringContaining(`${portal.url}/`)]);

  const inVain = await portal.call(readOutbox, { query: { to: 'mara@acme.test', wait: 0 } });
  expect({ status: inVain.status, ...inVain.body }).toMatchObject({
    status: 404,
    resultName: 'ID_DOESNOT_EXIST',
    message: 'No message to mara@acme.test arrived within 0 s. Messages were sent to mara.lindholm@acme.test.',
    recipients: ['mara.lindholm@acme.test'],
  });
});

test('indicates that there are more recipients than the message lists', async () => {
  const { status, body } = await portal.call(readOutbox, { query: { to: 'nobody@acme.test', wait: 0 } });
  expect({ status, message: body.message }).toEqual({
    status: 404,
    message: expect.stringMatching(/\.test, …\.$/),
  });
});

test('matches recipients case-insensitively', async () => {
  const code = await mailCode();
  const { body } = await portal.call(readOutbox, { query: { to: 'Mara.Lindholm@ACME.test' } });
  expect(body.messages[0]).toMatchObject({ to: 'mara.lindholm@acme.test', code });
});

test('waits for messages after a given message', async () => {
  await mailCode();
  const [first] = (await portal.call(readOutbox, { query: {} })).body.messages;
  const waiting = portal.call(readOutbox, { query: { after: first?.id, wait: 60 } });
  await serverAsked();
  const code = await mailCode();
  expect((await waiting).body.messages).toEqual([expect.objectContaining({ code })]);
  const unknown = await portal.call(readOutbox, { query: { after: 'unknown' } });
  const message = expect.stringContaining("doesn't contain the message unknown");
  expect(unknown).toMatchObject({ status: 400, body: { message, issues: [{ path: 'after', message }] } });
});

test('ends a wait when a message is restored, and fails if the message to continue from is gone', async () => {
  const query = { to: 'mara.lindholm@acme.test', wait: 60 };
  await portal.call(emptyOutbox, {});
  const code = await mailCode();
  const { restore } = await portal.lab.snapshot();
  await portal.call(emptyOutbox, {});
  const waiting = portal.call(readOutbox, { query });
  await serverAsked();
  await restore();
  const { messages } = (await waiting).body;
  expect(messages).toEqual([expect.objectContaining({ code })]);
  for (const end of [() => portal.call(emptyOutbox, {}), () => portal.lab.reset()]) {
    await restore();
    const after = portal.call(readOutbox, { query: { after: messages[0]?.id, wait: 60 } });
    await serverAsked();
    await end();
    expect((await after).body.issues?.[0]?.message).toBe(
      `The outbox doesn't contain the message ${messages[0]?.id}. It might have been emptied.`,
    );
  }
});

test('reports how many later messages a response omits', async () => {
  await mailCode();
  const [first] = (await portal.call(readOutbox, { query: {} })).body.messages;
  const { token } = await portal.signIn('super.admin@acme.test');
  const rows = Array.from({ length: OUTBOX_MESSAGES_MAX + 3 }, (_, at) => `new.${at}@acme.test,New,Person,N-${at}`);
  const form = new FormData();
  form.append('type', 'mobile');
  form.append('sendEmail', 'true');
  form.append('file', new File([['email,firstName,lastName,primaryAttr', ...rows].join('\n')], 'people.csv'));
  expect((await portal.call(bulkInvite, { body: form }, { token })).body.created).toBe(rows.length);

  const query = { after: first?.id };
  const { messages, skipped } = (await portal.call(readOutbox, { query })).body;
  expect([messages.length, skipped]).toEqual([OUTBOX_MESSAGES_MAX, 3]);
  await expect(portal.lab.outbox(query)).rejects.toThrow(`3 more messages arrived after ${first?.id}`);
  expect((await portal.call(readOutbox, { query: { ...query, to: 'new.0@acme.test' } })).body.skipped).toBe(0);
  expect((await portal.call(readOutbox, { query: {} })).body.skipped).toBe(0);
});

test('treats the last message written as the newest even if the clock was set back', async () => {
  const { messages: seeded } = (await portal.call(readOutbox, { query: {} })).body;
  expect((await portal.call(readOutbox, { query: { after: seeded[0]?.id } })).body.messages).toEqual([]);
  await portal.lab.clock({ freezeAt: '2020-01-01T00:00:00Z' });
  const code = await mailCode();
  const [newest] = (await portal.call(readOutbox, { query: {} })).body.messages;
  expect(newest).toMatchObject({ code, sentAt: '2020-01-01T00:00:00.000Z' });
});

test('responds to a waiting outbox call when the server closes, without delaying shutdown', async () => {
  const other = await startTestPortal();
  const waiting = other.call(readOutbox, { query: { to: 'nobody@acme.test', wait: 60 } });
  await serverAsked();
  await other.close();
  expect(await waiting).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('No message to nobody@acme.test arrived before the portal closed.') },
  });
});

test('responds immediately to an outbox call made just before the server closes', async () => {
  const closing = Promise.withResolvers<void>();
  const other = await testPortal({
    register(app) {
      app.addHook('preClose', async () => closing.resolve());
      app.addHook('onRequest', () => closing.promise);
    },
  });
  const waiting = other.call(readOutbox, { query: { to: 'nobody@acme.test', wait: 60 } });
  await serverAsked();
  await other.close();
  expect(await waiting).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('No message to nobody@acme.test arrived before the portal closed.') },
  });
});

test('returns the demo devices with their keys for one or all organisations', async () => {
  const { devices } = (await portal.call(virtualDevices, { query: { orgCode: 'globex' } })).body;
  expect(devices.length).toBeGreaterThan(0);
  expect(new Set(devices.map(({ orgCode }) => orgCode))).toEqual(new Set(['globex']));
  const all = (await portal.call(virtualDevices, { query: {} })).body.devices;
  expect(all.length).toBeGreaterThan(devices.length);
  expect(all.find(({ primaryEmail }) => primaryEmail === 'super.admin@acme.test')).toMatchObject({
    fullName: 'Avery Lindqvist',
    roleName: 'Super Admin',
    orgName: 'Acme Corporation',
    privateKeyJwk: { kty: 'EC', crv: 'P-256', d: expect.any(String) },
  });
});

test('sets the clock of the whole portal and expires everything due before responding', async () => {
  const started = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const { loginId = '', idTimeout = 0 } = started.body;
  const channel = await portal.open(loginLive, { loginId });
  await channel.next();
  const set = await portal.call(setClock, { body: { advanceSeconds: idTimeout } });
  expect(set.body).toEqual({
    resultCode: 0,
    now: new Date(TEST_NOW + idTimeout * 1_000).toISOString(),
    mode: 'frozen',
    tokens: 'machine',
  });
  expect(await channel.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
});

test.each([
  ['90s', 90],
  ['10m', 600],
  ['1h 30m', 5_400],
  ['7d', 604_800],
])('advances the clock by %s', async (advance, seconds) => {
  const { body } = await portal.call(setClock, { body: { advance } });
  expect(body.now).toBe(new Date(TEST_NOW + seconds * 1_000).toISOString());
});

test('supports whole milliseconds up to the year 2200', async () => {
  const { body: frozen } = await portal.call(setClock, { body: { freezeAt: '2199-12-31T23:59:59.999Z' } });
  expect(frozen.now).toBe('2199-12-31T23:59:59.999Z');
  for (const [field, body] of [
    ['advance', { advance: '1s' }],
    ['advanceSeconds', { advanceSeconds: 60 }],
    ['advance', { advance: '1d', tokens: 'lab' }],
    ['freezeAt', { freezeAt: '2200-01-01T00:00:00.001Z' }],
    ['freezeAt', { freezeAt: '1969-12-31T23:59:59.999Z' }],
  ] as const) {
    const { status, body: refused } = await portal.call(setClock, { body });
    expect({ status, path: refused.issues?.[0]?.path }).toEqual({ status: 400, path: field });
  }
  expect((await portal.call(setClock, { body: { advanceSeconds: 0.000_7 } })).body).toMatchObject({
    now: '2200-01-01T00:00:00.000Z',
    tokens: 'machine',
  });
  expect((await portal.call(makePerson, { body: { org: 'acme' } })).status).toBe(200);
});

test.each(['10', 'ten minutes', '-5m', '99999999d'])('rejects advancing the clock by %j', async (advance) => {
  const { status, body } = await portal.call(setClock, { body: { advance } });
  expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 400, path: 'advance' });
});

test('freezes the clock at a given time and unfreezes it', async () => {
  const freezeAt = '2030-01-01T00:00:00.000Z';
  expect((await portal.call(setClock, { body: { freezeAt } })).body).toMatchObject({ now: freezeAt, mode: 'frozen' });
  expect((await portal.call(readClock, {})).headers.date).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
  expect((await portal.call(setClock, { body: { mode: 'real' } })).body.mode).toBe('real');
});

test('freezes the clock at its current time', async () => {
  await portal.call(setClock, { body: { mode: 'real' } });
  const { now } = (await portal.call(setClock, { body: { mode: 'frozen' } })).body;
  expect((await portal.call(readClock, {})).body).toMatchObject({ now, mode: 'frozen' });
});

test('resets data, clock and faults, and ends sessions and connections', async () => {
  const { token, profile } = await portal.signIn('user@acme.test');
  const started = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const channel = await portal.open(loginLive, { loginId: started.body.loginId ?? '' });
  await channel.next();
  portal.deps.db.$client.prepare('UPDATE members SET firstName = ? WHERE suid = ?').run('Changed', profile.suid);
  await portal.call(addFault, { body: { method: 'GET', path: '/profile' } });
  await portal.call(setClock, { body: { advanceSeconds: 3_600 } });

  expect((await portal.call(resetLab, { body: {} })).body).toEqual({ resultCode: 0 });
  expect((await channel.closed).code).toBe(1008);
  expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
  expect((await portal.call(readClock, {})).body.now).toBe(new Date(TEST_NOW).toISOString());
  expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
  const again = await portal.signIn('user@acme.test');
  expect(again.profile.firstName).not.toBe('Changed');
});

test('leaves no members after a reset with seed none, and restores them with seed demo', async () => {
  await portal.call(resetLab, { body: { seed: 'none' } });
  expect((await portal.call(virtualDevices, { query: {} })).body.devices).toEqual([]);
  await portal.call(resetLab, { body: { seed: 'demo' } });
  expect((await portal.signIn('user@acme.test')).orgId).toBe('acme');
});

test('fails only the requested number of calls to an endpoint', async () => {
  const { token } = await portal.signIn('user@acme.test');
  await portal.call(addFault, { body: { method: 'GET', path: '/profile', status: 503, times: 2 } });
  const statuses = [];
  for (const entry of [getProfile, getUser, getProfile, getProfile]) {
    statuses.push((await portal.call<typeof entry>(entry, {}, { token })).status);
  }
  expect(statuses).toEqual([503, 200, 503, 200]);
});

test('returns a fault in the usual response format until it is cleared', async () => {
  const fault = { method: 'GET', path: '/health', status: 401, times: 5, delayMs: 0 } as const;
  expect((await portal.call(addFault, { body: fault })).body.faults).toEqual([fault]);
  expect((await portal.call(health, {})).body).toMatchObject({
    resultName: 'UNAUTHORIZED',
    requestId: expect.any(String),
  });
  expect((await portal.call(readFaults, {})).body.faults).toEqual([{ ...fault, times: 4 }]);
  await portal.call(clearFaults, { query: {} });
  expect((await portal.call(health, {})).status).toBe(200);
});

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'rejects a field named %s like any unknown field',
  async (name) => {
    for (const request of [
      portal.http.post('/api/lab/people').send({ org: 'acme', [name]: 1 }),
      portal.http.get(`/api/lab/journal?${name}=1`),
    ]) {
      const { status, body } = await request;
      expect({ status, resultName: body.resultName }).toEqual({ status: 400, resultName: 'INVALID_REQUEST' });
      expect(body.issues).toEqual([{ path: name, message: expect.stringContaining('This field does not exist') }]);
    }
    const body = { match: { path: '/api/health' }, answer: { resultName: { [name]: 1 } } };
    expect((await portal.http.post('/api/lab/faults').send(body)).status).toBe(400);
  },
);

test.each([
  ['/api/lab/faults', '{"match":{"path":"/api/health"},"answer":{"status":500},"times":1,"times":2}', 'times'],
  ['/api/lab/reset', '{"seed":{"organisations":[{"code":"a"},{"code":"b","code":"c"}]}}', 'seed.organisations.1.code'],
])('%s rejects a duplicate field name', async (path, text, field) => {
  const { status, body } = await portal.http.post(path).type('json').send(text);
  expect({ status, issues: body.issues }).toEqual({
    status: 400,
    issues: [{ path: field, message: expect.stringContaining('appears twice') }],
  });
});

test.each(['null', '[]', '"org"', '1'])('rejects %s as the body of a call that accepts no body', async (given) => {
  const { status, body } = await portal.http.delete('/api/lab/policies').type('json').send(given);
  expect({ status, issues: body.issues }).toEqual({
    status: 400,
    issues: [{ path: '', message: "This endpoint doesn't accept a body" }],
  });
});

test('rejects an unexpected body', async () => {
  const { status, body } = await portal.http.delete('/api/lab/policies').send({ match: { org: 'acme' } });
  expect({ status, issues: body.issues }).toEqual({
    status: 400,
    issues: [{ path: 'match', message: "This endpoint doesn't accept a body" }],
  });
});

test.each([
  ['POST', '/api/lab/policies', '/api/lab/policies answers'],
  ['PUT', '/api/lab/spaces/some-id', '/api/lab/spaces/some-id answers DELETE.'],
  ['POST', '/api/lab/sesions', 'Did you mean /api/lab/sessions?'],
  ['GET', '/api/lab/x', 'See /docs/areas/lab'],
  ['GET', `/api/lab/${'x'.repeat(5_000)}`, "x… isn't a lab endpoint."],
])('suggests a correction for %s %s, which doesn’t exist', async (method, path, hint) => {
  const { status, body } = await new request.Test(portal.url, method, path);
  expect({ status, resultName: body.resultName }).toEqual({ status: 404, resultName: 'ID_DOESNOT_EXIST' });
  expect(body.message).toContain(hint);
});

test.each([
  ['POST', 'people', { org: ['acme'] }, 'org', 'This must be a string'],
  ['POST', 'people', { org: 'acme', email: 5 }, 'email', 'This must be a string'],
  ['POST', 'people', { org: null }, 'org', 'This field is required'],
  ['POST', 'people', { org: 'acme', email: null }, 'email', OMIT_FIELD],
  ['POST', 'faults', { match: { path: '/api/health', org: null }, answer: { status: 500 } }, 'match.org', OMIT_FIELD],
  ['POST', 'snapshots', { name: 5 }, 'name', 'This must be a string'],
  ['GET', 'outbox?to=a&to=b', undefined, 'to', 'This must be a string'],
  ['POST', 'reset', { seed: './world.yaml' }, 'seed', 'Choose demo or none, or provide a world'],
  ['POST', 'reset', { seed: [] }, 'seed', 'Choose demo or none, or provide a world'],
])('validates %s %s %j and reports %s: %s', async (method, path, body, field, message) => {
  const { body: answer } = await new request.Test(portal.url, method, `/api/lab/${path}`).send(body).expect(400);
  expect(answer.issues).toEqual([{ path: field, message }]);
});
