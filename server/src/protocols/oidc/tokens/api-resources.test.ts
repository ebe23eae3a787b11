import {
  createApiResource,
  deleteApiResource,
  listApiResources,
  manageUser,
  updateApiResource,
} from '@orchestrate/shared';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JWTVerifyOptions, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

const ORDERS = 'https://orders.acme.test/api';
const STOCK = 'urn:acme:stock';

let portal: TestPortal;
let token: string;
let resourceId: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
  resourceId = (await add(ORDERS, ['orders:read', 'orders:write'])).body.resource.resourceId;
  await add(STOCK, []);
});
afterEach(() => portal.close());

const add = (identifier: string, scopes: string[]) =>
  portal.call(createApiResource, { body: { identifier, name: identifier, scopes } }, { token });

/** Validates a JWT as resource servers do, for example Spring Security by default (RFC 9068 §4). */
function validated(config: client.Configuration, accessToken: string, options: JWTVerifyOptions = {}) {
  const { jwks_uri = '', issuer } = config.serverMetadata();
  return jwtVerify(accessToken, createRemoteJWKSet(new URL(jwks_uri)), {
    issuer,
    audience: ORDERS,
    typ: 'at+jwt',
    currentDate: new Date(portal.deps.clock.toExternalTime()),
    requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
    ...options,
  });
}

const web = () => relyingParty(portal, { auth: client.ClientSecretBasic(secretOf(portal, WIKI.appId)) });
const ask = async (config: client.Configuration, params: Record<string, string>) =>
  authorize(config, testBrowser(portal, USER), { scope: 'openid orders:read', ...params });

describe('access tokens for APIs', () => {
  test('are JWTs with the requested scopes that the API can validate itself', async () => {
    const config = await web();
    const tokens = await exchange(config, await ask(config, { resource: ORDERS, scope: 'openid orders:read else' }));
    const { payload } = await validated(config, tokens.access_token);
    expect(payload).toMatchObject({ aud: ORDERS, client_id: WIKI.appId, scope: 'orders:read' });
    expect(payload.sub).toBe(tokens.claims()?.sub);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(tokens.expires_in);
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    const inspected = await portal.lab.inspect({ token: tokens.access_token });
    expect(inspected).toMatchObject({ kind: 'access-token', verdict: 'This access token of acme is valid.' });
    await expect(validated(config, tokens.access_token, { audience: STOCK })).rejects.toThrow('"aud"');
  });

  test("follow the lab's clock, like ID tokens", async () => {
    portal.clock.advance(86_400 * 30);
    const config = await web();
    const tokens = await exchange(config, await ask(config, { resource: ORDERS }));
    await validated(config, tokens.access_token);
    const late = new Date(portal.deps.clock.toExternalTime() + 2 * 1_000 * (tokens.expires_in ?? 0));
    await expect(validated(config, tokens.access_token, { currentDate: late })).rejects.toThrow('"exp"');
  });

  test('are refreshed for the same API, with the scopes that the API still has', async () => {
    const config = await web();
    const scope = 'openid offline_access orders:read orders:write';
    const tokens = await exchange(config, await ask(config, { resource: ORDERS, scope }));
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource: ORDERS });
    expect((await validated(config, again.access_token)).payload.scope).toBe('orders:read orders:write');
    const change = { params: { resourceId }, body: { name: 'Orders', scopes: ['orders:read'] } };
    expect((await portal.call(updateApiResource, change, { token })).body.resource.scopes).toEqual(['orders:read']);
    const less = await client.refreshTokenGrant(config, again.refresh_token ?? '', { resource: ORDERS });
    expect((await validated(config, less.access_token)).payload.scope).toBe('orders:read');
    await portal.call(deleteApiResource, { params: { resourceId } }, { token });
    expect(await errorOf(client.refreshTokenGrant(config, less.refresh_token ?? '', { resource: ORDERS }))).toBe(
      'invalid_target',
    );
  });

  test('are issued separately for two APIs', async () => {
    const config = await web();
    const browser = testBrowser(portal, USER);
    for (const resource of [ORDERS, STOCK]) {
      const tokens = await exchange(config, await authorize(config, browser, { scope: 'openid', resource }));
      await validated(config, tokens.access_token, { audience: resource });
    }
  });

  test('name a service client as their subject', async () => {
    const app = await createApplication(portal, token, 'Night job', { kind: 'machine' });
    const auth = client.ClientSecretBasic(app.oidcConfiguration?.clients.client_secret ?? '');
    const config = await relyingParty(portal, { appId: 'night-job', auth });
    const tokens = await client.clientCredentialsGrant(config, { resource: ORDERS, scope: 'orders:write' });
    expect((await validated(config, tokens.access_token)).payload).toMatchObject({
      sub: 'night-job',
      client_id: 'night-job',
      scope: 'orders:write',
    });
    expect(await errorOf(client.clientCredentialsGrant(config, { resource: 'urn:acme:none' }))).toBe('invalid_target');
  });
});

