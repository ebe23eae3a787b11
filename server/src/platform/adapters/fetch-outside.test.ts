import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, expect, test, vi } from 'vitest';
import { createIdpKey } from '#core/saml-metadata/idp-keys.ts';
import { Refusal } from '../refusal.ts';
import { createClock } from './clock.ts';
import { type FetchOutsideOptions, fetchOutside, UNREADABLE_ADDRESS_MESSAGE } from './fetch-outside.ts';
import { createRandom } from './random.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a third party's server on this machine and returns its URL. */
async function outside(answer: RequestListener, server: Server = createServer()): Promise<string> {
  server.on('request', answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
  return `http://127.0.0.1:${address.port}`;
}

const fetchFrom = (address: string, options: Partial<FetchOutsideOptions> = {}, allowsInside = true) =>
  fetchOutside({ allowsInside }, address, { field: 'url', maxBytes: 1_000, ...options });

/** Awaits a failing fetch and returns the error message for its URL field. */
async function complaint(work: Promise<unknown>): Promise<string | undefined> {
  const reason = await work.catch((caught: unknown) => caught);
  if (!(reason instanceof Refusal) || reason.result !== 'INVALID_REQUEST') throw new Error(`No refusal: ${reason}`);
  const [issue] = reason.issues ?? [];
  expect(issue?.path).toBe('url');
  return issue?.message;
}

const HTTPS = 'Only https addresses are allowed';
const PRIVATE = 'Loopback and private addresses are allowed only with ALLOW_PRIVATE_NETWORKS';
const RESERVED = 'Link-local and reserved addresses are not allowed';

test('returns the body with its content type', async () => {
  const url = await outside(({ headers }, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ accept: headers.accept }));
  });
  const answer = await fetchFrom(`${url}/discovery?x=1`, { accept: 'application/json' });
  expect(answer).toMatchObject({ url: `${url}/discovery?x=1`, contentType: 'application/json' });
  expect(JSON.parse(answer.body.toString())).toEqual({ accept: 'application/json' });
});

test.each([
  ['', 'The scheme is missing. Start with https://'],
  ['https://', 'The host name is missing.'],
  ['http://example.org/', HTTPS],
  ['ftp://example.org/', HTTPS],
  ['http://localhost:3000/', PRIVATE],
  ['https://[::1]/', PRIVATE],
  ['file:///etc/passwd', 'Use https:// or http://'],
  ['javascript:alert(1)', 'Use https:// or http://'],
  ['https://me:secret@example.org/', 'Addresses cannot contain a user name or password'],
  ['https://10.0.0.1/', PRIVATE],
  ['https://0x0a000001/', PRIVATE],
  ['https://169.254.169.254/latest/meta-data', RESERVED],
  ['https://[::ffff:192.168.0.1]/', PRIVATE],
  ['https://[fe80::1]/', RESERVED],
  ['https://0/', RESERVED],
])('refuses %s', async (address, message) => {
  expect(await complaint(fetchFrom(address, {}, false))).toBe(message);
});

test('allows http only to this machine, even if the policy allows private networks', async () => {
  expect(await complaint(fetchFrom('http://example.org/'))).toBe(`${HTTPS}, or http to this machine`);
  expect(await complaint(fetchFrom('http://10.0.0.1/'))).toBe(`${HTTPS}, or http to this machine`);
});

// covers: security 1.3.6
test('refuses a public name if one of its addresses is private', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  expect(await complaint(fetchFrom('https://rebound.example/', { resolve }, false))).toBe(PRIVATE);
  expect(await complaint(fetchFrom('https://rebound.example/', { resolve }))).toBe(
    'Only localhost can resolve to this machine',
  );
  expect(await complaint(fetchFrom('https://nowhere.example/', { resolve: async () => [] }))).toBe(
    'This host has no address',
  );
});

// covers: security 1.3.6
test('resolves a host once and connects to the checked address', async () => {
  const url = new URL(await outside((_request, reply) => reply.end('here')));
  const resolve = vi
    .fn<NonNullable<FetchOutsideOptions['resolve']>>()
    .mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }])
    .mockResolvedValue([{ address: '10.0.0.1', family: 4 }]);
  const answer = await fetchFrom(`http://nobody.localhost:${url.port}/`, { resolve });
  expect(answer.body.toString()).toBe('here');
  expect(resolve.mock.calls).toEqual([['nobody.localhost']]);
});

