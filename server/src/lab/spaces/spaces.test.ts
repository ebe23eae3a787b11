import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  addFault,
  endSpace,
  health,
  listSpaces,
  login,
  loginState,
  MINUTE,
  makePerson,
  makeSpace,
  readClock,
  readFaults,
  readJournal,
  readOutbox,
  regenerateActivationCode,
  resetLab,
  SPACES_MAX,
  setClock,
  signup,
  virtualDevices,
} from '@orchestrate/shared';
import { createAuthenticator, createPortalCall } from '@orchestrate/shared/authenticator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestPortal, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterEach(async () => {
  for (const { spaceId } of (await portal.call(listSpaces, {})).body.spaces) {
    await portal.call(endSpace, { params: { spaceId } });
  }
});
afterAll(() => portal.close());

/** Starts a space and returns an HTTP-only client for it. */
async function space(body: { seed?: 'demo' | 'none'; name?: string; now?: string } = {}) {
  const made = (await portal.call(makeSpace, { body })).body;
  return { ...made, call: createPortalCall({ baseUrl: made.url }) };
}

type Space = Awaited<ReturnType<typeof space>>;

/** Signs a user in with a code, using the space's device keys. */
async function signIn({ url, call }: Space, email: string) {
  const { devices } = await call(virtualDevices, { query: { orgCode: 'acme' } });
  const found = devices.find(({ primaryEmail, type }) => primaryEmail === email && type === 'mobile');
  if (!found) throw new Error(`Expected a phone of ${email} in the space, found ${devices.length} others.`);
  const device = { ...found, type: 'mobile' as const, platform: 'Test', email };
  const authenticator = createAuthenticator({ baseUrl: url, now: () => Date.parse('2026-03-02T09:30:00.000Z') });
  const started = await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const { challenge } = await authenticator.resolve(device, started.qid ?? '');
  await authenticator.respond(device, {
    challengeId: challenge.challengeId,
    decision: 'approve',
    number: started.matchNumber,
  });
  const loginId = started.loginId ?? '';
  const { exchangeToken = '' } = await call(loginState, { params: { loginId } });
  return call(login, { body: { loginId, exchangeToken } });
}

test('serves a complete portal that people can sign in to', async () => {
  const one = await space({ name: 'Worker 1' });
  expect(one).toMatchObject({ name: 'Worker 1', url: expect.stringMatching(/^http:\/\/localhost:\d+$/) });
  expect(one.url).not.toBe(portal.url);
  expect((await signIn(one, 'user@acme.test')).profile?.email).toBe('user@acme.test');
  const { body } = await portal.call(listSpaces, {});
  expect(body.spaces).toEqual([expect.objectContaining({ spaceId: one.spaceId, url: one.url })]);
});

test('isolates clock, faults, outbox and data between spaces', async () => {
  const now = '2026-05-05T05:05:00.000Z';
  const [one, other] = await Promise.all([space({ now }), space({ now })]);
  await one.call(setClock, { body: { advanceSeconds: 3_600 } });
  await one.call(addFault, { body: { match: { path: '/api/health' }, answer: { status: 503 }, times: 5 } });
  await one.call(resetLab, { body: { seed: 'none' } });
  await one.call(addFault, { body: { match: { path: '/api/health' }, answer: { status: 503 }, times: 5 } });
  await expect(one.call(health, {})).rejects.toMatchObject({ status: 503 });
  for (const { call } of [other, { call: createPortalCall({ baseUrl: portal.url }) }]) {
    expect((await call(health, {})).resultCode).toBe(0);
    expect((await call(readFaults, {})).faults).toEqual([]);
    expect((await call(virtualDevices, { query: {} })).devices.length).toBeGreaterThan(0);
  }
  expect((await other.call(readClock, {})).now).toBe(now);
});

test('captures a space’s emails in its own outbox', async () => {
  const one = await space();
  const before = (await portal.call(readOutbox, { query: {} })).body.messages.length;
  const { token = '' } = await signIn(one, 'super.admin@acme.test');
  const asAdmin = createPortalCall({ baseUrl: one.url, headers: { authorization: `Bearer ${token}` } });
  const newcomer = { email: 'mara.lindholm@acme.test', primaryAttr: 'E-11020' };
  await asAdmin(regenerateActivationCode, { body: { ...newcomer, type: 'mobile', sendEmail: true } });
  const { messages } = await one.call(readOutbox, { query: { to: 'mara.lindholm@acme.test' } });
  expect(messages[0]?.to).toBe('mara.lindholm@acme.test');
  expect((await portal.call(readOutbox, { query: {} })).body.messages).toHaveLength(before);
});

