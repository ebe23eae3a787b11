import {
  channel,
  configureSession,
  getSessionSettings,
  loginLive,
  testDevice,
  testDeviceLive,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { endSessions } from '#core/sign-in/sessions.ts';
import { beginQr, startTestPortal, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { UpgradeRefused } from '#testing-api/live-client.ts';
import { Refusal } from '../refusal.ts';
import { TOPIC } from './bus.ts';
import { type LiveState, type LiveView, serveChannel } from './serve-channel.ts';

const counter = channel({
  path: '/ws/test-counter',
  summary: 'A number that tests count with',
  access: 'public',
  query: z.object({ name: z.string().max(20) }),
  server: z.object({ count: z.number(), timestamp: z.string() }),
  client: z.object({ add: z.number() }),
});

const TICK = 'test:tick';

let portal: TestPortal;
/** The channel's state. Tests change it and signal the change. */
let state: LiveState<typeof counter>;
let closes: number;
let onMessage: LiveView<typeof counter>['onMessage'];
let open: () => void;

beforeEach(async () => {
  state = { message: { count: 0 } };
  closes = 0;
  onMessage = ({ add }) => {
    state = { message: { count: state.message.count + add } };
    portal.deps.bus.changed(TICK);
  };
  open = () => {};
  portal = await testPortal({
    register: (app, deps) =>
      serveChannel(app, deps, counter, {
        open: () => {
          open();
          return {
            topics: [TICK],
            state: () => {
              if (state.message.count < 0) throw new Refusal('ID_DOESNOT_EXIST');
              return state;
            },
            onMessage,
            onClose: () => {
              closes += 1;
            },
          };
        },
      }),
  });
});
afterEach(() => portal.close());

const connect = () => portal.open(counter, { name: 'a' });

function change(next: LiveState<typeof counter>): void {
  state = next;
  portal.deps.bus.changed(TICK);
}

test('sends the full state and the time on connect and on every change', async () => {
  const client = await connect();
  expect(await client.next()).toEqual({ count: 0, timestamp: portal.clock.iso() });
  change({ message: { count: 1 } });
  expect(await client.next()).toMatchObject({ count: 1 });
});

test('sends nothing if a change has no visible effect', async () => {
  const client = await connect();
  await client.next();
  portal.clock.advance(1);
  change({ message: { count: 0 } });
  change({ message: { count: 2 } });
  expect(await client.next()).toMatchObject({ count: 2 });
});

test('sends the next state at the expiry of the current one, before the clock change returns', async () => {
  const client = await connect();
  await client.next();
  change({ message: { count: 1 }, expiresAt: portal.clock.now() + 5_000 });
  expect(await client.next()).toMatchObject({ count: 1 });
  state = { message: { count: 2 } };
  portal.clock.advance(5);
  expect(await client.next()).toMatchObject({ count: 2, timestamp: portal.clock.iso() });
});

test('leaves no listeners or timers behind after closing', async () => {
  state = { message: { count: 0 }, expiresAt: portal.clock.now() + 5_000 };
  const client = await connect();
  await client.next();
  expect(portal.deps.bus.listeners(TICK)).toBe(1);
  client.close();
  await client.closed;
  const probe = await connect();
  await probe.next();
  expect(portal.deps.bus.listeners(TICK)).toBe(1);
  expect(closes).toBe(1);
});

test('answers each message with the state exactly once, changed or not', async () => {
  const client = await connect();
  await client.next();
  client.send({ add: 0 });
  expect(await client.next()).toMatchObject({ count: 0 });
  client.send({ add: 2 });
  client.send({ add: 3 });
  expect(await client.next()).toMatchObject({ count: 2 });
  expect(await client.next()).toMatchObject({ count: 5 });
  expect(client.waiting()).toBe(0);
});

test('handles messages one at a time, however long each takes', async () => {
  let release = () => {};
  const handled: number[] = [];
  onMessage = async ({ add }) => {
    if (add === 1) await new Promise<void>((resolve) => (release = resolve));
    handled.push(add);
  };
  const client = await connect();
  await client.next();
  client.send({ add: 1 });
  client.send({ add: 2 });
  const other = await connect();
  await other.next();
  other.send({ add: 3 });
  await other.next();
  release();
  await client.next();
  await client.next();
  expect(handled).toEqual([3, 1, 2]);
});

test.each([
  ['text that is not JSON', 'rubbish', /^The message is not valid JSON or is nested too deeply\.$/],
  ['a message of another type', '{"add":"1"}', /^add: This must be a number$/],
  ['a missing field', '{}', /^add: This field is required$/],
  ['an array', '[]', /^message: This must be an object$/],
  ['binary data', Buffer.from([0, 1, 2]), /^Messages must be text\.$/],
  ['17 kB', JSON.stringify({ add: 1, pad: 'x'.repeat(17_000) }), /^The message cannot be larger than 16 KiB\.$/],
])('closes only the sender’s socket with 1008 and the reason for %s', async (_name, data, reason) => {
  const other = await connect();
  await other.next();
  const client = await connect();
  await client.next();
  client.sendRaw(data);
  const closed = await client.closed;
  expect(closed.code).toBe(1008);
  expect(closed.reason).toMatch(reason);
  change({ message: { count: 7 } });
  expect(await other.next()).toMatchObject({ count: 7 });
});

test('handles messages sent before the client disconnected', async () => {
  let release = () => {};
  const handled: number[] = [];
  onMessage = async ({ add }) => {
    if (add === 1) await new Promise<void>((resolve) => (release = resolve));
    handled.push(add);
  };
  const client = await connect();
  await client.next();
  client.send({ add: 1 });
  client.send({ add: 2 });
  client.close();
  await client.closed;
  expect(closes).toBe(0);
  release();
  await expect.poll(() => closes).toBe(1);
  expect(handled).toEqual([1, 2]);
  expect(portal.deps.bus.listeners(TICK)).toBe(0);
});

test("closes with 1008 if a client sends a message on a channel that doesn't accept messages", async () => {
  const { token } = await portal.signIn('user@acme.test');
  const codes = await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token });
  const device = await portal.open(testDeviceLive, { qid: codes.body.qid, org: 'acme' }, { token });
  await device.next();
  const { loginId } = await beginQr(portal);
  const login = await portal.open(loginLive, { loginId });
  await login.next();
  login.sendRaw('{}');
  expect(await login.closed).toEqual({ code: 1008, reason: "This channel doesn't accept messages." });
});