describe('access token introspection by an API (RFC 7662)', () => {
  const service = async (orgCode = 'acme') => {
    const admin = orgCode === 'acme' ? token : (await portal.signIn('admin@globex.test')).token;
    const app = await createApplication(portal, admin, 'Orders service', { kind: 'machine' }, orgCode);
    const auth = client.ClientSecretBasic(app.oidcConfiguration?.clients.client_secret ?? '');
    return relyingParty(portal, { orgCode, appId: 'orders-service', auth });
  };
  const ofPerson = async () => {
    const config = await web();
    const scope = 'openid offline_access orders:read';
    return { config, tokens: await exchange(config, await ask(config, { resource: ORDERS, scope })) };
  };

  /** The portal's clock is frozen, but the library's clock isn't, so allow a few seconds' difference. */
  const expiryOf = (accessToken: string) => expect.closeTo(Number(decodeJwt(accessToken).exp), -1);

  test("reports an active token with the JWT's claims", async () => {
    const { tokens } = await ofPerson();
    const { sub, iss, iat } = decodeJwt(tokens.access_token);
    const exp = expiryOf(tokens.access_token);
    const scope = 'orders:read';
    const expected = { active: true, sub, iss, exp, iat, aud: ORDERS, client_id: WIKI.appId, scope };
    const api = await service();
    for (const token_type_hint of ['', 'access_token', 'refresh_token']) {
      const introspection = await client.tokenIntrospection(api, tokens.access_token, { token_type_hint });
      expect(introspection).toMatchObject({ ...expected, token_type: 'Bearer' });
    }
    const own = await client.clientCredentialsGrant(api, { resource: ORDERS, scope: 'orders:write' });
    expect(await client.tokenIntrospection(api, own.access_token)).toMatchObject({
      active: true,
      aud: ORDERS,
      sub: 'orders-service',
      client_id: 'orders-service',
      scope: 'orders:write',
    });
    // Also works with opaque tokens, which gateways introspect to identify clients.
    const { access_token: opaque } = await client.clientCredentialsGrant(api);
    expect(await client.tokenIntrospection(api, opaque)).toMatchObject({ active: true, sub: 'orders-service' });
  });

  test("reports the lab's times and expires tokens by them", { tags: 'whole' }, async () => {
    const api = await service();
    portal.clock.advance(86_400 * 30);
    const { tokens } = await ofPerson();
    const exp = expiryOf(tokens.access_token);
    expect(await client.tokenIntrospection(api, tokens.access_token)).toMatchObject({ active: true, exp });
    portal.clock.advance((tokens.expires_in ?? 0) + 1);
    expect(await client.tokenIntrospection(api, tokens.access_token)).toEqual({ active: false });
  });

  test.each(['it is revoked', 'its refresh token is revoked', 'its member is paused'])(
    'reports a token as inactive once %s',
    async (how) => {
      const { config, tokens } = await ofPerson();
      const api = await service();
      const revoke = (given = '') => client.tokenRevocation(config, given);
      if (how === 'it is revoked') await revoke(tokens.access_token);
      else if (how === 'its refresh token is revoked') await revoke(tokens.refresh_token);
      else await portal.call(manageUser, { body: { suid: tokens.claims()?.sub ?? '', action: 'pause' } }, { token });
      expect(await client.tokenIntrospection(api, tokens.access_token)).toEqual({ active: false });
    },
  );

  test('hides tokens from other organisations, and lets no other application revoke them', async () => {
    const { tokens } = await ofPerson();
    const [api, other] = [await service(), await service('globex')];
    expect(await client.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false });
    expect(await errorOf(client.tokenRevocation(api, tokens.access_token))).toBe('invalid_grant');
    expect(await client.tokenIntrospection(api, tokens.access_token)).toMatchObject({ active: true });
  });

  test("reports a modified token, an ID token and another issuer's token as inactive", async () => {
    const { tokens } = await ofPerson();
    const api = await service();
    const [header = '', payload = '', signature = ''] = tokens.access_token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      `${header}.${payload}.${signature.split('').reverse().join('')}`,
      `${none}.${payload}.`,
      `${none}..`,
    ];
    for (const other of [...forged, tokens.id_token ?? ''])
      expect(await client.tokenIntrospection(api, other)).toEqual({ active: false });
  });
});

