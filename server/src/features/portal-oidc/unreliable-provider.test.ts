import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setUpProvider } from '#testing/approving.ts';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { CLIENT, foreignProvider } from './foreign-provider-testing.ts';

let portal: TestPortal;
let server: Server;
let behave: (socket: Socket) => void;
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  portal = await testPortal();
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    behave(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  server.close();
  await portal.close();
});

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
const provider = (configurationUrl: string) => ({ ...CLIENT, configurationUrl, buttonLabel: 'Foreign', enabled: true });
const portOf = () => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};
const start = async () => {
  const { pathname, search } = await testBrowser(portal).walk('/api/oidc/login?orgCode=acme');
  return `${pathname}${search}`;
};

test.each<[string, (socket: Socket) => void]>([
  ['closes the connection', (socket) => socket.destroy()],
  ['returns malformed JSON', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{"a:')],
  ['switches to an unrequested protocol', (socket) => socket.write(SWITCH)],
  ['doesn’t respond in HTTP', (socket) => socket.end('\u0000\u0001 nonsense')],
])('reports a missing response to five sign-ins if the provider %s', async (_how, how) => {
  behave = how;
  await setUpProvider(portal, provider(`http://127.0.0.1:${portOf()}`));
  expect(new Set(await Promise.all(Array.from({ length: 5 }, start)))).toEqual(
    new Set(['/static/sso-provider-down?org=acme']),
  );
});

test('retries a provider once it is back', async () => {
  behave = (socket) => socket.destroy();
  await setUpProvider(portal, provider(`http://127.0.0.1:${portOf()}`));
  await Promise.all([start(), start()]);
  const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
  foreign.person = { sub: 'u-1', email: 'user@acme.test', email_verified: true };
  await setUpProvider(portal, provider(foreign.issuer));
  foreign.instead.set('/.well-known/openid-configuration', { status: 503, json: {} });
  expect(await start()).toBe('/static/sso-provider-down?org=acme');
  foreign.instead.clear();
  expect(await start()).toBe('/acme/sign-in?login=success');
  await foreign.close();
});
