import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, expect, test, vi } from 'vitest';
import { makeIdpKey } from '../../core/saml-metadata/idp-keys.ts';
import { Refusal } from '../refusal.ts';
import { createClock } from './clock.ts';
import { type FetchOutsideOptions, fetchOutside, UNREADABLE } from './fetch-outside.ts';
import { createRandom } from './random.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A third party's server on this machine. */
async function outside(answer: RequestListener, server: Server = createServer()): Promise<string> {
  server.on('request', answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
  return `http://127.0.0.1:${address.port}`;
}

const fetchFrom = (address: string, options: Partial<FetchOutsideOptions> = {}, allowPrivateNetworks = false) =>
  fetchOutside({ allowPrivateNetworks }, address, { field: 'url', maxBytes: 1_000, ...options });

/** The message attached to the address field. */
async function complaint(work: Promise<unknown>): Promise<string | undefined> {
  const reason = await work.catch((caught: unknown) => caught);
  if (!(reason instanceof Refusal) || reason.result !== 'INVALID_REQUEST') throw new Error(`No refusal: ${reason}`);
  const [issue] = reason.issues ?? [];
  expect(issue?.path).toBe('url');
  return issue?.message;
}

const PRIVATE = 'Addresses of private networks are not allowed';

test('reads the answer of an address with its content type', async () => {
  const url = await outside(({ headers }, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ accept: headers.accept }));
  });
  const answer = await fetchFrom(`${url}/discovery?x=1`, { accept: 'application/json' });
  expect(answer).toMatchObject({ url: `${url}/discovery?x=1`, contentType: 'application/json' });
  expect(JSON.parse(answer.body.toString())).toEqual({ accept: 'application/json' });
});

test.each([
  ['', 'Invalid URL'],
  ['https://', 'Invalid URL'],
  ['http://example.org/', 'Only https addresses are allowed, or http to this machine'],
  ['ftp://example.org/', 'Only https addresses are allowed, or http to this machine'],
  ['file:///etc/passwd', 'Invalid URL'],
  ['javascript:alert(1)', 'Invalid URL'],
  ['https://me:secret@example.org/', 'An address with a user name or password is not allowed'],
  ['https://10.0.0.1/', PRIVATE],
  ['https://0x0a000001/', PRIVATE],
  ['https://169.254.169.254/latest/meta-data', PRIVATE],
  ['https://[::ffff:192.168.0.1]/', PRIVATE],
  ['https://[fe80::1]/', PRIVATE],
  ['https://0/', PRIVATE],
])('%s is refused', async (address, message) => {
  expect(await complaint(fetchFrom(address))).toBe(message);
});

test('a public name with a private address is refused, even if only one of its addresses is private', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  expect(await complaint(fetchFrom('https://rebound.example/', { resolve }))).toBe(PRIVATE);
  expect(await complaint(fetchFrom('https://nowhere.example/', { resolve: async () => [] }))).toBe(PRIVATE);
});

test('a host is resolved once, and connected to at the address that was checked', async () => {
  const url = new URL(await outside((_request, reply) => reply.end('here')));
  const resolve = vi
    .fn<NonNullable<FetchOutsideOptions['resolve']>>()
    .mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }])
    .mockResolvedValue([{ address: '10.0.0.1', family: 4 }]);
  const answer = await fetchFrom(`http://nobody.localhost:${url.port}/`, { resolve });
  expect(answer.body.toString()).toBe('here');
  expect(resolve.mock.calls).toEqual([['nobody.localhost']]);
});

test('redirects are followed, and each of them is checked', async () => {
  const url = await outside((request, reply) => {
    const step = Number(request.url?.slice(1));
    if (step === 0) reply.end('arrived');
    else if (step > 0) reply.writeHead(302, { location: `/${step - 1}` }).end();
    else reply.writeHead(307, { location: 'https://192.168.0.1/' }).end();
  });
  expect(await fetchFrom(`${url}/3`)).toMatchObject({ url: `${url}/0` });
  expect(await complaint(fetchFrom(`${url}/4`))).toBe(UNREADABLE);
  expect(await complaint(fetchFrom(`${url}/-1`))).toBe(UNREADABLE);
});

test('an answer that is too large is cut off', async () => {
  const url = await outside((_request, reply) => {
    reply.on('drain', () => reply.write('x'.repeat(10_000)));
    reply.write('x'.repeat(100_000));
  });
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE);
});

test('anything but success is refused with its status', async () => {
  const url = await outside((_request, reply) => reply.writeHead(404).end('no'));
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE);
});

test('a server that stalls before or during its answer times out', async () => {
  const silent = await outside(() => {});
  expect(await complaint(fetchFrom(silent, { timeoutMs: 50 }))).toBe(UNREADABLE);
  const slow = await outside((_request, reply) => reply.write('x'));
  expect(await complaint(fetchFrom(slow, { timeoutMs: 50 }))).toBe(UNREADABLE);
  const resolve = () => new Promise<never>(() => {});
  expect(await complaint(fetchFrom('https://slow.example/', { timeoutMs: 50, resolve }))).toBe(
    'This address does not answer in time',
  );
});

test('an address that refuses or drops the connection cannot be reached', async () => {
  const url = await outside((request) => request.socket.destroy());
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE);
});

test('an answer that switches to a protocol that nobody asked for is none', async () => {
  const url = await outside(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE);
});

test('a self-signed certificate is not trusted', async () => {
  const clock = createClock(() => {});
  const { privateKey: key, certificate: cert } = await makeIdpKey({ clock, random: createRandom() }, 'somebody');
  const url = await outside((_request, reply) => reply.end('trust me'), createTlsServer({ key, cert }));
  expect(await complaint(fetchFrom(url.replace('http:', 'https:')))).toBe(UNREADABLE);
});

test('every failure on this machine has the same sentence', async () => {
  const answers = await outside((_request, reply) => reply.writeHead(500).end());
  const hangsUp = await outside((request) => request.socket.destroy());
  const silent = await outside(() => {});
  const sentences = await Promise.all(
    [answers, hangsUp, silent, 'http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/'].map((address) =>
      complaint(fetchFrom(address, { timeoutMs: 100 })),
    ),
  );
  expect(new Set(sentences)).toEqual(new Set([UNREADABLE]));
});
