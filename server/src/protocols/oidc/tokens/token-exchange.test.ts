import { createApiResource, readWorld, resetLab, updateApp } from '@orchestrate/shared';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  createApplication,
  errorOf,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const ORDERS = 'https://orders.acme.test/api';

let portal: TestPortal;
let token: string;
let gateway: client.Configuration;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(async () => {
  await portal.call(resetLab, { body: {} });
  ({ token } = await portal.signIn('super.admin@acme.test'));
  await portal.call(
    createApiResource,
    { body: { identifier: ORDERS, name: 'Orders', scopes: ['orders:read', 'orders:write'] } },
    { token },
  );
  gateway = await service('Gateway');
});
afterAll(() => portal.close());

/** Creates a service that can exchange tokens, and returns its client. */
async function service(name: string) {
  const { appId } = await createApplication(portal, token, name, { kind: 'machine', token_exchange: true });
  return relyingParty(portal, { appId, auth: client.ClientSecretBasic(secretOf(portal, appId)) });
}

const exchange = (config: client.Configuration, subject: string, params: Record<string, string> = {}) =>
  client.genericGrantRequest(config, GRANT, { subject_token: subject, subject_token_type: ACCESS_TOKEN, ...params });

const change = (clients: object, appId: string = WIKI.appId) =>
  portal.call(
    updateApp,
    { params: { orgCode: 'acme', appId }, body: { oidcConfiguration: { clients: clients as never } } },
    { token },
  );

