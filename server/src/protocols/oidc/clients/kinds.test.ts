import {
  createApp,
  createClientSecret,
  DEVICE_GRANT,
  deleteClientSecret,
  getApp,
  updateApp,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  createApplication,
  errorOf,
  exchange,
  relyingParty,
  secretOf,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const detail = async (appId: string) =>
  (await portal.call(getApp, { params: { orgCode: 'acme', appId } }, { token })).body.app.oidcConfiguration;

async function revokeSecrets(appId: string): Promise<void> {
  for (const { secretId } of (await detail(appId))?.clientSecrets ?? []) {
    await portal.call(deleteClientSecret, { params: { orgCode: 'acme', appId, secretId } }, { token });
  }
}

describe.each(['single-page', 'native'] as const)('a %s application', (kind) => {
  // covers: security 10.4.6, openid fapi2-security-profile-final-par-ensure-pkce-required
  test('has no secret and must use PKCE', async () => {
    const app = await createApplication(portal, token, 'Notes', { kind });
    expect(app.oidcConfiguration).toMatchObject({ isClosed: false, clients: { kind }, clientSecrets: [] });
    const config = await relyingParty(portal, { appId: 'notes', auth: client.None() });
    const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
    expect(tokens.claims()?.email).toBe(USER);

    const url = client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' });
    const refused = await testBrowser(portal, USER).open(url);
    expect(refused.url.searchParams.get('error')).toBe('invalid_request');
    const params = { orgCode: 'acme', appId: 'notes' };
    const added = await portal.call(createClientSecret, { params, body: { name: 'None' } }, { token });
    expect(added).toMatchObject({ status: 400, body: { issues: [{ path: 'appId' }] } });
  });
});

test("lets only pages from the application's origin read tokens with credentials", async () => {
  await createApplication(portal, token, 'Notes', { kind: 'single-page' });
  const config = await relyingParty(portal, { appId: 'notes', auth: client.None() });
  const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
  const ask = (origin: string) =>
    fetch(config.serverMetadata().token_endpoint ?? '', {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: WIKI.callback,
        code_verifier: verifier,
        client_id: 'notes',
      }),
    });
  const allowed = ({ headers }: Response) =>
    ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));
  expect(allowed(await ask('https://elsewhere.test'))).toEqual([null, null]);
  const page = new URL(WIKI.callback).origin;
  const answer = await ask(page);
  expect([answer.status, ...allowed(answer)]).toEqual([200, page, 'true']);
  // A request without an Origin header doesn't come from a web page, so its response allows any origin, without
  // credentials.
  const { jwks_uri = '' } = config.serverMetadata();
  expect(allowed(await fetch(jwks_uri))).toEqual(['*', null]);
});

test('accepts an empty secret from a public client, even with Basic', async () => {
  for (const name of ['Notes', 'Radio']) await createApplication(portal, token, name, { kind: 'native' });
  const basic = (id: string) => ({ authorization: `Basic ${btoa(`${id}:`)}` });
  const post = async (path: string, headers: Record<string, string>, fields: Record<string, string>) => {
    const sent = { method: 'POST', headers, body: new URLSearchParams(fields) };
    const answer = await fetch(`${portal.url}/oidc/acme/${path}`, sent);
    return {
      status: answer.status,
      body: z.looseObject({ device_code: z.string().optional() }).parse(await answer.json()),
    };
  };
  const start = (id: string, fields = {}) => post('device-authorization', basic(id), { scope: 'openid', ...fields });
  const started = await start('notes');
  expect(started).toMatchObject({ status: 200, body: { user_code: expect.any(String) } });
  expect(await start('notes', { client_id: 'notes' })).toMatchObject({ status: 200 });
  const grant = { grant_type: DEVICE_GRANT, device_code: started.body.device_code ?? '' };
  const pending = { status: 400, body: { error: 'authorization_pending' } };
  expect(await post('token', basic('notes'), grant)).toMatchObject(pending);
  portal.clock.advance(10);
  expect(await post('token', {}, { ...grant, client_id: 'notes', client_secret: '' })).toMatchObject(pending);

  const refused = { status: 400, body: { error: 'invalid_request' } };
  for (const id of ['team-wiki', 'nothing', '%']) expect(await start(id)).toMatchObject(refused);
  expect(await start('notes', { client_id: 'radio' })).toMatchObject(refused);
  expect(await post('token', basic('team-wiki'), grant)).toMatchObject(refused);
});

