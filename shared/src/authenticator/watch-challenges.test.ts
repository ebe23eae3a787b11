import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingChallenge } from '../contract/devices/authenticator.ts';
import { codeOf } from '../result-codes.ts';
import { PortalRefusal } from './portal-refusal.ts';
import { type LiveSocket, type WatchState, watchChallenges } from './watch-challenges.ts';

/** A fake socket whose remote end is controlled by the test. */
class Wire implements LiveSocket {
  static opened: Wire[] = [];
  readonly url: string;
  readonly sent: string[] = [];
  isClosed = false;
  readonly #listeners: { type: string; listener: (event: { data: unknown }) => void }[] = [];

  constructor(url: string) {
    this.url = url;
    Wire.opened.push(this);
  }
  addEventListener(type: string, listener: (event: { data: unknown }) => void) {
    this.#listeners.push({ type, listener });
  }
  send(data: string) {
    this.sent.push(data);
  }
  close() {
    this.isClosed = true;
  }
  happens(event: 'open' | 'close' | 'message', data: unknown = '') {
    for (const { type, listener } of this.#listeners) if (type === event) listener({ data });
  }
  receive(challenges: PendingChallenge[]) {
    this.happens('message', JSON.stringify({ op: 'challenges', challenges, timestamp: '2030-01-01T12:00:00.000Z' }));
  }
}

const challenge: PendingChallenge = {
  challengeId: 'c-1',
  kind: 'login',
  orgCode: 'acme',
  orgName: 'Acme Corporation',
  requester: { ip: '192.0.2.14', userAgent: 'Chrome' },
  appLock: false,
  requestedAt: '2030-01-01T12:00:00.000Z',
  expiresAt: '2030-01-01T12:02:00.000Z',
};

beforeEach(() => {
  Wire.opened = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watching(pending: () => Promise<PendingChallenge[]> = async () => []) {
  const states: WatchState['state'][] = [];
  const seen: PendingChallenge[][] = [];
  const times: string[] = [];
  const hellos: null[] = [];
  const watch = watchChallenges(
    {
      url: 'ws://portal.test/ws/authenticator',
      Socket: Wire,
      hello: () => `hello ${hellos.push(null)}`,
      pending,
      onTime: (time) => times.push(time),
    },
    { onChallenges: (challenges) => seen.push(challenges), onState: ({ state }) => states.push(state) },
  );
  return { watch, states, seen, times };
}

test('authenticates the device on connecting and then reports every state and its time', () => {
  const { states, seen, times } = watching();
  const [wire] = Wire.opened;

  wire?.happens('open');
  wire?.receive([]);
  wire?.receive([challenge]);

  expect(wire?.url).toBe('ws://portal.test/ws/authenticator');
  expect(wire?.sent).toEqual(['hello 1']);
  expect(seen).toEqual([[], [challenge]]);
  expect(states).toEqual(['connecting', 'live']);
  expect(times).toHaveLength(2);
});

test('reconnects with a new proof and reports the lost connection once', async () => {
  const { states } = watching();
  Wire.opened[0]?.happens('open');
  Wire.opened[0]?.receive([]);
  Wire.opened[0]?.happens('close');
  await vi.advanceTimersByTimeAsync(500);
  Wire.opened[1]?.happens('close');
  await vi.advanceTimersByTimeAsync(1_000);
  Wire.opened[2]?.happens('open');
  Wire.opened[2]?.receive([]);

  expect(Wire.opened).toHaveLength(3);
  expect(Wire.opened[2]?.sent).toEqual(['hello 2']);
  expect(states).toEqual(['connecting', 'live', 'reconnecting', 'live']);
});

test('receives requests over HTTP while no socket can be opened', async () => {
  const { seen } = watching(async () => [challenge]);

  Wire.opened[0]?.happens('close');
  await vi.advanceTimersByTimeAsync(0);

  expect(seen).toEqual([[challenge]]);
});

test('reports why a device is refused and retries later', async () => {
  const refusal = new PortalRefusal({
    status: 200,
    resultCode: codeOf('DEVICE_INACTIVE'),
    resultName: 'DEVICE_INACTIVE',
    message: 'This device is paused.',
  });
  const { states } = watching(() => Promise.reject(refusal));

  Wire.opened[0]?.happens('close');
  await vi.advanceTimersByTimeAsync(0);
  expect(states.at(-1)).toBe('refused');

  await vi.advanceTimersByTimeAsync(15_000);
  Wire.opened[1]?.happens('open');
  Wire.opened[1]?.receive([]);
  expect(states.at(-1)).toBe('live');
});

test('ignores malformed messages', () => {
  const { seen, states } = watching();
  const [wire] = Wire.opened;

  wire?.happens('open');
  wire?.happens('message', 'not json');
  wire?.happens('message', '{"op":"challenges"}');

  expect(seen).toEqual([]);
  expect(states).toEqual(['connecting']);
});

test('stops reporting and connecting once stopped', async () => {
  const { watch, seen, states } = watching();
  const [wire] = Wire.opened;

  watch.stop();
  wire?.receive([challenge]);
  wire?.happens('close');
  watch.retry();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(wire?.isClosed).toBe(true);
  expect(seen).toEqual([]);
  expect(states).toEqual(['connecting']);
  expect(Wire.opened).toHaveLength(1);
});

test('connects immediately on request', async () => {
  const { watch } = watching();
  Wire.opened[0]?.happens('close');
  await vi.advanceTimersByTimeAsync(0);

  watch.retry();

  expect(Wire.opened).toHaveLength(2);
});
