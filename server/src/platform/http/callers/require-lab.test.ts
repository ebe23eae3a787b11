import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readClock } from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '#config.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const TOKEN = 'a-token-of-the-lab';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ config: { labToken: TOKEN } });
});
afterAll(() => portal.close());

const statusOf = async (headers: Record<string, string>, { url }: { url: string } = portal): Promise<number> =>
  (await request(url).get('/api/lab/clock').set(headers)).status;

test.each(['localhost', 'localhost:3000', 'portal.localhost', '127.0.0.1:3000', '127.1.2.3', '[::1]:3000'])(
  'admits a client on this machine at %s',
  async (host) => {
    expect(await statusOf({ host })).toBe(200);
  },
);

test.each([
  'rebound.example',
  'localhost.example',
  '192.168.1.5:3000',
  'localhost@rebound.example',
  '127.0.0.1.example',
  'localhost#.rebound.example',
  'localhost/.rebound.example',
])('refuses a page that has rebound the hostname %s to this machine', async (host) => {
  expect(await statusOf({ host })).toBe(403);
});

test.each([
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'localhost'],
  ['x-forwarded-proto', 'http'],
  ['forwarded', 'for=127.0.0.1'],
  ['x-real-ip', '127.0.0.1'],
  ['via', '1.1 proxy'],
])('refuses requests forwarded by a proxy on this machine: %s', async (name, value) => {
  expect(await statusOf({ host: 'localhost', [name]: value })).toBe(403);
});

test("refuses other sites' pages on this machine but admits the portal's own pages", async () => {
  expect(await statusOf({ host: 'localhost', origin: 'https://else.example' })).toBe(403);
  expect(await statusOf({ host: 'localhost', origin: 'null' })).toBe(403);
  expect(await statusOf({ host: 'localhost:3000', origin: 'http://localhost:3000' })).toBe(200);
});

test("detects another site's page by Sec-Fetch-Site or Referer alone", async () => {
  const host = 'localhost:3000';
  expect(await statusOf({ host, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf({ host, referer: 'https://else.example/page' })).toBe(403);
  // Pages on another port of this machine come from a program of the same user and can't read responses without CORS,
  // so `same-site` is safe.
  for (const site of ['none', 'same-origin', 'same-site']) {
    expect(await statusOf({ host, 'sec-fetch-site': site, referer: 'http://localhost:3000/lab' })).toBe(200);
  }
});

test('treats HTTP/1.0 requests as coming from a proxy', async () => {
  const { port, host } = new URL(portal.url);
  const socket = connect(Number(port), 'localhost');
  socket.write(`GET /api/lab/virtual-devices HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const [answer] = await Promise.all([text(socket), once(socket, 'close')]);
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('prevents other sites from embedding lab and API responses', async () => {
  const { headers } = await portal.call(readClock, {});
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  for (const [path, policy] of [
    ['/api/org/settings?code=acme', 'same-origin'],
    ['/api/nothing', 'same-origin'],
    ['/.well-known/jwks.json', 'cross-origin'],
  ] as const) {
    await portal.http.get(path).expect('cross-origin-resource-policy', policy);
  }
});

describe('on a portal that other machines can reach', () => {
  const ELSEWHERE: Partial<Config>[] = [{ publicUrl: 'https://portal.example' }, { host: '0.0.0.0' }];
  const local = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' };

  /**
   * Starts a portal with a configuration that lets other machines reach it, and returns a function that calls it from
   * this machine.
   */
  async function elsewhere(config: Partial<Config>) {
    const opened = await testPortal({ config });
    const address = opened.app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return { url: `http://localhost:${port}`, close: () => opened.close() };
  }

  test.each(ELSEWHERE)('requires the lab token even on this machine: %o', async (config) => {
    const response = await elsewhere({ ...config, labToken: TOKEN });
    try {
      expect(await statusOf(local, response)).toBe(403);
      expect(await statusOf({ ...local, authorization: `Bearer ${TOKEN}x` }, response)).toBe(403);
      expect(await statusOf({ ...local, authorization: `Bearer ${TOKEN}` }, response)).toBe(200);
    } finally {
      await response.close();
    }
  });

  test.each(ELSEWHERE)('closes the lab if no lab token is set: %o', async (config) => {
    const response = await elsewhere({ ...config, labToken: null });
    try {
      expect(await statusOf(local, response)).toBe(403);
      for (const token of ['', 'null', 'auto']) {
        expect(await statusOf({ ...local, authorization: `Bearer ${token}` }, response)).toBe(403);
      }
    } finally {
      await response.close();
    }
  });
});

test('accepts the token from anywhere and refuses a wrong token', async () => {
  const elsewhere = { host: 'portal.example', 'x-forwarded-for': '203.0.113.9' };
  expect(await statusOf({ ...elsewhere, authorization: `Bearer ${TOKEN}` })).toBe(200);
  expect(await statusOf({ ...elsewhere, authorization: `Bearer ${TOKEN}x` })).toBe(403);
  expect(await statusOf({ ...elsewhere, authorization: 'Bearer ' })).toBe(403);
});

test('refuses every bearer token if no lab token is set', async () => {
  const open = await testPortal();
  try {
    const elsewhere = { host: 'portal.example' };
    for (const token of ['', 'null', 'undefined']) {
      expect(await statusOf({ ...elsewhere, authorization: `Bearer ${token}` }, open)).toBe(403);
    }
  } finally {
    await open.close();
  }
});

// covers: security 15.2.3
test('does not serve the lab with LAB=off', async () => {
  const closed = await testPortal({ config: { lab: false, labToken: TOKEN } });
  try {
    expect(await statusOf({ host: 'localhost', authorization: `Bearer ${TOKEN}` }, closed)).toBe(404);
    expect(closed.deps.registered.endpoints.filter(({ area }) => area === 'Lab')).toEqual([]);
  } finally {
    await closed.close();
  }
});
