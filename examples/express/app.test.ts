import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import type { TokenDamage } from 'orchestrate/contract';
import { type Portal, startPortal } from 'orchestrate/testing';
import { createApp } from './app.ts';

const GRACE = 'grace@acme.test';
const server = createServer();
let portal: Portal;
let url: string;

before(async () => {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  // A world with the application and a user who has a phone.
  const oidc = { redirectUris: [`${url}/callback`], secrets: [{ secret: 'shop-secret' }] };
  const applications = [{ id: 'shop', oidc }];
  const people = [{ email: GRACE, devices: [{}] }];
  portal = await startPortal({ seed: { organisations: [{ code: 'acme', applications, people }] } });
  const issuer = `${portal.url}/oidc/acme`;
  server.on('request', await createApp({ url, issuer, clientId: 'shop', clientSecret: 'shop-secret', timeout: 1.5 }));
});
beforeEach(() => portal.reset());
after(async () => {
  await portal.close();
  server.close();
});

/** Presses “Sign in” as the user, whose phone then approves or denies. */
const signIn = (answer?: 'deny') => portal.browser({ as: GRACE, ...(answer && { answer }) }).open(`${url}/login`);

test('signs a user in', async () => {
  assert.equal((await signIn()).text, `Hello, ${GRACE}`);
});

test('keeps the session in one browser only', async () => {
  const browser = portal.browser({ as: GRACE });
  await browser.open(`${url}/login`);
  assert.equal((await browser.open(url)).text, `Hello, ${GRACE}`);
  assert.match((await portal.browser().open(url)).text, /Sign in/);
});

test('stays on the sign-in page if the phone denies', async () => {
  assert.equal((await signIn('deny')).url.pathname, '/acme/sign-in');
});

test('shows an error returned in the redirect', async () => {
  await portal.fault({ match: { path: '/oidc/acme/auth' }, answer: { oauthError: 'access_denied' } });
  assert.match((await signIn()).text, /access_denied/);
});

test('shows an error if the code is rejected', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError: 'invalid_grant' } });
  assert.match((await signIn()).text, /invalid_grant/);
});

const DAMAGES: [TokenDamage, RegExp][] = [
  ['expired', /"exp"/],
  ['wrong-nonce', /"nonce"/],
  ['wrong-audience', /"aud"/],
  ['wrong-issuer', /"iss"/],
  ['bad-signature', /signature verification failed/],
  ['unknown-key', /no applicable keys/],
  ['none-algorithm', /"alg"/],
];
for (const [token, why] of DAMAGES) {
  test(`rejects an ID token: ${token}`, async () => {
    await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { token } });
    assert.match((await signIn()).text, why);
  });
}

test('waits for a slow provider', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { delayMs: 300 } });
  assert.equal((await signIn()).text, `Hello, ${GRACE}`);
});

test('times out if the provider does not respond', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { hang: true } });
  assert.match((await signIn()).text, /timeout/);
});

test('shows an error if the connection closes', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { cut: true } });
  assert.match((await signIn()).text, /fetch failed|other side closed|socket/);
});

test('exchanges the code only once', async () => {
  await signIn();
  await portal.verify({ method: 'POST', path: '/oidc/acme/token', count: 1 });
});
