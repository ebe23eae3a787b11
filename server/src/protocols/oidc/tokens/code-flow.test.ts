import { createClientSecret, deleteApp, listRefusedRedirects, updateApp } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { escapeHtml } from '#platform/http/answers/plain-page.ts';
import { testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  errorOf,
  exchange,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

const ADMIN = 'super.admin@acme.test';
const APP = { orgCode: 'acme', appId: WIKI.appId };
const isRefusal = (status: number) => status < 500;

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

// covers: security 10.4.4, security 10.6.1, openid oidcc-server
test('signs in a member for a client that only has the issuer, client ID and secret', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const { suid, primaryAttr } = memberByEmail(portal, 'acme', USER);
  expect(config.serverMetadata().issuer).toBe(`${portal.url}/oidc/acme`);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid profile email offline_access' });
  const claims = {
    sub: suid,
    email: USER,
    email_verified: true,
    primaryAttr,
    employeeId: primaryAttr,
    roles: ['USER'],
  };
  expect(tokens.claims()).toMatchObject({ ...claims, amr: ['hwk'] });
  expect(await client.fetchUserInfo(config, tokens.access_token, suid)).toMatchObject(claims);
});

// covers: openid oidcc-server-client-secret-post
test('accepts a secret in the request body', async () => {
  const config = await relyingParty(portal, { auth: client.ClientSecretPost(secretOf(portal, WIKI.appId)) });
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
  expect(tokens.access_token).not.toBe('');
});

// covers: security 10.4.10
test('requires a secret from confidential clients', async () => {
  const config = await relyingParty(portal, { auth: client.None() });
  const authorization = await authorize(config, testBrowser(portal, USER));
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_client');
});

test('accepts several secrets until they expire or are revoked, and shows their last use', async () => {
  const { token } = await portal.signIn(ADMIN);
  const expiresAt = portal.clock.iso(portal.clock.now() + 3_600_000);
  const body = { name: 'An hour', expiresAt };
  const { secret } = (await portal.call(createClientSecret, { params: APP, body }, { token })).body;
  const old = await relyingParty(portal, { auth: client.ClientSecretBasic(secretOf(portal, WIKI.appId)) });
  const fresh = await relyingParty(portal, { auth: client.ClientSecretBasic(secret.client_secret) });
  for (const config of [old, fresh]) await exchange(config, await authorize(config, testBrowser(portal, USER)));
  const used = portal.deps.db.$client
    .prepare('SELECT lastUsedAt FROM client_secrets WHERE id = ?')
    .pluck()
    .get(secret.secretId);
  expect(used).toBe(portal.clock.now());

  const late = await authorize(fresh, testBrowser(portal, USER));
  portal.clock.freeze(Date.parse(expiresAt));
  const again = await authorize(fresh, testBrowser(portal, USER));
  expect(await errorOf(exchange(fresh, again))).toBe('invalid_client');
  expect(await errorOf(exchange(fresh, late))).toBe('invalid_client');
});

test("doesn't treat a client as public once all its secrets have expired", async () => {
  const { token } = await portal.signIn(ADMIN);
  const body = { name: 'An hour', expiresAt: portal.clock.iso(portal.clock.now() + 3_600_000) };
  await portal.call(createClientSecret, { params: { ...APP }, body }, { token });
  const rows = portal.deps.db.$client.prepare('DELETE FROM client_secrets WHERE appId = ? AND expiresAt IS NULL');
  rows.run(WIKI.appId);
  const config = await relyingParty(portal, { auth: client.None() });
  const authorization = await authorize(config, testBrowser(portal, USER));
  portal.clock.advance(3_600);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_client');
});

// covers: security 10.4.2, openid oidcc-codereuse
test('accepts a code once, and revokes its tokens if the code is used again', async () => {
  const config = await relyingParty(portal);
  const authorization = await authorize(config, testBrowser(portal, USER));
  const tokens = await exchange(config, authorization);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
});

test('accepts only one of many concurrent uses of a code, and revokes its tokens', async () => {
  const config = await relyingParty(portal);
  const authorization = await authorize(config, testBrowser(portal, USER));
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => exchange(config, authorization)));
  const given = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.access_token] : []));
  expect(given.length).toBeLessThan(2);
  for (const token of given) expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
});