test('closes with 1008 on a flood of messages', async () => {
  onMessage = () => new Promise(() => {});
  const client = await connect();
  await client.next();
  for (let sent = 0; sent < 50; sent += 1) client.send({ add: 1 });
  expect(await client.closed).toEqual({ code: 1008, reason: 'Too many messages.' });
});

test('closes with 1008 and a reason when the state no longer exists', async () => {
  const client = await connect();
  await client.next();
  change({ message: { count: -1 } });
  const { code, reason } = await client.closed;
  expect(code).toBe(1008);
  expect(reason).toMatch(/^ID_DOESNOT_EXIST: /);
});

test('closes with 1011 and a generic reason after an unexpected error', async () => {
  onMessage = () => {
    throw new TypeError('secret detail');
  };
  const client = await connect();
  await client.next();
  client.send({ add: 1 });
  expect(await client.closed).toEqual({ code: 1011, reason: 'Something went wrong!' });
});

/** Returns the HTTP response to a refused upgrade. Throws if the channel opens. */
async function refusalOf(opening: Promise<unknown>): Promise<UpgradeRefused> {
  const reason = await opening.then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (reason instanceof UpgradeRefused) return reason;
  throw reason ?? new Error('The channel was opened.');
}

test('responds to a refused upgrade with an HTTP status and the response envelope', async () => {
  open = () => {
    throw new Refusal('ID_DOESNOT_EXIST');
  };
  expect(await refusalOf(connect())).toMatchObject({
    status: 404,
    body: { resultCode: 21, resultName: 'ID_DOESNOT_EXIST', requestId: expect.any(String) },
  });
  open = () => {
    throw new Refusal('EXPIRED');
  };
  expect(await refusalOf(connect())).toMatchObject({ status: 409, body: { resultCode: 10 } });
  open = () => {
    throw new TypeError('secret detail');
  };
  expect(await refusalOf(connect())).toMatchObject({ status: 500, body: { message: 'Something went wrong!' } });
  expect(await refusalOf(portal.open(counter, { name: 'x'.repeat(21) }))).toMatchObject({
    status: 400,
    body: { resultCode: 1, issues: [{ path: 'name' }] },
  });
  const nowhere = { ...counter, path: '/ws/nowhere' as const };
  expect(await refusalOf(portal.open(nowhere, { name: 'a' }))).toMatchObject({ status: 404, body: { resultCode: 21 } });
});