test('names cookies per space, because cookies are shared across ports of a host', async () => {
  const one = await space();
  const names = async (url: string) => {
    const answer = await fetch(`${url}/api/oidc/login?orgCode=acme`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    return answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
  };
  const [here, there] = [await names(portal.url), await names(one.url)];
  expect(here.length).toBeGreaterThan(0);
  expect(there.filter((name) => here.includes(name))).toEqual([]);
});

// covers: security 3.4.6
test('lets only the space itself frame its pages', async () => {
  const framing = async (url: string) => {
    const { headers } = await fetch(url);
    return [
      headers.get('x-frame-options'),
      /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0],
    ];
  };
  const { url } = await space();
  expect(await framing(`${url}/docs`)).toEqual(['SAMEORIGIN', "frame-ancestors 'self'"]);
  expect(await framing(`${portal.url}/docs`)).toEqual(['DENY', "frame-ancestors 'none'"]);
  // API responses can never be framed, in spaces or in the portal.
  expect(await framing(`${url}/api/health`)).toEqual([null, "frame-ancestors 'none'"]);
});

describe('requests to missing or nested spaces', () => {
  test('return 410 with the space’s name if the space has ended', async () => {
    const one = await space({ name: 'Gone' });
    await portal.call(endSpace, { params: { spaceId: one.spaceId } });
    const { status, body } = await portal.call(endSpace, { params: { spaceId: one.spaceId } });
    expect({ status, message: body.message }).toEqual({
      status: 410,
      message: expect.stringContaining('The space Gone ended'),
    });
    await expect(fetch(`${one.url}/api/health`)).rejects.toThrow('fetch failed');
  });

  test('return 404 if the space has never existed', async () => {
    const { status, body } = await portal.call(endSpace, { params: { spaceId: 'nowhere' } });
    expect({ status, message: body.message }).toEqual({ status: 404, message: 'There is no space nowhere.' });
  });

  test('are refused if they create a space within another space', async () => {
    const one = await space();
    await expect(one.call(makeSpace, { body: {} })).rejects.toMatchObject({ resultName: 'UNSUPPORTED_ACTION' });
  });
});

test('uses the ports in SPACE_PORTS and refuses a space if all are in use', async () => {
  const probe = await startTestPortal();
  const port = Number(new URL(probe.url).port);
  await probe.close();
  const narrow = await testPortal({ config: { spacePorts: [port, port] } });
  const made = await narrow.call(makeSpace, { body: {} });
  expect(new URL(made.body.url).port).toBe(String(port));
  const { status, body } = await narrow.call(makeSpace, { body: {} });
  expect({ status, message: body.message }).toEqual({ status: 409, message: expect.stringContaining('SPACE_PORTS') });
  await narrow.close();
  await expect(fetch(`${made.body.url}/api/health`)).rejects.toThrow('fetch failed');
});

test('reuses the port of an ended space last, because clients may still call it', async () => {
  const probe = await startTestPortal();
  const port = Number(new URL(probe.url).port);
  await probe.close();
  const wide = await testPortal({ config: { spacePorts: [port, port + 20] } });
  const portOf = async () => {
    const { body } = await wide.call(makeSpace, { body: {} });
    await wide.call(endSpace, { params: { spaceId: body.spaceId } });
    return Number(new URL(body.url).port);
  };
  const ports = [await portOf(), await portOf(), await portOf()];
  expect(new Set(ports).size).toBe(3);
  await wide.close();
});

test('skips a port used by another program', async () => {
  const other = await startTestPortal();
  const port = Number(new URL(other.url).port);
  const only = await testPortal({ config: { spacePorts: [port, port] } });
  const { status, body } = await only.call(makeSpace, { body: {} });
  expect({ status, message: body.message }).toEqual({
    status: 409,
    message: expect.stringContaining('1 of them by other programs'),
  });
  await only.close();
  const wide = await testPortal({ config: { spacePorts: [port, port + 20] } });
  const made = await wide.call(makeSpace, { body: {} });
  expect(Number(new URL(made.body.url).port)).toBeGreaterThan(port);
  await wide.close();
  await other.close();
});

test('ends a starting space when its portal closes', async () => {
  const main = await startTestPortal();
  const making = main.call(makeSpace, { body: {} });
  const made = await Promise.race([making, once(main.app.server, 'request')]);
  expect(made).not.toHaveProperty('status');
  await main.close();
  const { status, body } = await making;
  expect({ status, message: body.message }).toEqual({
    status: 409,
    message: 'The portal shut down before the space had started.',
  });
});

test('ends a starting space if the client disconnects before receiving its URL', async () => {
  const listening = await space();
  for (let round = 0; round < 3; round += 1) {
    const request = new AbortController();
    const began = once(portal.app.server, 'request');
    const answer = fetch(`${portal.url}/api/lab/spaces`, { method: 'POST', signal: request.signal });
    await began;
    request.abort();
    await expect(answer).rejects.toThrow('aborted');
  }
  // This space was requested last, so the earlier spaces have started by now too.
  const last = await space();
  const listed = async () => (await portal.call(listSpaces, {})).body.spaces.map(({ spaceId }) => spaceId);
  await expect.poll(listed).toEqual([listening.spaceId, last.spaceId]);
});

/**
 * Runs one test of a worker: changes the space's clock, faults and data, and returns every difference from what the
 * worker expects.
 */