test('rejects an application that is deleted while getting tokens, and stores no token', {
  tags: 'whole',
}, async () => {
  const { token } = await portal.signIn(ADMIN);
  const config = await relyingParty(portal);
  const signIns = Array.from({ length: 10 }, () => authorize(config, testBrowser(portal, USER)));
  const underway = (await Promise.all(signIns)).map((authorization) => exchange(config, authorization));
  await portal.call(deleteApp, { params: APP }, { token });
  for (const one of await Promise.allSettled(underway))
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: expect.toSatisfy(isRefusal) });
  expect(portal.deps.db.$client.prepare('SELECT model FROM oidc_models').pluck().all()).not.toContain('AccessToken');
});

// covers: openid oidcc-ensure-request-with-valid-pkce-succeeds
test('rejects a code with the wrong verifier, from another client or for another redirect URI', async () => {
  const config = await relyingParty(portal);
  const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
  const stolen = { callback, verifier: client.randomPKCECodeVerifier() };
  expect(await errorOf(exchange(config, stolen))).toBe('invalid_grant');

  const payroll = await relyingParty(portal, { appId: 'payroll' });
  expect(await errorOf(exchange(payroll, { callback, verifier }))).toBe('invalid_grant');

  const elsewhere = new URL(callback);
  elsewhere.pathname = '/elsewhere';
  expect(await errorOf(exchange(config, { callback: elsewhere, verifier }))).toBe('invalid_grant');
});

// covers: security 10.4.3
test("expires codes after the application's lifetime, by the lab's clock", async () => {
  const { token } = await portal.signIn(ADMIN);
  const clients = { ttl_AuthorizationCode: 30 };
  const saved = await portal.call(updateApp, { params: APP, body: { oidcConfiguration: { clients } } }, { token });
  expect(saved.body.resultCode).toBe(0);
  const config = await relyingParty(portal);
  const inTime = await authorize(config, testBrowser(portal, USER));
  portal.clock.advance(29);
  await exchange(config, inTime);
  const late = await authorize(config, testBrowser(portal, USER));
  portal.clock.advance(30);
  expect(await errorOf(exchange(config, late))).toBe('invalid_grant');
});

describe('lifetimes of 0', () => {
  const withLifetimes = async (clients: object) => {
    const { token } = await portal.signIn(ADMIN);
    const saved = await portal.call(updateApp, { params: APP, body: { oidcConfiguration: { clients } } }, { token });
    expect(saved.body.app.oidcConfiguration?.clients).toMatchObject(clients);
    return relyingParty(portal);
  };

  test('expire a code immediately', async () => {
    const config = await withLifetimes({ ttl_AuthorizationCode: 0 });
    const authorization = await authorize(config, testBrowser(portal, USER));
    expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
  });

  // covers: spec 2.5.8
  test('expire an access token immediately', async () => {
    const config = await withLifetimes({ ttl_AccessToken: 0 });
    const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
    expect(tokens.expires_in).toBe(0);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    const userinfo = client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
    expect(await errorOf(userinfo)).toBe('invalid_token');
  });

  test('expire an ID token immediately', async () => {
    const config = await withLifetimes({ ttl_IdToken: 0 });
    const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
    const { exp, iat } = tokens.claims() ?? {};
    expect(exp).toBe(iat);
  });

  test('let a member sign in, but issue no token to the client, if all four are 0', async () => {
    const none = { ttl_IdToken: 0, ttl_AccessToken: 0, ttl_AuthorizationCode: 0, ttl_RefreshToken: 0 };
    const config = await withLifetimes(none);
    const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
    expect(callback.searchParams.get('code')).toMatch(/./);
    expect(await errorOf(exchange(config, { callback, verifier }))).toBe('invalid_grant');
  });
});

// covers: security T9, security 3.7.2, security 10.4.1, openid oidcc-ensure-registered-redirect-uri
test('accepts only exact matches of the registered redirect URIs', async () => {
  const config = await relyingParty(portal);
  const others = [
    `${WIKI.callback}/`,
    `${WIKI.callback}?next=/`,
    WIKI.callback.replace('http://localhost', 'HTTP://LOCALHOST'),
    WIKI.callback.replace(':8080', ':08080'),
    WIKI.callback.replace(':8080', ':0'),
    WIKI.callback.replace(':8080', ':99999'),
  ];
  for (const redirect of ['https://evil.test/callback?<b>"&', ...others]) {
    const url = client.buildAuthorizationUrl(config, { redirect_uri: redirect, scope: 'openid' });
    const { url: end, status, text } = await testBrowser(portal, USER).open(url);
    expect({ origin: end.origin, status }).toEqual({ origin: portal.url, status: 400 });
    expect(text).toContain('invalid_redirect_uri');
    expect(text).toContain(`<code>${escapeHtml(redirect)}</code>`);
    expect(text).toContain('add exactly this URL to its callback URLs');
  }
});

