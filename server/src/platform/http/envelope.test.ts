import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { health, refresh } from '@orchestrate/shared';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('user@acme.test'));
});
afterAll(() => portal.close());

// covers: spec 2.8.27
test.each([
  ['a truncated object', '{"refreshToken":'],
  ['a form', 'refreshToken=1'],
  ['an object with __proto__', '{"__proto__":{"x":1}}'],
])('refuses %s as a malformed JSON body: 400, code 65', async (_name, body) => {
  expect(await portal.http.post('/api/refresh').type('json').send(body)).toMatchObject({
    status: 400,
    body: { resultCode: 65, resultName: 'BAD_REQUEST', message: 'The body is not valid JSON.' },
  });
});

test('reads an empty body as {}, with or without a content type', async () => {
  const answer = await portal.http.post('/api/refresh').type('json');
  expect(answer).toMatchObject({
    status: 400,
    body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'refreshToken' }] },
  });
  expect((await portal.http.delete('/api/lab/faults').type('json')).status).toBe(200);
  expect((await portal.http.post('/api/lab/snapshots').type('json')).status).toBe(200);
});

test.each(['null', '[]', '["mode"]', '"mode"', '1'])('refuses %s because it is not an object', async (given) => {
  for (const request of [portal.http.post('/api/user/login'), portal.http.post('/api/lab/reset')]) {
    expect(await request.type('json').send(given)).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: '', message: 'This must be an object' }] },
    });
  }
});

// covers: security 3.5.1, security 3.5.2
test('refuses a body that is not JSON: 415, code 65', async () => {
  const post = () => portal.http.post('/api/refresh');
  for (const sending of [
    post().field('refreshToken', 'x'),
    post().type('form').send({ refreshToken: 'x' }),
    post().type('text/plain').send('text'),
    post().send(randomBytes(10)),
  ]) {
    const message = 'Send the body as JSON with the header content-type: application/json.';
    expect(await sending).toMatchObject({ status: 415, body: { resultCode: 65, message } });
  }
});

// covers: security 4.1.1
test('reports an invalid field with its path and a message: 400, code 1', async () => {
  const answer = await portal.call(refresh, { body: { refreshToken: 'x'.repeat(257) } });
  expect(answer).toMatchObject({
    status: 400,
    body: { resultCode: 1, issues: [{ path: 'refreshToken', message: 'At most 256 characters' }] },
  });
});

test('returns the specific code of a missing field, even if the body is absent', async () => {
  const call = () => portal.http.post('/api/device/delete').auth(token, { type: 'bearer' });
  expect(await call().send({ zid: 'x' })).toMatchObject({
    status: 400,
    body: { resultCode: 2, resultName: 'SUID_MISSING' },
  });
  expect(await call().send({ suid: 'x', zid: ' ' })).toMatchObject({ status: 400, body: { resultCode: 3 } });
  expect(await call()).toMatchObject({ status: 400, body: { issues: [{ path: 'zid' }, { path: 'suid' }] } });
  expect(await call().send([])).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
});

test('refuses an unknown action with code 6', async () => {
  const { profile } = await portal.signIn('user@acme.test');
  const body = { suid: profile.suid, zid: 'x', action: 'BURN' };
  const answer = await portal.http.post('/api/device/delete').auth(token, { type: 'bearer' }).send(body);
  expect(answer).toMatchObject({ status: 400, body: { resultCode: 6, resultName: 'UNSUPPORTED_ACTION' } });
});

// covers: spec 2.8.8, spec 2.8.14
test('returns 404, code 21, for an unknown path under /api', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect(await new request.Test(portal.url, method, '/api/nowhere')).toMatchObject({
      status: 404,
      body: { resultCode: 21, message: 'The requested URL was not found on this server' },
    });
  }
  await portal.http.put('/api/health').expect(404);
});

// covers: security 1.1.1
test('refuses an undecodable path or invalid HTTP with code 65', async () => {
  expect(await portal.http.get('/api/user/login/%zz')).toMatchObject({ status: 400, body: { resultCode: 65 } });
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

test.each(['http://[::1', '/ws/%zz', `/ws/${'x'.repeat(300)}`])(
  'refuses an upgrade of %s and closes the connection',
  async (target) => {
    const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/^connection: close/im);
  },
);

test('refuses a 50 MB body by its Content-Length before it is fully sent', async () => {
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

test('refuses a body without a Content-Length once it exceeds the limit', async () => {
  const chunk = Buffer.alloc(65_536, 'x');
  const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
  const endless: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stream,
    duplex: 'half',
  };
  // The server closes the connection while the endless body is being sent, so the client may fail before it can read
  // the response.
  const answer = await fetch(`${portal.url}/api/refresh`, endless).catch(() => ({ status: 413 }));
  expect(answer.status).toBe(413);
  expect((await portal.call(health, {})).status).toBe(200);
});

// covers: security 15.3.3
test('ignores unknown keys in body and query', async () => {
  const { token: fresh } = await portal.signIn('user@acme.test');
  const { status, body } = await portal.http
    .post('/api/logout?unknown=1')
    .auth(fresh, { type: 'bearer' })
    .send({ unknown: { deep: [1] } });
  expect({ status, body }).toEqual({ status: 200, body: { resultCode: 0 } });
});

// covers: security 2.4.1
test('limits public writes per address, but not reads: 429, code 65, Retry-After', async () => {
  const limited = await testPortal({ config: { rateLimit: 3 } });
  try {
    const call = () => limited.call(refresh, { body: { refreshToken: 'x' } });
    for (const status of [401, 401, 401]) expect((await call()).status).toBe(status);
    const refused = await call();
    expect(refused).toMatchObject({ status: 429, body: { resultCode: 65, resultName: 'BAD_REQUEST' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await limited.http.post('/api/user/login').send({}).expect(429);
    expect((await limited.call(health, {})).status).toBe(200);
  } finally {
    await limited.close();
  }
});

// By default, Java's HttpClient requests HTTP/2 in this way.
test('ignores a request to upgrade to a protocol other than WebSocket (RFC 9110 §7.8)', async () => {
  const upgrade = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAAAAIAAAAA' };
  const answer = await portal.http.post('/api/lab/clock').set(upgrade).send({ mode: 'frozen' });
  expect(answer).toMatchObject({ status: 200, body: { mode: 'frozen' } });
});
