import { createApiResource, previewApp, readWorld, resetLab, updateApp } from '@orchestrate/shared';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  createApplication,
  errorOf,
  exchange,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from '../relying-party-testing.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const ORDERS = 'https://orders.acme.test/api';
const params = { orgCode: 'acme', appId: WIKI.appId };
const JWT = { access_token_format: 'jwt' } as const;

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(async () => {
  await portal.call(resetLab, { body: {} });
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterAll(() => portal.close());

type Clients = Parameters<typeof createApplication>[3];
const change = (clients: object) =>
  portal.call(updateApp, { params, body: { oidcConfiguration: { clients: clients as Clients } } }, { token });

/** Validates an access token as an application's own service does (RFC 9068 §4). */
async function validate(accessToken: string, audience: string = WIKI.appId) {
  const { jwks_uri = '', issuer } = (await relyingParty(portal)).serverMetadata();
  const currentDate = new Date(portal.deps.clock.toExternalTime());
  const requiredClaims = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'];
  const options = { issuer, audience, typ: 'at+jwt', currentDate, requiredClaims };
  return (await jwtVerify(accessToken, createRemoteJWKSet(new URL(jwks_uri)), options)).payload;
}

test('issues opaque access tokens by default', async () => {
  const { tokens } = await signInToWiki(portal);
  const ordered = await portal.lab.tokens({ client: WIKI.appId, as: USER });
  for (const one of [tokens.access_token, ordered.accessToken]) expect(one).not.toContain('.');
  expect(await client.tokenIntrospection(await relyingParty(portal), tokens.access_token)).not.toHaveProperty('aud');
});

describe('an application with JWT access tokens', () => {
  test('gets JWTs for its client ID by code and refresh, without resource', async () => {
    await change(JWT);
    const { config, tokens } = await signInToWiki(portal);
    const payload = await validate(tokens.access_token);
    const { sub = '' } = tokens.claims() ?? {};
    expect(payload).toMatchObject({ aud: WIKI.appId, client_id: WIKI.appId, sub });
    expect(String(payload.scope).split(' ')).toEqual(expect.arrayContaining(['openid', 'email', 'profile']));
    expect(Number(payload.exp) - Number(payload.iat)).toBe(tokens.expires_in);
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    const inspected = await portal.lab.inspect({ token: tokens.access_token });
    expect(inspected).toMatchObject({ kind: 'access-token', verdict: 'This access token of acme is valid.' });
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await validate(refreshed.access_token)).toMatchObject({ sub, aud: WIKI.appId });
    await expect(validate(refreshed.access_token, 'payroll')).rejects.toThrow('"aud"');
  });

  test('can use its JWTs at userinfo, introspection and revocation', async () => {
    await change(JWT);
    const { config, tokens } = await signInToWiki(portal);
    const { access_token: accessToken } = tokens;
    const { sub = '', jti: _jti, ...claims } = decodeJwt(accessToken);
    expect(await client.fetchUserInfo(config, accessToken, sub)).toMatchObject({ sub, email: USER });
    const { exp, iat, ...lasting } = claims;
    const introspected = await client.tokenIntrospection(config, accessToken);
    expect(introspected).toMatchObject({ ...lasting, active: true, sub, token_type: 'Bearer', aud: WIKI.appId });
    expect([introspected.exp, introspected.iat]).toEqual([expect.closeTo(Number(exp), -1), iat]);
    await client.tokenRevocation(config, accessToken);
    expect(await client.tokenIntrospection(config, accessToken)).toEqual({ active: false });
    expect(await errorOf(client.fetchUserInfo(config, accessToken, sub))).toBe('invalid_token');
  });

  test('gets JWTs that userinfo rejects after they expire', async () => {
    await change({ ...JWT, ttl_AccessToken: 60 });
    const { config, tokens } = await signInToWiki(portal);
    const { sub = '' } = tokens.claims() ?? {};
    portal.clock.advance(61);
    expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, sub))).toBe('invalid_token');
  });

  test('gets JWTs with the claims that its settings add to access tokens', async () => {
    const claims = [
      { name: 'tenant', value: 'north', accessToken: true },
      { name: 'hidden', value: 'x' },
    ];
    await change({ ...JWT, claims });
    const { tokens } = await signInToWiki(portal);
    expect(await validate(tokens.access_token)).toMatchObject({ tenant: 'north' });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('hidden');
    const { preview } = (await portal.call(previewApp, { params, query: {} }, { token })).body;
    expect(preview).toMatchObject({ accessToken: { aud: WIKI.appId, tenant: 'north' } });
  });

  test('gets JWTs for an API that it requests with resource', async () => {
    await change(JWT);
    const body = { identifier: ORDERS, name: 'Orders', scopes: ['orders:read'] };
    await portal.call(createApiResource, { body }, { token });
    const config = await relyingParty(portal);
    const scope = 'openid orders:read';
    const tokens = await exchange(
      config,
      await authorize(config, testBrowser(portal, USER), { scope, resource: ORDERS }),
    );
    expect(await validate(tokens.access_token, ORDERS)).toMatchObject({ aud: ORDERS, scope: 'orders:read' });
    expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck))).toBe(
      'insufficient_scope',
    );
  });

  test('gets JWTs by device code', async () => {
    const kind = 'native' as const;
    await createApplication(portal, token, 'Television', { kind, redirect_uris: [], ...JWT });
    const config = await relyingParty(portal, { appId: 'television', auth: client.None() });
    const { device_code, verification_uri_complete = '' } = await client.initiateDeviceAuthorization(config, {
      scope: 'openid',
    });
    const browser = testBrowser(portal, USER);
    await browser.submit(await browser.submit(await browser.open(verification_uri_complete)), { confirm: 'yes' });
    const tokens = await client.genericGrantRequest(config, DEVICE_GRANT, { device_code });
    expect(await validate(tokens.access_token, 'television')).toMatchObject({ client_id: 'television' });
  });

  test('gets JWTs as a service client', async () => {
    const claims = [{ name: 'tenant', value: 'north' }];
    const { appId } = await createApplication(portal, token, 'Nightly export', { kind: 'machine', claims, ...JWT });
    const auth = client.ClientSecretBasic(secretOf(portal, appId));
    const config = await relyingParty(portal, { appId, auth });
    const { access_token: accessToken } = await client.clientCredentialsGrant(config);
    const expected = { sub: appId, aud: appId, client_id: appId, tenant: 'north' };
    expect(await validate(accessToken, appId)).toMatchObject(expected);
    expect(await client.tokenIntrospection(config, accessToken)).toMatchObject({ active: true, ...expected });
    const ordered = await portal.lab.tokens({ client: appId, claims: { region: 'eu' } });
    expect(await validate(ordered.accessToken, appId)).toMatchObject({ ...expected, region: 'eu' });
  });

  test('gets JWTs from the lab, with a lifetime and a flaw', async () => {
    await change(JWT);
    const options = { client: WIKI.appId, as: USER };
    const { accessToken } = await portal.lab.tokens({ ...options, expiresIn: 5, claims: { tenant: 'north' } });
    const { exp = 0, iat = 0, ...payload } = await validate(accessToken);
    expect({ lifetime: exp - iat, tenant: payload.tenant }).toEqual({ lifetime: 5, tenant: 'north' });
    const config = await relyingParty(portal);
    expect(await client.fetchUserInfo(config, accessToken, payload.sub ?? '')).toMatchObject({ email: USER });
    const flawed = await portal.lab.tokens({ ...options, tamper: 'wrong-audience' });
    await expect(validate(flawed.accessToken)).rejects.toThrow('unexpected "aud"');
    expect(await errorOf(client.fetchUserInfo(config, flawed.accessToken, client.skipSubjectCheck))).toBe(
      'invalid_token',
    );
    const incomplete = await portal.lab.tokens({ ...options, scope: 'profile', tamper: { without: 'jti' } });
    await expect(validate(incomplete.accessToken)).rejects.toThrow('missing required "jti" claim');
  });
});