test('lists refused redirect URIs for administrators until they are registered', async () => {
  const config = await relyingParty(portal);
  const refuse = async (redirect_uri: string) => {
    const url = client.buildAuthorizationUrl(config, { redirect_uri, scope: 'openid' });
    expect((await testBrowser(portal).open(url)).status).toBe(400);
  };
  const refused = async (email = ADMIN, orgCode = 'acme') => {
    const { token } = await portal.signIn(email);
    const { body } = await portal.call(listRefusedRedirects, { params: { ...APP, orgCode } }, { token });
    return body.refused.map(({ redirectUri }) => redirectUri);
  };
  expect(await refused()).toEqual([]);
  for (const port of ['8081', '8082', '8083', '8084', '8082']) await refuse(`http://localhost:${port}/callback`);
  await refuse('javascript:alert(1)');
  const kept = ['8082', '8084', '8083'].map((port) => `http://localhost:${port}/callback`);
  expect(await refused()).toEqual(kept);
  expect(await refused('admin@globex.test', 'globex')).toEqual([]);
  const body = { oidcConfiguration: { clients: { redirect_uris: [WIKI.callback, kept[0] ?? ''] } } };
  await portal.call(updateApp, { params: APP, body }, await portal.signIn(ADMIN));
  expect(await refused()).toEqual(kept.slice(1));
  await portal.lab.reset({ seed: 'demo' });
  expect(await refused()).toEqual([]);
});

test('normalises redirect URIs in capitals or other scripts, as browsers do', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const redirect_uris = ['HTTPS://Wiki.Bücher.Test/Callback'];
  const body = { oidcConfiguration: { clients: { redirect_uris } } };
  await portal.call(updateApp, { params: { orgCode: 'acme', appId: WIKI.appId }, body }, { token });
  const redirect_uri = 'https://wiki.xn--bcher-kva.test/Callback';
  const { callback } = await authorize(await relyingParty(portal), testBrowser(portal, USER), { redirect_uri });
  expect(callback.href).toMatch(/^https:\/\/wiki\.xn--bcher-kva\.test\/Callback\?code=/);
});

// covers: security T9, security 8.4.1, security 10.3.1–10.3.4, openid oidcc-refresh-token
test("rejects another organisation's clients, codes and tokens", async () => {
  const { config, tokens } = await signInToWiki(portal);
  const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
  const secret = secretOf(portal, 'acme-portal-sso', 'globex');
  const globex = await relyingParty(portal, {
    orgCode: 'globex',
    appId: 'acme-portal-sso',
    auth: client.ClientSecretBasic(secret),
  });
  callback.searchParams.delete('iss');
  callback.searchParams.set('iss', globex.serverMetadata().issuer);
  expect(await errorOf(exchange(globex, { callback, verifier }))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(globex, tokens.access_token)).toEqual({ active: false });
  expect(await errorOf(client.fetchUserInfo(globex, tokens.access_token, client.skipSubjectCheck))).toBe(
    'invalid_token',
  );
  expect(await errorOf(client.refreshTokenGrant(globex, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  const stranger = await relyingParty(portal, { orgCode: 'globex' });
  expect(await errorOf(client.refreshTokenGrant(stranger, tokens.refresh_token ?? ''))).toBe('invalid_client');
});

test('returns 404 for an unknown organisation', async () => {
  await portal.http.get('/oidc/nowhere/.well-known/openid-configuration').expect(404);
});

// covers: security 4.1.3
test("uses the issuer's host in URLs, regardless of the request headers", async () => {
  const { body } = await portal.http
    .get('/oidc/acme/.well-known/openid-configuration')
    .set({ 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' });
  expect(body).toMatchObject({
    issuer: `${portal.url}/oidc/acme`,
    authorization_endpoint: `${portal.url}/oidc/acme/auth`,
    token_endpoint: `${portal.url}/oidc/acme/token`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  });
});
