import {
  addSocketFault,
  clearSocketFaults,
  denyRequest,
  loginLive,
  readSocketFaults,
  resetLab,
} from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.call(resetLab, { body: {} }));
afterAll(() => portal.close());

type Given = z.input<(typeof addSocketFault)['body']>;

/** Adds a fault and asserts that it is accepted. */
async function fault(body: Omit<Given, 'channel'>): Promise<void> {
  const { status, body: answer } = await portal.call(addSocketFault, { body: { channel: 'login', ...body } });
  expect({ status, issues: answer.issues }).toEqual({ status: 200 });
}

/** Starts a sign-in in a connected browser. */
async function watched() {
  const { loginId } = await beginQr(portal);
  const open = () => portal.open(loginLive, { loginId });
  const deny = () => portal.call(denyRequest, { params: { loginId }, body: { as: 'user@acme.test' } });
  return { open, deny };
}

test('refuses a connection and accepts the next one', async () => {
  await fault({ do: 'refuse' });
  const { open } = await watched();
  await expect(open()).rejects.toMatchObject({ status: 503 });
  expect((await (await open()).next()).state).toBe('init');
});

test('drops a connection without a close frame', async () => {
  await fault({ do: 'cut' });
  const { open } = await watched();
  expect((await (await open()).closed).code).toBe(1006);
});

test('closes a connection with a code instead of sending the message for a given state', async () => {
  await fault({ do: 'close', code: 4_001, state: 'rejected' });
  const { open, deny } = await watched();
  const channel = await open();
  await deny();
  expect((await channel.closed).code).toBe(4_001);
  expect((await (await open()).next()).state).toBe('rejected');
});

test('delays a message', async () => {
  await fault({ do: 'delay', ms: 120 });
  const began = performance.now();
  await (await (await watched()).open()).next();
  expect(performance.now() - began).toBeGreaterThanOrEqual(119);
});

test('sends a message twice', async () => {
  await fault({ do: 'duplicate' });
  const channel = await (await watched()).open();
  expect(await channel.next()).toEqual(await channel.next());
});

test('drops a message and sends the next one', async () => {
  await fault({ do: 'drop' });
  const { open, deny } = await watched();
  const channel = await open();
  await deny();
  expect((await channel.next()).state).not.toBe('init');
});

test('sends a message after the one that follows it', async () => {
  await fault({ do: 'reorder' });
  const { open, deny } = await watched();
  const channel = await open();
  await deny();
  const states = [(await channel.next()).state, (await channel.next()).state];
  expect(states).toEqual(['pending', 'init']);
});

test('holds back messages that follow a delayed one', async () => {
  await fault({ do: 'delay', ms: 150, state: 'init' });
  const { open, deny } = await watched();
  const channel = await open();
  await deny();
  expect([(await channel.next()).state, (await channel.next()).state]).toEqual(['init', 'pending']);
});

test('sends the last message even if no other message follows to swap with', async () => {
  await fault({ do: 'reorder', state: 'rejected' });
  const { open, deny } = await watched();
  const channel = await open();
  await deny();
  const states = [];
  while (states.at(-1) !== 'rejected') states.push((await channel.next()).state);
  expect(states[0]).toBe('init');
});

test('lists pending and fired faults until they are cleared', async () => {
  await fault({ do: 'drop', times: 2 });
  await (await watched()).open();
  expect((await portal.call(readSocketFaults, {})).body.faults).toEqual([{ channel: 'login', do: 'drop', times: 1 }]);
  const fired = { at: expect.any(String), fault: { channel: 'login', do: 'drop', times: 1 } };
  expect((await portal.call(readSocketFaults, {})).body.fired).toEqual([fired]);
  await portal.call(clearSocketFaults, {});
  expect((await portal.call(readSocketFaults, {})).body).toMatchObject({ faults: [], fired: [] });
});

describe('adding a socket fault', () => {
  test.each<[string, unknown, string, string]>([
    ['an unknown channel', { channel: 'logn', do: 'cut' }, 'channel', 'login'],
    ['an unknown state', { channel: 'login', do: 'drop', state: 'sucess' }, 'state', 'Did you mean success?'],
    [
      'a state on a channel without states',
      { channel: 'authenticator', do: 'drop', state: 'init' },
      'state',
      "don't have a state",
    ],
    ['a close without a code', { channel: 'login', do: 'close' }, 'code', 'requires a code'],
    ['a code that servers cannot send', { channel: 'login', do: 'close', code: 1_006 }, 'code', "can't close"],
    ['a delay without ms', { channel: 'login', do: 'delay' }, 'ms', 'requires ms'],
    ['a refusal that names a message state', { channel: 'login', do: 'refuse', state: 'init' }, 'state', 'no message'],
  ])('rejects %s', async (_, given, path, hint) => {
    const { status, body } = await portal.call(addSocketFault, { body: given as Given });
    expect(status).toBe(400);
    expect(body.issues).toContainEqual({ path, message: expect.stringContaining(hint) });
  });
});
