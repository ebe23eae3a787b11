import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Portal, startPortal } from 'orchestrate/testing';
import { startApp } from './start-app.ts';

let portal: Portal;
const url = await startApp(async (app) => {
  const oidc = { redirectUris: [`${app}/callback`], secrets: [{ secret: 'secret' }] };
  const people = [{ email: 'grace@acme.test', devices: [{}] }];
  portal = await startPortal({
    seed: { organisations: [{ code: 'acme', applications: [{ id: 'shop', oidc }], people }] },
  });
  return { issuer: `${portal.url}/oidc/acme`, clientId: 'shop', clientSecret: 'secret', timeout: 1.5 };
});
after(() => portal.close());
const signIn = async () => (await portal.browser({ as: 'grace@acme.test' }).open(`${url}/login`)).text;

test('sign-in', async () => {
  assert.equal(await signIn(), 'Hello, grace@acme.test');
});

test('denial', async () => {
  await portal.fault({ match: { path: '/oidc/acme/auth' }, answer: { oauthError: 'access_denied' } });
  assert.match(await signIn(), /access_denied/);
});

test('expired token', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { token: 'expired' } });
  assert.match(await signIn(), /"exp"/);
});

test('forced error', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { oauthError: 'invalid_grant' } });
  assert.match(await signIn(), /invalid_grant/);
});

test('slow response', async () => {
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { delayMs: 2_000 } });
  assert.match(await signIn(), /timeout/);
});