describe('token exchange', () => {
  test('gives a service a token of the same user for the next API', async () => {
    const { tokens } = await signInToWiki(portal);
    const exchanged = await exchange(gateway, tokens.access_token, { resource: ORDERS, scope: 'orders:read' });
    expect(exchanged).toMatchObject({ issued_token_type: ACCESS_TOKEN, token_type: 'bearer', scope: 'orders:read' });
    const { suid } = memberByEmail(portal, 'acme', USER);
    expect(decodeJwt(exchanged.access_token)).toMatchObject({
      iss: `${portal.url}/oidc/acme`,
      sub: suid,
      aud: ORDERS,
      client_id: 'gateway',
      scope: 'orders:read',
      act: { sub: 'gateway' },
    });
    const introspected = await client.tokenIntrospection(gateway, exchanged.access_token);
    expect(introspected).toMatchObject({ active: true, sub: suid, aud: ORDERS, act: { sub: 'gateway' } });
    expect(exchanged).not.toHaveProperty('refresh_token');
    expect(exchanged).not.toHaveProperty('id_token');
  });

  test('accepts an application as audience, and lists all actors of a chain', async () => {
    const { tokens } = await signInToWiki(portal);
    await service('Stock');
    const stock = await relyingParty(portal, { appId: 'stock' });
    const first = await exchange(gateway, tokens.access_token, { audience: 'stock', requested_token_type: JWT });
    expect(first).toMatchObject({ issued_token_type: JWT });
    expect(decodeJwt(first.access_token)).toMatchObject({ aud: 'stock', act: { sub: 'gateway' } });
    const second = await exchange(stock, first.access_token, { resource: ORDERS, subject_token_type: JWT });
    expect(decodeJwt(second.access_token)).toMatchObject({
      aud: ORDERS,
      client_id: 'stock',
      act: { sub: 'stock', act: { sub: 'gateway' } },
    });
  });

  test('keeps the audience and scopes of the subject token by default', async () => {
    const { tokens } = await signInToWiki(portal);
    const own = await exchange(gateway, tokens.access_token, { scope: 'openid email' });
    expect(own.access_token).not.toContain('.');
    expect(await client.fetchUserInfo(gateway, own.access_token, client.skipSubjectCheck)).toMatchObject({
      email: USER,
    });
    const ofApi = await exchange(gateway, tokens.access_token, { resource: ORDERS, scope: 'orders:read orders:write' });
    const narrower = await exchange(gateway, ofApi.access_token, { scope: 'orders:read' });
    expect(decodeJwt(narrower.access_token)).toMatchObject({ aud: ORDERS, scope: 'orders:read' });
    const same = await exchange(gateway, narrower.access_token);
    expect(decodeJwt(same.access_token)).toMatchObject({ aud: ORDERS, scope: 'orders:read' });
  });

  test('issues tokens that end no later than the subject token', async () => {
    const { tokens } = await signInToWiki(portal);
    portal.clock.advance(Number(tokens.expires_in) - 60);
    const exchanged = await exchange(gateway, tokens.access_token, { resource: ORDERS });
    expect(exchanged.expires_in).toBe(60);
    const { exp = 0, iat = 0 } = decodeJwt(exchanged.access_token);
    expect(exp - iat).toBe(60);
    portal.clock.advance(61);
    expect(await client.tokenIntrospection(gateway, exchanged.access_token)).toEqual({ active: false });
    expect(await errorOf(exchange(gateway, tokens.access_token))).toBe('invalid_grant');
  });

  test('issues tokens that end with the sign-in of the subject token', async () => {
    const endings = [
      async ({ config, tokens }: Awaited<ReturnType<typeof signInToWiki>>) =>
        client.tokenRevocation(config, tokens.refresh_token ?? tokens.access_token),
      async ({ config, browser, tokens }: Awaited<ReturnType<typeof signInToWiki>>) =>
        browser.submit(await browser.open(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }))),
      async () => portal.lab.person({ org: 'acme', email: USER, status: 'inactive' }),
    ];
    for (const end of endings) {
      const signIn = await signInToWiki(portal, { scope: 'openid email' });
      const exchanged = await exchange(gateway, signIn.tokens.access_token, { resource: ORDERS });
      const again = await exchange(gateway, exchanged.access_token);
      await end(signIn);
      for (const one of [exchanged, again])
        expect(await client.tokenIntrospection(gateway, one.access_token)).toEqual({ active: false });
    }
  });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown token', { subject_token: 'made-up' }, 'invalid_grant'],
    ['no token', { subject_token: '' }, 'invalid_request'],
    ['another token type', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }, 'invalid_request'],
    ['an opaque token as a JWT', { subject_token_type: JWT }, 'invalid_request'],
    [
      'a refresh token as the result',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      'invalid_request',
    ],
    ['a JWT from an application with opaque tokens', { requested_token_type: JWT }, 'invalid_request'],
    ['an actor token', { actor_token: 'x', actor_token_type: ACCESS_TOKEN }, 'invalid_request'],
    ['an unknown resource', { resource: 'https://elsewhere.test' }, 'invalid_target'],
    ['two targets', { resource: ORDERS, audience: 'stock' }, 'invalid_target'],
    ['scopes that the user has not granted', { scope: 'openid roles' }, 'invalid_scope'],
    ['scopes that the API does not have', { resource: ORDERS, scope: 'openid' }, 'invalid_scope'],
  ])('refuses %s', async (_what, params, error) => {
    const { tokens } = await signInToWiki(portal, { scope: 'openid email' });
    expect(await errorOf(exchange(gateway, tokens.access_token, params))).toBe(error);
  });

  test('refuses tokens without a user, of other organisations, and bound to a key', async () => {
    const own = await client.clientCredentialsGrant(gateway);
    expect(await errorOf(exchange(gateway, own.access_token))).toBe('invalid_grant');
    const elsewhere = await portal.lab.tokens({ org: 'globex', client: 'acme-portal-sso', as: 'admin@globex.test' });
    expect(await errorOf(exchange(gateway, elsewhere.accessToken))).toBe('invalid_grant');
    const config = await relyingParty(portal);
    const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
    const options = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) };
    const bound = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier }, {}, options);
    expect(await errorOf(exchange(gateway, bound.access_token))).toBe('invalid_request');
    const { tokens } = await signInToWiki(portal);
    const subject = { subject_token: tokens.access_token, subject_token_type: ACCESS_TOKEN };
    expect(await errorOf(client.genericGrantRequest(gateway, GRANT, subject, options))).toBe('invalid_request');
  });

  test('is only for applications with this setting', async () => {
    const { config, tokens } = await signInToWiki(portal);
    expect(await errorOf(exchange(config, tokens.access_token))).toBe('unauthorized_client');
    await change({ token_exchange: true });
    const exchanged = await exchange(config, tokens.access_token, { resource: ORDERS });
    expect(decodeJwt(exchanged.access_token)).toMatchObject({ act: { sub: WIKI.appId } });
    await createApplication(portal, token, 'Notes', { kind: 'single-page' });
    expect((await change({ token_exchange: true }, 'notes')).body).toMatchObject({
      issues: [
        { path: 'oidcConfiguration.clients.token_exchange', message: expect.stringContaining('Public clients') },
      ],
    });
  });

  test('respects who can use the applications', async () => {
    const { tokens } = await signInToWiki(portal);
    const { appId } = await createApplication(portal, token, 'Payslips', {});
    const params = { orgCode: 'acme', appId };
    await portal.call(
      updateApp,
      { params, body: { usableBy: { roles: ['SUPER_ADMIN'], people: [], groups: [] } } },
      { token },
    );
    expect(await errorOf(exchange(gateway, tokens.access_token, { audience: appId }))).toBe('invalid_target');
  });
});