test('saves the format in a world, and refuses it for other kinds of applications', async () => {
  await change(JWT);
  const oidcOf = async () => {
    const { world } = (await portal.call(readWorld, {})).body;
    const [acme] = (world.organisations ?? []).filter(({ code }) => code === 'acme');
    return { world, oidc: acme?.applications?.find(({ id }) => id === WIKI.appId)?.oidc };
  };
  const { world, oidc } = await oidcOf();
  expect(oidc?.accessTokenFormat).toBe('jwt');
  await portal.call(resetLab, { body: { seed: world } });
  expect((await oidcOf()).oidc?.accessTokenFormat).toBe('jwt');
  await validate((await portal.lab.tokens({ client: WIKI.appId, as: USER })).accessToken);

  ({ token } = await portal.signIn('super.admin@acme.test'));
  const wrong = await change({ access_token_format: 'JWT' });
  expect(wrong.body.issues).toEqual([
    { path: 'oidcConfiguration.clients.access_token_format', message: 'Use opaque or jwt' },
  ]);
  const body = { oidcConfiguration: { clients: JWT } };
  const portalApp = await portal.call(updateApp, { params: { ...params, appId: 'portal' }, body }, { token });
  expect(portalApp.body.issues).toMatchObject([{ path: 'oidcConfiguration' }]);
  const applications = [{ id: 'desk', type: 'ldap' as const, oidc: { accessTokenFormat: 'jwt' as const } }];
  const seed = { organisations: [{ code: 'initech', applications }] };
  const refused = await portal.call(resetLab, { body: { seed } });
  expect(refused.body.issues).toMatchObject([{ path: 'seed.organisations.0.applications.0.oidc' }]);
});
