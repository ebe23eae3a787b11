import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { bulkInvite, bulkInviteLive, channel, LIVE_PROTOCOL } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { serveChannel } from '../../live/serve-channel.ts';

// No client in these tests disconnects, so a test times out if the server waits for the client.

/** Channel that opens only after the server has started to close. */
const late = channel({
  path: '/ws/test-late',
  summary: 'A channel that takes its time',
  access: 'public',
  query: z.object({}),
  server: z.object({ timestamp: z.string() }),
});

let portal: TestPortal;
let caller: Socket;
let opening: PromiseWithResolvers<void>;
let closing: PromiseWithResolvers<void>;
beforeEach(async () => {
  opening = Promise.withResolvers();
  closing = Promise.withResolvers();
  portal = await testPortal({
    register(app, deps) {
      app.addHook('preClose', async () => closing.resolve());
      app.get('/slow', async () => {
        return Readable.from(
          (async function* () {
            yield 'begun, ';
            await closing.promise;
            yield 'done';
          })(),
        );
      });
      serveChannel(app, deps, late, {
        async open() {
          opening.resolve();
          await closing.promise;
          return { topics: [], state: () => ({ message: {} }) };
        },
      });
    },
  });
  const { port } = new URL(portal.url);
  caller = connect({ port: Number(port), host: 'localhost', allowHalfOpen: true });
  caller.on('error', () => {});
  await once(caller, 'ready');
});
afterEach(() => caller.destroy());

const upgradeOf = (path: string, protocols = LIVE_PROTOCOL) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${protocols}\r\n\r\n`;

/** Closes the server and waits until it has closed the client's connection. */
async function closeOn(hungUp: Socket): Promise<void> {
  const ended = once(hungUp, 'end');
  hungUp.resume();
  await Promise.all([portal.close(), ended]);
  expect(hungUp.readableEnded).toBe(true);
}

async function firstLine(): Promise<string> {
  const [data] = await once(caller, 'data');
  return String(data).split('\r\n', 1)[0] ?? '';
}

test('closes idle connections', async () => {
  // A response on another connection shows that the server has accepted this connection.
  await portal.http.get('/api/health');
  await closeOn(caller);
});

test('closes a connection once its pending response has been sent', async () => {
  // Disable timers, to prove that the response closes the connection.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  caller.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await firstLine()).toBe('HTTP/1.1 200 OK');
  await closeOn(caller);
});

test('closes the connection of an unfinished upload', { tags: 'whole' }, async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const live = await portal.open(bulkInviteLive, { uploadId: 'half' }, { token });
  await live.next();
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  caller.write(
    `POST /api${bulkInvite.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n`,
  );
  caller.write([field('type', 'mobile'), field('sendEmail', 'false'), field('uploadId', 'half')].join(''));
  caller.write('--b\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\nuser@acme.test\n');
  expect(await live.next()).toMatchObject({ state: 'reading' });
  await closeOn(caller);
});

test('closes a channel that does not acknowledge the close frame', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  caller.write(upgradeOf(`${bulkInviteLive.path}?uploadId=u`, `${LIVE_PROTOCOL}, bearer.${token}`));
  expect(await firstLine()).toBe('HTTP/1.1 101 Switching Protocols');
  await closeOn(caller);
});

test('closes a channel that is still opening', { tags: 'whole' }, async () => {
  caller.write(upgradeOf(late.path));
  await opening.promise;
  await closeOn(caller);
});

test('closes a connection that requests a channel during shutdown', async () => {
  await fetch(`${portal.url}/api/health`);
  const closed = portal.close();
  await closing.promise;
  caller.write(upgradeOf(late.path));
  expect(await firstLine()).toBe('HTTP/1.1 503 Service Unavailable');
  await closed;
});

test.each([
  ['a channel', upgradeOf('/ws/nowhere'), 'HTTP/1.1 404 ID_DOESNOT_EXIST'],
  ['a request that is not HTTP', 'nonsense\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
  [
    'a URL longer than 16 kB',
    `GET /scim/v2/Users?filter=${'a'.repeat(16_384)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'HTTP/1.1 431 Request Header Fields Too Large',
  ],
])('closes the connection after refusing %s', { tags: 'whole' }, async (_what, request, line) => {
  caller.write(request);
  expect(await firstLine()).toBe(line);
  await closeOn(caller);
});