async function testOf({ call }: Space, worker: number, index: number): Promise<unknown> {
  const email = `worker-${worker}-${index}@acme.test`;
  const neighbour = `worker-${(worker + 1) % WORKERS}-${index}@acme.test`;
  const kinds: (() => Promise<[is: unknown, should: unknown]>)[] = [
    async () => {
      const now = new Date(Date.UTC(2030 + worker, 0, 1, 0, index)).toISOString();
      await call(setClock, { body: { freezeAt: now } });
      return [(await call(readClock, {})).now, now];
    },
    async () => {
      const status = 500 + worker;
      await call(addFault, { body: { match: { path: '/api/health' }, answer: { status } } });
      const down = await call(health, {}).catch((failure: { status?: number }) => failure);
      const { faults, fired } = await call(readFaults, {});
      const own = fired.filter(({ fault }) => 'answer' in fault && fault.answer.status === status);
      return [
        ['status' in down && down.status, faults.length, own.length],
        [status, 0, fired.length],
      ];
    },
    async () => {
      await call(signup, { body: { orgCode: 'acme', firstName: 'Worker', lastName: 'Test', email } });
      const countTo = async (to: string) => (await call(readOutbox, { query: { to } })).messages.length;
      return [await Promise.all([email, neighbour].map(countTo)), [1, 0]];
    },
    async () => {
      await call(signup, { body: { orgCode: 'acme', firstName: 'Journal', lastName: 'Test', email } });
      const countOf = async (of: string) => (await call(readJournal, { query: { email: of } })).entries.length > 0;
      const { entries } = await call(readJournal, { query: { limit: 500 } });
      const strange = JSON.stringify(entries).match(/worker-\d+(?=-\d+@)/g) ?? [];
      const others = strange.filter((name) => name !== `worker-${worker}`);
      return [
        [await countOf(email), others],
        [true, []],
      ];
    },
    async () => {
      await call(makePerson, { body: { org: 'acme', email } });
      const strangers = (await call(virtualDevices, { query: { orgCode: 'acme' } })).devices.filter(
        ({ primaryEmail: of }) => of.startsWith('worker-') && !of.startsWith(`worker-${worker}-`),
      );
      return [strangers, []];
    },
    async () => {
      await call(resetLab, { body: {} });
      return [(await call(readFaults, {})).fired, []];
    },
  ];
  const [is, should] = (await kinds[index % kinds.length]?.()) ?? [];
  return isDeepStrictEqual(is, should) ? [] : [{ worker, index, is, should }];
}
const WORKERS = 8;
const TESTS = 50;
/** Test timeout, in milliseconds. The 1,200 calls take a few seconds, or up to a minute on a busy machine. */
const LONG_MS = 120_000;

test(
  'acceptance 7: isolates 8 workers x 50 tests and returns 4xx for unknown spaces',
  async () => {
    const workers = Array.from({ length: WORKERS }, async (_, worker) => {
      const own = await space({ name: `Worker ${worker}` });
      const disturbances: unknown[] = [];
      for (let index = 0; index < TESTS; index += 1) disturbances.push(await testOf(own, worker, index));
      return disturbances;
    });
    expect((await Promise.all(workers)).flat(2)).toEqual([]);
    expect((await portal.call(endSpace, { params: { spaceId: 'worker-9' } })).status).toBe(404);
  },
  LONG_MS,
);

test('refuses one space if one more than the limit is requested concurrently', {
  tags: 'whole',
  timeout: LONG_MS,
}, async () => {
  const making = Array.from({ length: SPACES_MAX + 1 }, () => portal.call(makeSpace, { body: { seed: 'none' } }));
  const refused = (await Promise.all(making)).filter(({ status }) => status !== 200);
  expect(refused).toEqual([
    expect.objectContaining({
      status: 409,
      body: expect.objectContaining({ message: `There are ${SPACES_MAX} spaces already. End one first.` }),
    }),
  ]);
});

describe('with a fake system clock', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
  afterEach(() => vi.useRealTimers());

  test('ends a space after half an hour without requests and explains why', async () => {
    const main = await startTestPortal();
    const make = async (name: string) => (await main.call(makeSpace, { body: { name } })).body;
    const [idle, busy] = [await make('Idle'), await make('Busy')];
    vi.advanceTimersByTime(20 * MINUTE);
    expect((await fetch(`${busy.url}/api/health`)).status).toBe(200);
    vi.advanceTimersByTime(11 * MINUTE);
    const names = async () => (await main.call(listSpaces, {})).body.spaces.map(({ name }) => name);
    expect(await names()).toEqual(['Busy']);
    const { status, body } = await main.call(endSpace, { params: { spaceId: idle.spaceId } });
    expect({ status, message: body.message }).toEqual({
      status: 410,
      message: 'The space Idle ended after 30 minutes without a request.',
    });
    await main.close();
  });
});

test('releases the memory of ended spaces', { tags: 'whole' }, async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  const startAndEnd = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      const { spaceId, call } = await space();
      await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      await portal.call(endSpace, { params: { spaceId } });
    }
  };
  await startAndEnd(5);
  const before = used();
  await startAndEnd(20);
  // Ending a space takes about two seconds, after which its connections are closed.
  await expect.poll(used, { timeout: 20_000, interval: 500 }).toBeLessThan(before + 10);
});
