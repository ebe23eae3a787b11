import { createApiResource, issueTokens, manageUser, readFaults, resetLab, TOKEN_FLAWS } from '@orchestrate/shared';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  createApplication,
  relyingParty,
  secretOf,
  signInToWiki,
  USER,
  WIKI,
} from '#protocols/oidc/relying-party-testing.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

type TokenOptions = z.input<(typeof issueTokens)['body']>;

const ORDERS = 'https://orders.acme.test/api';
const FOR_USER = { client: WIKI.appId, as: USER };
const FOR_API = { ...FOR_USER, resource: ORDERS };

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(async () => {
  await portal.call(resetLab, { body: {} });
  ({ token } = await portal.signIn('super.admin@acme.test'));
  const body = { identifier: ORDERS, name: 'Orders', scopes: ['orders:read', 'orders:write'] };
  await portal.call(createApiResource, { body }, { token });
});
afterAll(() => portal.close());

/** Validates an access token as resource servers do (RFC 9068 §4). */
async function validate(accessToken: string) {
  const { jwks_uri = '', issuer } = (await relyingParty(portal)).serverMetadata();
  const currentDate = new Date(portal.deps.clock.toExternalTime());
  const requiredClaims = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'];
  return jwtVerify(accessToken, createRemoteJWKSet(new URL(jwks_uri)), {
    ...{ issuer, audience: ORDERS, typ: 'at+jwt', currentDate, requiredClaims },
  });
}

async function createServiceClient() {
  const app = await createApplication(portal, token, 'Nightly export', { kind: 'machine' });
  return { appId: app.appId, auth: client.ClientSecretBasic(secretOf(portal, app.appId)) };
}