describe('refresh tokens that are not rotated', () => {
  test('stay valid after each refresh', async () => {
    await change({ rotate_refresh_tokens: false });
    const { config, tokens } = await signInToWiki(portal);
    const { refresh_token: refreshToken = '' } = tokens;
    for (const _time of [1, 2, 3]) {
      portal.clock.advance(120);
      const refreshed = await client.refreshTokenGrant(config, refreshToken);
      expect(refreshed.refresh_token).toBe(refreshToken);
      expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true });
    }
    await client.tokenRevocation(config, refreshToken);
    expect(await errorOf(client.refreshTokenGrant(config, refreshToken))).toBe('invalid_grant');
  });

  test('are refused for clients that must rotate or have none', async () => {
    await createApplication(portal, token, 'Notes', { kind: 'single-page' });
    for (const [appId, message] of [
      ['notes', 'Public clients must rotate refresh tokens (RFC 9700 §2.2.2)'],
      ['gateway', 'Service clients have no refresh tokens'],
    ] as const) {
      const { body } = await change({ rotate_refresh_tokens: false }, appId);
      expect(body).toMatchObject({ issues: [{ path: 'oidcConfiguration.clients.rotate_refresh_tokens', message }] });
    }
  });
});

test('keeps both settings in a world, and refuses them where they have no effect', async () => {
  await change({ rotate_refresh_tokens: false, token_exchange: true });
  const { world } = (await portal.call(readWorld, {})).body;
  await portal.call(resetLab, { body: { seed: world } });
  const again = (await portal.call(readWorld, {})).body.world;
  const wiki = again.organisations
    ?.flatMap(({ applications = [] }) => applications)
    .find(({ id }) => id === WIKI.appId);
  expect(wiki?.oidc).toMatchObject({ rotateRefreshTokens: false, tokenExchange: true });
  const applications = [
    { id: 'notes', oidc: { kind: 'single-page' as const, redirectUris: [WIKI.callback], tokenExchange: true } },
    { id: 'phone', oidc: { kind: 'native' as const, rotateRefreshTokens: false } },
  ];
  const refused = await portal.call(resetLab, {
    body: { seed: { organisations: [{ code: 'initech', applications }] } },
  });
  expect(refused.body.issues?.map(({ path }) => path)).toEqual([
    'seed.organisations.0.applications.0.oidc.tokenExchange',
    'seed.organisations.0.applications.1.oidc.rotateRefreshTokens',
  ]);
});
