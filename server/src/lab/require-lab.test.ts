import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../testing.ts';

const TOKEN = 'a-token-of-the-lab';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ config: { labToken: TOKEN } });
});
afterAll(() => portal.close());

/** `fetch` would not let a test choose the `Host` header. */
function statusOf(headers: Record<string, string>, { url }: { url: string } = portal): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/lab/clock`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test.each(['localhost', 'localhost:3000', 'portal.localhost', '127.0.0.1:3000', '127.1.2.3', '[::1]:3000'])(
  'a caller on this machine who asks %s is let in',
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
])('a page that has rebound %s to this machine is kept out', async (host) => {
  expect(await statusOf({ host })).toBe(403);
});

test.each([
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'localhost'],
  ['x-forwarded-proto', 'http'],
  ['forwarded', 'for=127.0.0.1'],
  ['x-real-ip', '127.0.0.1'],
  ['via', '1.1 proxy'],
])('what a proxy on this machine passes on is kept out: %s', async (name, value) => {
  expect(await statusOf({ host: 'localhost', [name]: value })).toBe(403);
});

test('a page of another site in a browser on this machine is kept out, a page of ours is not', async () => {
  expect(await statusOf({ host: 'localhost', origin: 'https://else.example' })).toBe(403);
  expect(await statusOf({ host: 'localhost', origin: 'null' })).toBe(403);
  expect(await statusOf({ host: 'localhost:3000', origin: 'http://localhost:3000' })).toBe(200);
});

test('whoever holds the token is let in from anywhere, and a wrong one opens nothing', async () => {
  const elsewhere = { host: 'portal.example', 'x-forwarded-for': '203.0.113.9' };
  expect(await statusOf({ ...elsewhere, authorization: `Bearer ${TOKEN}` })).toBe(200);
  expect(await statusOf({ ...elsewhere, authorization: `Bearer ${TOKEN}x` })).toBe(403);
  expect(await statusOf({ ...elsewhere, authorization: 'Bearer ' })).toBe(403);
});

test('without a token of the lab no token is right', async () => {
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

test('with LAB=off there is no lab, whoever asks', async () => {
  const closed = await testPortal({ config: { lab: false, labToken: TOKEN } });
  try {
    expect(await statusOf({ host: 'localhost', authorization: `Bearer ${TOKEN}` }, closed)).toBe(404);
    expect(closed.deps.registered.endpoints.filter(({ area }) => area === 'Lab')).toEqual([]);
  } finally {
    await closed.close();
  }
});