test('accepts only loopback and private-use redirect URIs for native applications', async () => {
  const good = [
    'com.acme.notes:/callback',
    'http://127.0.0.1/callback',
    'http://[::1]/',
    'https://notes.acme.test/app',
  ];
  const app = await createApplication(portal, token, 'Notes', { kind: 'native', redirect_uris: good });
  expect(app.oidcConfiguration?.clients.redirect_uris).toEqual(good);
  const config = await relyingParty(portal, { appId: 'notes', auth: client.None() });
  for (const redirect of ['com.acme.notes:/callback', 'http://127.0.0.1:51004/callback', 'http://[::1]:7/']) {
    const { callback } = await authorize(config, testBrowser(portal, USER), { redirect_uri: redirect });
    expect(callback.href.startsWith(redirect)).toBe(true);
    expect(callback.searchParams.has('code')).toBe(true);
  }
  const params = { orgCode: 'acme', appId: 'notes' };
  const clients = { redirect_uris: [...good, 'http://notes.acme.test/'] };
  const refused = await portal.call(updateApp, { params, body: { oidcConfiguration: { clients } } }, { token });
  expect(refused).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'oidcConfiguration.clients.redirect_uris.4' }] },
  });
});

test('closes a confidential application while it has no secret', async () => {
  const config = await relyingParty(portal, { auth: client.ClientSecretBasic(secretOf(portal, WIKI.appId)) });
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
  await revokeSecrets(WIKI.appId);
  expect(await detail(WIKI.appId)).toMatchObject({ isClosed: true, clients: { kind: 'web', client_secret: '' } });

  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_client');
  const open = await relyingParty(portal, { auth: client.None() });
  expect(await errorOf(client.refreshTokenGrant(open, tokens.refresh_token ?? ''))).toBe('invalid_client');
  const url = client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' });
  const page = await testBrowser(portal, USER).open(url);
  expect({ origin: page.url.origin, status: page.status }).toEqual({ origin: portal.url, status: 400 });
  expect(page.text).toContain('the application has no valid secret');

  const params = { orgCode: 'acme', appId: WIKI.appId };
  const { secret } = (await portal.call(createClientSecret, { params, body: { name: 'New' } }, { token })).body;
  const again = await relyingParty(portal, { auth: client.ClientSecretBasic(secret.client_secret) });
  expect((await exchange(again, await authorize(again, testBrowser(portal, USER)))).access_token).not.toBe('');
});

describe('a service client', () => {
  test("gets a token with its secret, but members can't sign in to it", async () => {
    const app = await createApplication(portal, token, 'Night job', { kind: 'machine', ttl_AccessToken: 120 });
    expect(app.oidcConfiguration?.clients).toMatchObject({
      redirect_uris: [],
      grant_types: ['client_credentials'],
      response_types: [],
    });
    const auth = client.ClientSecretBasic(app.oidcConfiguration?.clients.client_secret ?? '');
    const config = await relyingParty(portal, { appId: 'night-job', auth });
    const tokens = await client.clientCredentialsGrant(config);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 120 });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      client_id: 'night-job',
    });
    expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck))).toBe(
      'invalid_token',
    );
    const url = client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' });
    const page = await testBrowser(portal, USER).open(url);
    expect({ origin: page.url.origin, status: page.status }).toEqual({ origin: portal.url, status: 400 });

    await client.tokenRevocation(config, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    await revokeSecrets('night-job');
    expect(await errorOf(client.clientCredentialsGrant(config))).toBe('invalid_client');
  });

  test('has no redirect URIs, and is the only kind that can get tokens without a user', async () => {
    const clients = { kind: 'machine' as const, redirect_uris: ['https://job.acme.test/'] };
    const body = { orgCode: 'acme', name: 'Night job', oidcConfiguration: { clients } };
    expect(await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'oidcConfiguration.clients.redirect_uris.0' }] },
    });
    const config = await relyingParty(portal);
    expect(await errorOf(client.clientCredentialsGrant(config))).toBe('unauthorized_client');
  });
});