test("rejects an unknown API, and a resource that isn't a URI", async () => {
  const config = await web();
  for (const resource of ['https://nobody.acme.test', 'orders', `${ORDERS}#part`]) {
    const { callback } = await ask(config, { resource });
    expect(callback.searchParams.get('error')).toBe('invalid_target');
  }
  const globex = await portal.signIn('admin@globex.test');
  const { resources } = (await portal.call(listApiResources, {}, { token: globex.token })).body;
  expect(resources).toEqual([]);
});

test('rejects an API in the audience parameter, and tells the client to use resource', async () => {
  const config = await web();
  const { callback } = await ask(config, { audience: ORDERS });
  expect(callback.searchParams.get('error')).toBe('invalid_target');
  expect(callback.searchParams.get('error_description')).toContain('resource');
  const app = await createApplication(portal, token, 'Night job', { kind: 'machine' });
  const auth = client.ClientSecretBasic(app.oidcConfiguration?.clients.client_secret ?? '');
  const machine = await relyingParty(portal, { appId: 'night-job', auth });
  expect(await errorOf(client.clientCredentialsGrant(machine, { audience: ORDERS }))).toBe('invalid_target');
});

test('rejects the scopes of a service client that names no API', async () => {
  const app = await createApplication(portal, token, 'Night job', { kind: 'machine' });
  const auth = client.ClientSecretBasic(app.oidcConfiguration?.clients.client_secret ?? '');
  const machine = await relyingParty(portal, { appId: 'night-job', auth });
  for (const scope of ['orders:write', 'openid offline_access', 'anything'])
    expect(await errorOf(client.clientCredentialsGrant(machine, { scope }))).toBe('invalid_scope');
  const { access_token: bare } = await client.clientCredentialsGrant(machine);
  expect(await client.tokenIntrospection(machine, bare)).not.toHaveProperty('scope');
});

test('issues an opaque token for userinfo if there is no resource parameter', async () => {
  const config = await web();
  const tokens = await exchange(config, await ask(config, {}));
  expect(tokens.access_token.split('.')).toHaveLength(1);
  expect((await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).sub).toBeTruthy();
});

describe('APIs', () => {
  const refusal = async (identifier: string, scopes: string[] = []) => {
    const { status, body } = await add(identifier, scopes);
    return status === 400 ? body.issues?.[0]?.path : body.resultName;
  };

  test('need a unique URI as identifier, and scopes without spaces', async () => {
    expect(await refusal(ORDERS)).toBe('identifier');
    for (const wrong of ['orders', 'https://a.test/#b', '//a.test', 'https://a test'])
      expect(await refusal(wrong)).toBe('identifier');
    expect(await refusal('urn:acme:more', ['a b'])).toBe('scopes.0');
    expect(await refusal('urn:acme:more', ['openid'])).toBe('scopes.0');
    expect(await refusal('urn:acme:more', ['a', 'a'])).toBe('scopes');
  });

  test('can be changed only with the current version', async () => {
    const change = (name: string, ifMatch?: string) =>
      portal.call(
        updateApiResource,
        { params: { resourceId }, body: { name, scopes: [] } },
        { token, ...(ifMatch !== undefined && { ifMatch }) },
      );
    const { version } = (await change('Orders')).body.resource;
    expect((await change('Orders two', version)).status).toBe(200);
    expect((await change('Orders three', version)).status).toBe(412);
    const missing = { params: { resourceId: 'nobody' } };
    expect((await portal.call(deleteApiResource, missing, { token })).body.resultName).toBe('ID_DOESNOT_EXIST');
  });
});