describe('tokens without a sign-in', () => {
  test('equal those of a sign-in, except for the session', async () => {
    const { tokens: real } = await signInToWiki(portal);
    const { accessToken, idToken = '', refreshToken } = await portal.lab.tokens(FOR_USER);
    const { sid: _session, ...claims } = decodeJwt(real.id_token ?? '');
    expect(Object.keys(decodeJwt(idToken)).sort()).toEqual(Object.keys(claims).sort());
    const { iat: _one, exp: _two, auth_time: _three, at_hash: _four, ...lasting } = claims;
    expect(decodeJwt(idToken)).toMatchObject(lasting);
    expect(decodeProtectedHeader(idToken)).toEqual(decodeProtectedHeader(real.id_token ?? ''));
    const inspected = await portal.lab.inspect({ token: idToken });
    expect(inspected.verdict).toBe('This ID token of acme is valid.');
    const lengths = [accessToken, refreshToken].map((one) => one?.length);
    expect(lengths).toEqual([real.access_token, real.refresh_token].map((one) => one?.length));
  });

  test('work at userinfo, introspection, refresh and revocation', async () => {
    const config = await relyingParty(portal);
    const { accessToken, idToken = '', refreshToken = '' } = await portal.lab.tokens(FOR_USER);
    const { sub = '' } = decodeJwt(idToken);
    expect(await client.fetchUserInfo(config, accessToken, sub)).toMatchObject({ email: USER });
    const introspected = await client.tokenIntrospection(config, accessToken);
    expect(introspected).toMatchObject({ active: true, sub, client_id: WIKI.appId });
    const refreshed = await client.refreshTokenGrant(config, refreshToken);
    expect(refreshed.claims()).toMatchObject({ sub, email: USER });
    await client.tokenRevocation(config, refreshed.refresh_token ?? '');
    for (const one of [accessToken, refreshed.access_token]) {
      expect(await client.tokenIntrospection(config, one)).toEqual({ active: false });
    }
  });

  test('are JWTs for an API, with all of its scopes by default', async () => {
    const config = await relyingParty(portal);
    const { accessToken, refreshToken = '' } = await portal.lab.tokens(FOR_API);
    const { payload } = await validate(accessToken);
    expect(payload).toMatchObject({ aud: ORDERS, client_id: WIKI.appId, scope: 'orders:read orders:write' });
    expect(await client.tokenIntrospection(config, accessToken)).toMatchObject({ active: true, aud: ORDERS });
    const refreshed = await client.refreshTokenGrant(config, refreshToken);
    expect((await validate(refreshed.access_token)).payload.sub).toBe(payload.sub);
    const less = await portal.lab.tokens({ ...FOR_API, scope: 'orders:read' });
    expect((await validate(less.accessToken)).payload.scope).toBe('orders:read');
    expect(less.idToken).toBeUndefined();
  });

  test('belong to a service client', async () => {
    const { appId, auth } = await createServiceClient();
    const claims = { tenant: 'north' };
    const { accessToken, ...others } = await portal.lab.tokens({ client: appId, resource: ORDERS, claims });
    const { payload } = await validate(accessToken);
    expect(payload).toMatchObject({ sub: appId, client_id: appId, tenant: 'north', scope: 'orders:read orders:write' });
    expect(others).toEqual({ resultCode: 0 });
    const config = await relyingParty(portal, { appId, auth });
    expect(await client.tokenIntrospection(config, accessToken)).toMatchObject({ active: true, tenant: 'north' });
    const opaque = await portal.lab.tokens({ client: appId, claims });
    expect(await client.tokenIntrospection(config, opaque.accessToken)).toMatchObject({
      active: true,
      tenant: 'north',
    });
  });

  test('have custom claims and a custom lifetime, but only those of this call', async () => {
    const claims = { tenant: { id: 7 }, roles: ['auditor'], acr: 'high', nonce: 'n-1' };
    const {
      accessToken,
      idToken = '',
      refreshToken = '',
    } = await portal.lab.tokens({ ...FOR_API, claims, expiresIn: 5 });
    for (const one of [accessToken, idToken]) {
      const { exp = 0, iat = 0, ...found } = decodeJwt(one);
      expect(found).toMatchObject(claims);
      expect(exp - iat).toBe(5);
    }
    const config = await relyingParty(portal);
    expect(await client.tokenIntrospection(config, accessToken)).toMatchObject({ active: true, tenant: { id: 7 } });
    const refreshed = await client.refreshTokenGrant(config, refreshToken);
    expect(decodeJwt(refreshed.access_token)).not.toHaveProperty('tenant');
    portal.clock.advance(6);
    expect(await client.tokenIntrospection(config, accessToken)).toEqual({ active: false });
  });

  test('come from another issuer, and still work at the endpoints of this one', async () => {
    const issuer = 'https://other.example/';
    const { accessToken, idToken = '', refreshToken = '' } = await portal.lab.tokens({ ...FOR_API, issuer });
    for (const one of [accessToken, idToken]) expect(decodeJwt(one)).toMatchObject({ iss: issuer });
    const config = await relyingParty(portal);
    expect(await client.tokenIntrospection(config, accessToken)).toMatchObject({ active: true });
    expect((await portal.lab.inspect({ token: idToken })).verdict).toContain('must not be accepted: Issuer.');
    const refreshed = await client.refreshTokenGrant(config, refreshToken);
    expect(refreshed.claims()?.iss).toBe(`${portal.url}/oidc/acme`);
  });

  test('end when their user is disabled', async () => {
    const { suid, email } = await portal.lab.person({ org: 'acme' });
    const { accessToken } = await portal.lab.tokens({ client: WIKI.appId, as: email });
    const { status } = await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
    expect(status).toBe(200);
    expect(await client.tokenIntrospection(await relyingParty(portal), accessToken)).toEqual({ active: false });
  });

  test('don’t trigger pending faults', async () => {
    await portal.lab.fault({ match: { path: '/oidc/acme/token' }, answer: { token: 'expired' } });
    const { idToken = '' } = await portal.lab.tokens(FOR_USER);
    expect((await portal.lab.inspect({ token: idToken })).isValid).toBe(true);
    expect((await portal.call(readFaults, {})).body.faults).toHaveLength(1);
  });
});

describe('tampered tokens', () => {
  const REASONS: Readonly<Record<(typeof TOKEN_FLAWS)[number], RegExp>> = {
    expired: /"exp" claim timestamp check failed/,
    'not-yet': /"nbf" claim timestamp check failed/,
    'wrong-audience': /unexpected "aud"/,
    'wrong-issuer': /unexpected "iss"/,
    'bad-signature': /signature verification failed/,
    'unknown-key': /no applicable key found/,
    'none-algorithm': /"alg"/,
  };

  test.each(TOKEN_FLAWS)('are rejected by a resource server and the portal (%s)', async (tamper) => {
    const { accessToken, idToken = '', refreshToken = '' } = await portal.lab.tokens({ ...FOR_API, tamper });
    await expect(validate(accessToken)).rejects.toThrow(REASONS[tamper]);
    expect((await portal.lab.inspect({ token: idToken })).isValid).toBe(false);
    const config = await relyingParty(portal);
    expect(await client.tokenIntrospection(config, accessToken)).toEqual({ active: false });
    expect((await client.refreshTokenGrant(config, refreshToken)).access_token).toBeTruthy();
    const opaque = await portal.lab.tokens({ ...FOR_USER, tamper });
    expect(await client.tokenIntrospection(config, opaque.accessToken)).toEqual({ active: false });
  });

  test('lack one claim', async () => {
    const { accessToken, idToken = '' } = await portal.lab.tokens({ ...FOR_API, tamper: { without: 'sub' } });
    await expect(validate(accessToken)).rejects.toThrow('missing required "sub" claim');
    expect(decodeJwt(idToken)).not.toHaveProperty('sub');
    const noEmail = await portal.lab.tokens({ ...FOR_USER, tamper: { without: 'email' } });
    expect(decodeJwt(noEmail.idToken ?? '')).toMatchObject({ email_verified: true });
    expect(decodeJwt(noEmail.idToken ?? '')).not.toHaveProperty('email');
    const config = await relyingParty(portal);
    expect(await client.tokenIntrospection(config, noEmail.accessToken)).toMatchObject({ active: true });
  });
});

