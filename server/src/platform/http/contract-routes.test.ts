import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

async function statusOf(method: string, target: string): Promise<number> {
  const { hostname, port } = new URL(portal.url);
  const socket = connect(Number(port), hostname);
  socket.end(`${method} ${target} HTTP/1.1\r\nhost: portal\r\nconnection: close\r\n\r\n`);
  return Number((await text(socket)).split(' ')[1]);
}

// RFC 9112 §3.2.2, RFC 3986 §6.2.2.2
test('finds an endpoint by absolute URL, with a query and with percent-encoded characters', async () => {
  for (const target of ['/api/health', 'http://portal/api/health', '/api/health?a=1', '/api/%68ealth'])
    expect({ target, status: await statusOf('GET', target) }).toEqual({ target, status: 200 });
});

test('finds an endpoint only by its method and exact path', async () => {
  const wrong = ['/api/health/', '/api//health', '/api/Health', '/api/health/x', '/api', '/api/', '/api/%zz'];
  for (const target of wrong)
    expect({ target, isThere: (await statusOf('GET', target)) === 200 }).toEqual({ target, isThere: false });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect({ method, status: await statusOf(method, '/api/health') }).toEqual({ method, status: 404 });
});

test('returns 404 instead of reporting body errors for an unknown path', async () => {
  for (const path of ['/api/nothing', '/api/health', '/api/lab/nothing'])
    for (const type of ['text/plain', 'application/json']) {
      const headers = { 'content-type': type };
      const { status } = await fetch(new URL(path, portal.url), { method: 'PUT', headers, body: '{' });
      expect({ path, type, status }).toEqual({ path, type, status: 404 });
    }
});

test('serves no lab endpoints on a portal without the lab, even if another portal does', async () => {
  const without = await testPortal({ config: { lab: false } });
  const statusAt = async (url: string) => (await fetch(new URL('/api/lab/clock', url))).status;
  expect([await statusAt(without.url), await statusAt(portal.url)]).toEqual([404, 200]);
  await without.close();
});