async function openTest(email: string, org = 'acme') {
  const auth = await portal.signIn(email);
  const codes = await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token: auth.token });
  return { auth, opening: portal.open(testDeviceLive, { qid: codes.body.qid, org }, { token: auth.token }) };
}

// covers: security 4.4.2
test('accepts the token only as a subprotocol on channels that require a session', async () => {
  const { auth, opening } = await openTest('user@acme.test');
  const client = await opening;
  expect(await client.next()).toMatchObject({ op: expect.any(String) });
  for (const token of [undefined, 'x', `${auth.token}x`]) {
    const query = { qid: 'q', org: 'acme' };
    expect(await refusalOf(portal.open(testDeviceLive, query, { token }))).toMatchObject({
      status: 401,
      body: { resultCode: 28, resultName: 'UNAUTHORIZED' },
    });
  }
});

test("refuses another organisation's code in the query", async () => {
  const { opening } = await openTest('user@acme.test', 'globex');
  expect(await refusalOf(opening)).toMatchObject({ status: 403, body: { resultCode: 51 } });
});

// covers: security 4.4.3, security 4.4.4
test("closes an ended session's channels with 4401 and leaves others open", async () => {
  const mine = await openTest('user@acme.test');
  const others = await openTest('manager@acme.test');
  const [client, other] = await Promise.all([mine.opening, others.opening]);
  await Promise.all([client.next(), other.next()]);
  endSessions(portal.deps, 'acme', { suid: mine.auth.profile.suid });
  const { code, reason } = await client.closed;
  expect(code).toBe(4401);
  expect(reason).toMatch(/^INVALID_SESSION: /);
  portal.deps.bus.changed(TOPIC.reset);
  other.sendRaw('rubbish');
  expect((await other.closed).code).toBe(1008);
});

test('closes channels when their session expires', async () => {
  portal.deps.db.$client.exec(`UPDATE organisations SET sessionTimeout = 15 WHERE orgCode = 'acme'`);
  const { opening } = await openTest('user@acme.test');
  const client = await opening;
  await client.next();
  portal.clock.advance(15 * 60);
  expect((await client.closed).code).toBe(4401);
});

test('closes channels at the new expiry when a session is shortened', async () => {
  const { opening } = await openTest('user@acme.test');
  const client = await opening;
  await client.next();
  const { token } = await portal.signIn('security.admin@acme.test');
  const { resultCode, ...options } = (await portal.call(getSessionSettings, {}, { token })).body;
  await portal.call(configureSession, { body: { ...options, sessionTimeout: 15 } }, { token });
  portal.clock.advance(15 * 60);
  expect((await client.closed).code).toBe(4401);
});

test('closes channels with 1001 on shutdown', async () => {
  const other = await startTestPortal();
  const { loginId } = await beginQr(other);
  const client = await other.open(loginLive, { loginId });
  await client.next();
  await other.close();
  expect(await client.closed).toEqual({ code: 1001, reason: 'The server is closing.' });
});