describe('a request with an option that would have no effect', () => {
  test.each<[Partial<TokenOptions>, string, string]>([
    [{ client: 'team-wikki' }, 'client', 'Did you mean team-wiki?'],
    [{ client: 'travel-desk' }, 'client', "travel-desk isn't an OpenID Connect application."],
    [{ as: 'usr@acme.test' }, 'message', 'Did you mean user@acme.test?'],
    [{ as: undefined }, 'as', 'Set as to the email address of a user.'],
    [{ org: 'globex' }, 'client', 'There is no application team-wiki in globex.'],
    [{ scope: 'openid emial' }, 'scope', 'Did you mean email?'],
    [{ scope: 'offline_access' }, 'scope', 'Request a scope such as openid.'],
    [{ resource: 'https://orders.acme.test/ap' }, 'resource', `Did you mean ${ORDERS}?`],
    [{ claims: { sub: 'x' } }, 'claims.sub', 'Set this claim with the option as'],
    [{ claims: { iss: 'x' } }, 'claims.iss', 'Set this claim with the option issuer'],
    [{ claims: {} }, 'claims', 'Provide at least one claim'],
    [{ issuer: 'other.example' }, 'issuer', 'Use an http or https URL'],
    [{ issuer: 'https://other.example?a=b' }, 'issuer', 'without a query or fragment'],
    [{ issuer: 'https://other.example', tamper: 'wrong-issuer' }, 'issuer', 'cannot be combined with a tamper'],
    [{ issuer: 'https://other.example', tamper: { without: 'iss' } }, 'issuer', 'cannot be combined with a tamper'],
    [{ issuer: 'https://other.example', scope: 'profile' }, 'issuer', 'An opaque access token has no issuer.'],
    [{ claims: { jti: 'x' } }, 'claims.jti', 'This claim is set by the protocol'],
    [{ expiresIn: 0 }, 'expiresIn', '1'],
    [{ tamper: 'expird' as 'expired' }, 'tamper', 'expired'],
    [{ tamper: { without: 'emial' } }, 'tamper.without', 'Did you mean email?'],
    [{ tamper: { without: 'email' }, scope: 'profile' }, 'tamper.without', 'An opaque access token has no claims.'],
    [{ tampr: 'expired' } as Partial<TokenOptions>, 'tampr', 'Did you mean tamper?'],
  ])('is refused and the field is named: %j', async (options, field, sentence) => {
    const { status, body } = await portal.call(issueTokens, { body: { ...FOR_USER, ...options } });
    expect(status).toBeGreaterThanOrEqual(400);
    const issues = [...(body.issues ?? []), { path: 'message', message: body.message ?? '' }];
    expect(issues).toContainEqual({ path: field, message: expect.stringContaining(sentence) });
  });

  test('is refused for a user of a service client, or for one who cannot sign in', async () => {
    const { appId } = await createServiceClient();
    const ofMachine = await portal.call(issueTokens, { body: { client: appId, as: USER } });
    expect(ofMachine.body.issues?.[0]).toMatchObject({
      path: 'as',
      message: expect.stringContaining('service client'),
    });
    const scoped = await portal.call(issueTokens, { body: { client: appId, scope: 'orders:read' } });
    expect(scoped.body.issues?.[0]).toMatchObject({ path: 'scope' });
    const { email } = await portal.lab.person({ org: 'acme', status: 'inactive' });
    const disabled = await portal.call(issueTokens, { body: { client: WIKI.appId, as: email } });
    expect(disabled.body.issues?.[0]).toEqual({ path: 'as', message: `${email} is inactive and cannot sign in.` });
  });
});
