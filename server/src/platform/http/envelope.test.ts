import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { health, refresh } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('user@acme.test'));
});
afterAll(() => portal.close());

/** A request that no typed caller would make. */
async function send(path: string, init: RequestInit) {
  const response = await fetch(`${portal.url}${path}`, { method: 'POST', ...init });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const json = { 'content-type': 'application/json' };

test.each([
  ['half an object', '{"refreshToken":'],
  ['no JSON at all', 'refreshToken=1'],
  ['a prototype', '{"__proto__":{"x":1}}'],
])('%s as a JSON body is malformed: 400, code 65', async (_name, body) => {
  expect(await send('/api/refresh', { headers: json, body })).toMatchObject({
    status: 400,
    body: { resultCode: 65, resultName: 'BAD_REQUEST' },
  });
});

test('a body of another type is refused: 415, code 65', async () => {
  const form = new FormData();
  form.set('refreshToken', 'x');
  for (const body of [form, new URLSearchParams({ refreshToken: 'x' }), 'text', randomBytes(10)]) {
    expect(await send('/api/refresh', { body })).toMatchObject({ status: 415, body: { resultCode: 65 } });
  }
});

test('a field that breaks a rule is named: 400, code 1, with its path and a sentence', async () => {
  const answer = await portal.call(refresh, { body: { refreshToken: 'x'.repeat(257) } });
  expect(answer).toMatchObject({
    status: 400,
    body: { resultCode: 1, issues: [{ path: 'refreshToken', message: 'At most 256 characters' }] },
  });
});

test('a missing field that has a code of its own is answered with it, also when the body is absent', async () => {
  const call = (body: string | null) =>
    send('/api/device/delete', { headers: { ...(body !== null && json), authorization: `Bearer ${token}` }, body });
  expect(await call('{"zid":"x"}')).toMatchObject({ status: 400, body: { resultCode: 2, resultName: 'SUID_MISSING' } });
  expect(await call('{"suid":"x","zid":" "}')).toMatchObject({ status: 400, body: { resultCode: 3 } });
  expect(await call(null)).toMatchObject({ status: 400, body: { issues: [{ path: 'zid' }, { path: 'suid' }] } });
  expect(await call('[]')).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
});

test('an action that does not exist is answered with code 6', async () => {
  const { profile } = await portal.signIn('user@acme.test');
  const body = JSON.stringify({ suid: profile.suid, zid: 'x', action: 'BURN' });
  const answer = await send('/api/device/delete', { headers: { ...json, authorization: `Bearer ${token}` }, body });
  expect(answer).toMatchObject({ status: 400, body: { resultCode: 6, resultName: 'UNSUPPORTED_ACTION' } });
});

test('an address that does not exist under /api is 404, code 21', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect(await send('/api/nowhere', { method })).toMatchObject({
      status: 404,
      body: { resultCode: 21, message: 'The requested URL was not found on this server' },
    });
  }
  expect(await send('/api/health', { method: 'PUT' })).toMatchObject({ status: 404 });
});

test('an address that cannot be decoded, and what is not HTTP, are answered with code 65', async () => {
  expect(await send('/api/user/login/%zz', { method: 'GET' })).toMatchObject({ status: 400, body: { resultCode: 65 } });
  const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"resultCode":65');
});

test('a body of 50 MB is refused from its announced length, long before it has all been sent', async () => {
  const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const length = 52_428_800;
  socket.write(
    `POST /api/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 413 /);
  expect(String(first)).toContain('"resultCode":65');
  socket.destroy();
  expect((await portal.call(health, {})).status).toBe(200);
});

test('a body that only turns out too large while it comes is refused all the same', async () => {
  const chunk = Buffer.alloc(65_536, 'x');
  const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
  const request: RequestInit = { headers: json, body: stream, duplex: 'half' };
  // The server hangs up on an endless body, so its answer may or may not be readable.
  const answer = await send('/api/refresh', request).catch(() => ({ status: 413 }));
  expect(answer.status).toBe(413);
  expect((await portal.call(health, {})).status).toBe(200);
});

test('unknown keys are ignored, in body and query', async () => {
  const { token: fresh } = await portal.signIn('user@acme.test');
  const answer = await send('/api/logout?unknown=1', {
    headers: { ...json, authorization: `Bearer ${fresh}` },
    body: '{"unknown":{"deep":[1]}}',
  });
  expect(answer).toEqual({ status: 200, body: { resultCode: 0 } });
});

test('public writes are limited per address: 429, code 65, with Retry-After, and reads are not', async () => {
  const limited = await testPortal({ config: { rateLimit: 3 } });
  try {
    const call = () => limited.call(refresh, { body: { refreshToken: 'x' } });
    for (const status of [401, 401, 401]) expect((await call()).status).toBe(status);
    const refused = await call();
    expect(refused).toMatchObject({ status: 429, body: { resultCode: 65, resultName: 'BAD_REQUEST' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await fetch(`${limited.url}/api/user/login`, { method: 'POST', headers: json, body: '{}' });
    expect(other.status).toBe(429);
    expect((await limited.call(health, {})).status).toBe(200);
  } finally {
    await limited.close();
  }
});
