import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import makeFetchCookie from 'fetch-cookie';
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';
import { startApp } from './start-app.ts';

const issuer = new OAuth2Issuer();
await issuer.keys.generate('RS256');
const service = new OAuth2Service(issuer);
// `OAuth2Server` responds immediately, so slow responses need a server in front of the service.
let delayMs = 0;
const server = createServer((request, response) => {
  setTimeout(() => service.requestHandler(request, response), delayMs);
}).listen(0, 'localhost');
await once(server, 'listening');
issuer.url = `http://localhost:${(server.address() as AddressInfo).port}`;
after(() => server.close());
service.on('beforeTokenSigning', ({ payload }) => {
  payload.email = 'grace@acme.test';
});
const provider = { issuer: issuer.url, clientId: 'shop', clientSecret: 'secret', timeout: 1.5 };
const url = await startApp(async () => provider);
const signIn = async () => (await makeFetchCookie(fetch)(`${url}/login`)).text();

test('sign-in', async () => {
  assert.equal(await signIn(), 'Hello, grace@acme.test');
});

test('denial', async () => {
  service.once('beforeAuthorizeRedirect', ({ url: there }) => {
    there.searchParams.delete('code');
    there.searchParams.set('error', 'access_denied');
  });
  assert.match(await signIn(), /access_denied/);
});

test('expired token', async () => {
  // `once` would affect only the access token, which is signed before the ID token.
  service.on('beforeTokenSigning', ({ payload }) => {
    payload.exp = 1;
  });
  assert.match(await signIn(), /"exp"/);
  service.removeAllListeners('beforeTokenSigning');
});

test('forced error', async () => {
  service.once('beforeResponse', (response) => {
    response.statusCode = 400;
    response.body = { error: 'invalid_grant' };
  });
  assert.match(await signIn(), /invalid_grant/);
});

test('slow response', async () => {
  delayMs = 2_000;
  assert.match(await signIn(), /timeout/);
});