// covers: security 1.3.6, security 15.3.2
test('follows redirects and checks each target', async () => {
  const url = await outside((request, reply) => {
    const step = Number(request.url?.slice(1));
    if (step === 0) reply.end('arrived');
    else if (step > 0) reply.writeHead(302, { location: `/${step - 1}` }).end();
    else reply.writeHead(307, { location: 'https://169.254.169.254/' }).end();
  });
  expect(await fetchFrom(`${url}/3`)).toMatchObject({ url: `${url}/0` });
  expect(await complaint(fetchFrom(`${url}/4`))).toBe(UNREADABLE_ADDRESS_MESSAGE);
  expect(await complaint(fetchFrom(`${url}/-1`))).toBe(UNREADABLE_ADDRESS_MESSAGE);
});

test('aborts a response that is too large', async () => {
  const url = await outside((_request, reply) => {
    reply.on('drain', () => reply.write('x'.repeat(10_000)));
    reply.write('x'.repeat(100_000));
  });
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE_ADDRESS_MESSAGE);
});

test('refuses a non-success status', async () => {
  const url = await outside((_request, reply) => reply.writeHead(404).end('no'));
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE_ADDRESS_MESSAGE);
});

// covers: security 13.1.1
test('times out when the server stalls before or during its response', async () => {
  const silent = await outside(() => {});
  expect(await complaint(fetchFrom(silent, { timeoutMs: 50 }))).toBe(UNREADABLE_ADDRESS_MESSAGE);
  const slow = await outside((_request, reply) => reply.write('x'));
  expect(await complaint(fetchFrom(slow, { timeoutMs: 50 }))).toBe(UNREADABLE_ADDRESS_MESSAGE);
  const resolve = () => new Promise<never>(() => {});
  expect(await complaint(fetchFrom('https://slow.example/', { timeoutMs: 50, resolve }))).toBe(
    "This address didn't respond in time",
  );
});

test('reports a host that refuses or drops the connection as unreachable', async () => {
  const url = await outside((request) => request.socket.destroy());
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE_ADDRESS_MESSAGE);
});

test('refuses a protocol upgrade', async () => {
  const url = await outside(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(await complaint(fetchFrom(url))).toBe(UNREADABLE_ADDRESS_MESSAGE);
});

// covers: security 12.3.1, security 12.3.2
test('does not trust a self-signed certificate', async () => {
  const clock = createClock(() => {});
  const { privateKey: key, certificate: cert } = await createIdpKey({ clock, random: createRandom() }, 'somebody');
  const url = await outside((_request, reply) => reply.end('trust me'), createTlsServer({ key, cert }));
  expect(await complaint(fetchFrom(url.replace('http:', 'https:')))).toBe(UNREADABLE_ADDRESS_MESSAGE);
});

test('reports the exact error from a server on this machine if the portal is local', async () => {
  const missing = await outside((_request, reply) => reply.writeHead(404).end());
  const silent = await outside(() => {});
  const isLocal = (address: string) =>
    complaint(
      fetchOutside({ allowsInside: true, isLocal: true }, address, { field: 'url', maxBytes: 9, timeoutMs: 100 }),
    );
  expect(await isLocal(missing)).toBe('This address responded with status 404');
  expect(await isLocal(silent)).toBe("This address didn't respond in time");
  expect(await isLocal('http://127.0.0.1:1/')).toBe('This address refused the connection');
});

test('reports every error on this machine alike if other machines can reach the portal', async () => {
  const answers = await outside((_request, reply) => reply.writeHead(500).end());
  const hangsUp = await outside((request) => request.socket.destroy());
  const silent = await outside(() => {});
  const sentences = await Promise.all(
    [answers, hangsUp, silent, 'http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/'].map((address) =>
      complaint(fetchFrom(address, { timeoutMs: 100 })),
    ),
  );
  expect(new Set(sentences)).toEqual(new Set([UNREADABLE_ADDRESS_MESSAGE]));
});
