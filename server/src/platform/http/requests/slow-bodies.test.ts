import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { login, loginLive } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

/** Sockets run in real time, so the limit is short here. In production it is 60 seconds. */
const requestSeconds = 0.6;
/** Slightly shorter than the check interval, so that data always arrives between two checks. */
const DRIP_MS = 40;

let portal: TestPortal;
let socket: Socket;
let dripping: NodeJS.Timeout | undefined;
beforeEach(async () => {
  portal = await testPortal({ config: { requestSeconds } });
  socket = connect({ port: Number(new URL(portal.url).port), host: 'localhost' });
  socket.on('error', () => {});
});
afterEach(async () => {
  clearInterval(dripping);
  socket.destroy();
  await portal.close();
});

/**
 * Starts a request and sends the rest very slowly. @returns everything received until the portal closed the
 * connection
 */
async function drip(head: readonly string[], chunk = 'x'): Promise<string> {
  socket.write(`${head.join('\r\n')}\r\n`);
  dripping = setInterval(() => socket.write(chunk), DRIP_MS);
  let answer = '';
  socket.on('data', (data) => {
    answer += String(data);
  });
  // Ignore errors from writing to a closed connection.
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

const post = (path: string, ...more: string[]) => [`POST ${path} HTTP/1.1`, 'Host: localhost', ...more, ''];
const JSON_OF = (bytes: number) => ['Content-Type: application/json', `Content-Length: ${bytes}`];

test.each([
  ['the API', '/api/user/login', JSON_OF(50_000)],
  ['the API in chunks', '/api/user/login', ['Content-Type: application/json', 'Transfer-Encoding: chunked']],
  ['OpenID Connect', '/oidc/acme/token', ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 50000']],
  ['SAML', '/saml/acme/expenses/sso', ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 50000']],
  ['SCIM', '/scim/v2/acme/Users', ['Content-Type: application/scim+json', 'Content-Length: 50000']],
  [
    'an upload without a session',
    '/api/user/bulkinvite',
    ['Content-Type: multipart/form-data; boundary=b', 'Content-Length: 900000'],
  ],
  ['a path that doesn’t exist', '/api/nothing', JSON_OF(50_000)],
])('refuses a slow body for %s and closes the connection', async (_what, path, headers) => {
  const answer = await drip(
    post(path, ...headers),
    headers.includes('Transfer-Encoding: chunked') ? '1\r\nx\r\n' : 'x',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test('explains in the response that the request is too slow', async () => {
  const answer = await drip(post('/api/user/login', ...JSON_OF(16_000)));
  expect(answer).toContain('408 Request Timeout');
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    resultName: 'BAD_REQUEST',
    requestId: expect.any(String),
  });
});

test('accepts a body that arrives while the portal is busy', async () => {
  const body = JSON.stringify({ orgCode: 'acme', mode: 'QID' });
  socket.write(post('/api/user/login', ...JSON_OF(body.length), 'Expect: 100-continue', '').join('\r\n'));
  // Wait until the portal has started to read the request.
  await once(socket, 'data');
  socket.write(body);
  const busyUntil = performance.now() + 3_000 * requestSeconds;
  while (performance.now() < busyUntil);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});

test('refuses slow headers with 408 and closes the connection', async () => {
  const answer = await drip(['GET /api/health HTTP/1.1', 'Host: localhost'], 'X-Drip: 1\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

/** Returns the headers of an allowed upload and the start of its file. */
async function upload(): Promise<string[]> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\nemail\r\n';
  const headers = [
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 40000000',
  ];
  return [
    ...post('/api/user/bulkinvite', ...headers),
    `${field('type', 'mobile')}${field('sendEmail', 'false')}${file}`,
  ];
}

test('closes the connection of a slow upload', async () => {
  expect(await drip(await upload())).toMatch(/^HTTP\/1\.1 408 /);
});

test('accepts an upload at a slow but steady rate', { tags: 'whole' }, async () => {
  const hungUp = drip(await upload(), `${'x'.repeat(1_022)}\r\n`.repeat(2)).then(() => 'hung up');
  // Wait three times the normal limit in real time, because nothing else shows that the socket stays open.
  expect(await Promise.race([hungUp, setTimeout(requestSeconds * 3_000, 'goes on')])).toBe('goes on');
});

test('keeps a live channel open beyond the time limit', async () => {
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const channel = await portal.open(loginLive, { loginId: body.loginId ?? '' });
  expect(await channel.next()).toMatchObject({ state: 'init' });
  await drip(post('/api/user/login', ...JSON_OF(50_000)));
  const { challenge } = await portal.authenticator.resolve(portal.device('user@acme.test'), body.qid ?? '');
  expect(challenge.kind).toBe('login');
  expect(await channel.next()).toMatchObject({ state: 'pending' });
});
