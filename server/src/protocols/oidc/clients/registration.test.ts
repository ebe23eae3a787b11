import {
  createRegistrationToken,
  DAY,
  DEVICE_GRANT,
  getApp,
  type InputOf,
  listAppActivity,
  listRegistrationTokens,
  manageUser,
  revokeRegistrationToken,
} from '@orchestrate/shared';
import { exportJWK, generateKeyPair } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { authorize, exchange, USER, WIKI } from '../relying-party-testing.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

type Form = NonNullable<InputOf<typeof createRegistrationToken>['body']>;

async function makeToken(form: Partial<Form> = {}, maker = token) {
  const body = { name: 'MCP clients', ...form };
  return (await portal.call(createRegistrationToken, { body }, { token: maker })).body;
}

const information = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  registration_access_token: z.string(),
  registration_client_uri: z.string(),
});
const endpoint = (orgCode = 'acme') => `${portal.url}/oidc/${orgCode}/reg`;

async function send(address: string, access: string, body?: unknown, method = 'POST') {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${access}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** Registration metadata that the Model Context Protocol Inspector sends. */
const INSPECTOR = {
  redirect_uris: ['http://localhost:6274/oauth/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  client_name: 'MCP Inspector',
  client_uri: 'https://github.com/modelcontextprotocol/inspector',
};

test('registers a client with a token, and members can then sign in to it', async () => {
  const { secret } = await makeToken();
  const config = await client.dynamicClientRegistration(
    new URL(`${portal.url}/oidc/acme`),
    { redirect_uris: [WIKI.callback], client_name: 'Shift planner (beta)', grant_types: ['authorization_code'] },
    undefined,
    { initialAccessToken: secret, execute: [client.allowInsecureRequests] },
  );
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER), { scope: 'openid email' }));
  expect(tokens.claims()?.email).toBe(USER);
  expect(tokens.refresh_token).toBeUndefined();
  const params = { orgCode: 'acme', appId: config.clientMetadata().client_id };
  const { app } = (await portal.call(getApp, { params }, { token })).body;
  expect(app).toMatchObject({ name: 'Shift planner beta', integrationType: 'oidc' });
  expect(app.oidcConfiguration).toMatchObject({ isClosed: false, clients: { kind: 'web' } });
});

test('registers native clients and makes duplicate names unique', {
  tags: 'whole',
}, async () => {
  const { secret } = await makeToken();
  const first = await send(endpoint(), secret, INSPECTOR);
  const second = await send(endpoint(), secret, INSPECTOR);
  expect(first.status).toBe(201);
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.body).toMatchObject({
    client_id: 'mcp-inspector',
    client_name: 'MCP Inspector',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', DEVICE_GRANT, 'refresh_token'],
    redirect_uris: INSPECTOR.redirect_uris,
  });
  expect(first.body).not.toHaveProperty('client_secret');
  expect(second.body.client_name).toBe('MCP Inspector');
  const made = await portal.call(getApp, { params: { orgCode: 'acme', appId: second.body.client_id } }, { token });
  expect(made.body.app.name).toBe('MCP Inspector 2');
  const config = await client.discovery(new URL(`${portal.url}/oidc/acme`), 'mcp-inspector', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const redirect = { redirect_uri: 'http://localhost:6274/oauth/callback' };
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER), redirect));
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).not.toBe('');
});

test('registers a client without a browser, whose users enter a code', async () => {
  const { secret } = await makeToken();
  const device = { token_endpoint_auth_method: 'none', grant_types: [DEVICE_GRANT, 'refresh_token'] };
  const { status, body } = await send(endpoint(), secret, { ...device, client_name: 'Television' });
  expect({ status, body }).toMatchObject({ status: 201, body: { ...device, response_types: [], redirect_uris: [] } });
  const config = await client.discovery(new URL(`${portal.url}/oidc/acme`), body.client_id, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const shown = await client.initiateDeviceAuthorization(config, { scope: 'openid email' });
  await portal.lab.browser({ as: USER }).open(shown.verification_uri_complete ?? '');
  const tokens = await client.genericGrantRequest(config, DEVICE_GRANT, { device_code: shown.device_code });
  expect(tokens.claims()?.email).toBe(USER);
});

test('issues no secret to a device client without an authentication method', async () => {
  const { secret } = await makeToken();
  const { status, body } = await send(endpoint(), secret, {
    application_type: 'web',
    grant_types: ['refresh_token', DEVICE_GRANT],
    response_types: [],
    redirect_uris: ['http://localhost:4242', 'edu.kit.data.oidc-agent:/redirect'],
  });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { application_type: 'native', token_endpoint_auth_method: 'none' },
  });
  expect(body).not.toHaveProperty('client_secret');
});

test('registers the supported metadata and returns it', async () => {
  const { secret } = await makeToken();
  const metadata = {
    redirect_uris: [WIKI.callback],
    grant_types: ['authorization_code', 'implicit', 'password', DEVICE_GRANT, 'refresh_token'],
    response_types: ['code', 'id_token', 'code id_token token'],
  };
  const made = await send(endpoint(), secret, metadata);
  const accepted = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
  expect(made).toMatchObject({ status: 201, body: { ...accepted, token_endpoint_auth_method: 'client_secret_basic' } });
  const { client_id, registration_access_token: access, registration_client_uri: at } = made.body;
  expect(await send(at, access, { ...metadata, client_id }, 'PUT')).toMatchObject({ status: 200, body: accepted });
});

test("returns the client's original name, even with characters that names can't contain", {
  tags: 'whole',
}, async () => {
  const { secret } = await makeToken();
  const metadata = { ...INSPECTOR, client_name: 'oidc-agent:laptop' };
  const { body } = await send(endpoint(), secret, metadata);
  expect(body.client_name).toBe('oidc-agent:laptop');
  const { client_id, registration_access_token: access, registration_client_uri: at } = body;
  const params = { orgCode: 'acme', appId: client_id };
  expect((await portal.call(getApp, { params }, { token })).body.app.name).toBe('oidc-agent laptop');
  const renamed = await send(at, access, { ...metadata, client_id, client_name: 'oidc-agent:desk' }, 'PUT');
  expect(renamed.body.client_name).toBe('oidc-agent:desk');
  expect((await send(at, access, undefined, 'GET')).body.client_name).toBe('oidc-agent:desk');
});

test('returns the same scopes as discovery', async () => {
  const { secret } = await makeToken();
  const discovered = await (await fetch(`${portal.url}/oidc/acme/.well-known/openid-configuration`)).json();
  const known = z
    .object({ scopes_supported: z.array(z.string()) })
    .parse(discovered)
    .scopes_supported.sort();
  const scopesIn = ({ body }: { body: { scope: string } }) => body.scope.split(' ').sort();
  const metadata = { ...INSPECTOR, scope: 'openid unheard-of' };
  const made = await send(endpoint(), secret, metadata);
  expect(scopesIn(made)).toEqual(known);
  expect(known).toContain('offline_access');
  const { registration_client_uri: at, registration_access_token: access } = made.body;
  expect(scopesIn(await send(at, access, undefined, 'GET'))).toEqual(known);
  const brief = await send(endpoint(), secret, { ...INSPECTOR, grant_types: ['authorization_code'] });
  expect(scopesIn(brief)).toEqual(known.filter((scope) => scope !== 'offline_access'));
});

test('registers a service client with its key', async () => {
  const { secret } = await makeToken();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] };
  const metadata = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'private_key_jwt', jwks };
  const { body } = await send(endpoint(), secret, { ...metadata, client_name: 'Night job' });
  expect(body).toMatchObject({ ...metadata, response_types: [], redirect_uris: [] });
  expect(body).not.toHaveProperty('scope');
  const auth = client.PrivateKeyJwt({ key: privateKey, kid: 'one' });
  const config = await client.discovery(new URL(`${portal.url}/oidc/acme`), body.client_id, undefined, auth, {
    execute: [client.allowInsecureRequests],
  });
  expect((await client.clientCredentialsGrant(config)).token_type).toBe('bearer');
});

describe("a client's registration", () => {
  let registered: z.output<typeof information>;
  let access: string;
  beforeEach(async () => {
    const { secret } = await makeToken();
    registered = information.parse(
      (await send(endpoint(), secret, { redirect_uris: [WIKI.callback], client_name: 'Planner' })).body,
    );
    access = registered.registration_access_token;
  });
  const at = () => registered.registration_client_uri;
  const written = () => ({ client_id: registered.client_id, redirect_uris: ['https://planner.test/callback'] });

  test('can be read, replaced and deleted by the client', async () => {
    expect((await send(at(), access, undefined, 'GET')).body).toEqual(registered);
    const changed = await send(at(), access, { ...written(), client_name: 'Planner two' }, 'PUT');
    expect(changed).toMatchObject({
      status: 200,
      body: {
        client_name: 'Planner two',
        redirect_uris: ['https://planner.test/callback'],
        client_secret: registered.client_secret,
      },
    });
    expect((await send(at(), access, undefined, 'DELETE')).status).toBe(204);
    expect((await send(at(), access, undefined, 'GET')).status).toBe(401);
  });

  test('is accessible only with its own token', async () => {
    const { secret } = await makeToken();
    const other = information.parse((await send(endpoint(), secret, INSPECTOR)).body);
    for (const [address, wrong] of [
      [at(), other.registration_access_token],
      [at(), secret],
      [`${endpoint()}/team-wiki`, access],
      [`${endpoint()}/nothing`, access],
      [`${endpoint('globex')}/${registered.client_id}`, access],
    ] as const) {
      expect(await send(address, wrong, undefined, 'GET')).toMatchObject({
        status: 401,
        body: { error: 'invalid_token' },
      });
      expect((await send(address, wrong, undefined, 'DELETE')).status).toBe(401);
    }
    expect((await send(at(), access, undefined, 'GET')).status).toBe(200);
  });

  test.each([
    ['another client ID', { client_id: 'team-wiki' }],
    ['another secret', { client_secret: 'of mine' }],
    ['another kind of client', { token_endpoint_auth_method: 'none' }],
    ['another registration URL', { registration_client_uri: 'https://planner.test/' }],
    ['a name in use', { client_name: 'Team Wiki' }],
  ])('cannot be changed to %s', async (_what, change) => {
    const refused = await send(at(), access, { ...written(), ...change }, 'PUT');
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    expect((await send(at(), access, undefined, 'GET')).body).toEqual(registered);
  });

  test('appears in the audit trail without its token', async () => {
    const params = { orgCode: 'acme', appId: registered.client_id };
    const { Items: events } = (await portal.call(listAppActivity, { params, query: {} }, { token })).body;
    expect(events[0]).toMatchObject({ action: 'application.created', actor: { kind: 'client', name: 'MCP clients' } });
    expect(JSON.stringify(events)).not.toContain('egistrationToken');
  });
});

test.each<[string, object, string]>([
  ['a client without redirect URIs', { redirect_uris: [] }, 'invalid_redirect_uri'],
  ['a redirect URI with a wildcard', { redirect_uris: ['https://*.planner.test/'] }, 'invalid_redirect_uri'],
  ['a script as a redirect URI', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [
    'a redirect URI that a native client cannot have',
    { ...INSPECTOR, redirect_uris: ['http://localhost/', 'http://planner.test/'] },
    'invalid_redirect_uri',
  ],
  ['the implicit flow', { response_types: ['id_token'] }, 'invalid_client_metadata'],
  ['an unknown grant', { grant_types: ['password'] }, 'invalid_client_metadata'],
  [
    'a mix of two kinds of client',
    { grant_types: ['authorization_code', 'client_credentials'] },
    'invalid_client_metadata',
  ],
  [
    'a device client with a secret',
    { grant_types: [DEVICE_GRANT], token_endpoint_auth_method: 'client_secret_basic' },
    'invalid_client_metadata',
  ],
  ['pairwise subjects', { subject_type: 'pairwise' }, 'invalid_client_metadata'],
  ['unsigned ID tokens', { id_token_signed_response_alg: 'none' }, 'invalid_client_metadata'],
  ['tokens bound to a key', { dpop_bound_access_tokens: true }, 'invalid_client_metadata'],
  [
    'required pushed authorization requests',
    { require_pushed_authorization_requests: true },
    'invalid_client_metadata',
  ],
  ['required signed requests', { require_signed_request_object: true }, 'invalid_client_metadata'],
  ['tokens bound to a certificate', { tls_client_certificate_bound_access_tokens: true }, 'invalid_client_metadata'],
  ['a default max_age', { default_max_age: 600 }, 'invalid_client_metadata'],
  ['default acr_values', { default_acr_values: ['urn:example:gold'] }, 'invalid_client_metadata'],
  ['an algorithm for signed requests', { request_object_signing_alg: 'RS256' }, 'invalid_client_metadata'],
  ['encrypted requests', { request_object_encryption_alg: 'RSA-OAEP' }, 'invalid_client_metadata'],
  ['signed userinfo', { userinfo_signed_response_alg: 'RS256' }, 'invalid_client_metadata'],
  ['encrypted userinfo', { userinfo_encrypted_response_alg: 'RSA-OAEP' }, 'invalid_client_metadata'],
  ['encrypted ID tokens', { id_token_encrypted_response_alg: 'RSA-OAEP' }, 'invalid_client_metadata'],
  ['signed introspection', { introspection_signed_response_alg: 'RS256' }, 'invalid_client_metadata'],
  ['encrypted introspection', { introspection_encrypted_response_alg: 'RSA-OAEP' }, 'invalid_client_metadata'],
  ['signed authorization responses', { authorization_signed_response_alg: 'RS256' }, 'invalid_client_metadata'],
  [
    'encrypted authorization responses',
    { authorization_encrypted_response_alg: 'RSA-OAEP' },
    'invalid_client_metadata',
  ],
  ['a fixed algorithm for assertions', { token_endpoint_auth_signing_alg: 'ES256' }, 'invalid_client_metadata'],
  [
    'a private_key_jwt client without keys',
    { token_endpoint_auth_method: 'private_key_jwt' },
    'invalid_client_metadata',
  ],
  [
    'a front-channel logout URI of another origin',
    { frontchannel_logout_uri: 'https://planner.test/out' },
    'invalid_client_metadata',
  ],
  [
    'a jwks_uri at a private address',
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://10.0.0.1/' },
    'invalid_client_metadata',
  ],
])('rejects %s', async (_what, metadata, error) => {
  const { secret } = await makeToken();
  const refused = await send(endpoint(), secret, { redirect_uris: [WIKI.callback], ...metadata });
  expect(refused).toMatchObject({ status: 400, body: { error } });
  expect(refused.body.error_description).not.toBe('');
});

test('registers a client that explicitly declines unsupported features', async () => {
  const { secret } = await makeToken();
  const metadata = {
    ...INSPECTOR,
    dpop_bound_access_tokens: false,
    require_pushed_authorization_requests: false,
    require_auth_time: true,
    backchannel_logout_session_required: true,
    contacts: ['owner@planner.test'],
  };
  const { status, body } = await send(endpoint(), secret, metadata);
  expect(status).toBe(201);
  expect(body).not.toHaveProperty('contacts');
});

test('ignores null metadata', async () => {
  const { secret } = await makeToken();
  const metadata = {
    ...INSPECTOR,
    jwks_uri: null,
    default_max_age: null,
    dpop_bound_access_tokens: null,
    contacts: null,
  };
  const { status, body } = await send(endpoint(), secret, metadata);
  expect(status).toBe(201);
  const { client_id, registration_client_uri: address, registration_access_token: access } = information.parse(body);
  const replace = (change: object) => send(address, access, { ...metadata, client_id, ...change }, 'PUT');
  expect(await replace({ frontchannel_logout_uri: null })).toMatchObject({ status: 200 });
  expect(await replace({ redirect_uris: null })).toMatchObject({ status: 400 });
});

test.each(['', 'null', '[]', '{', '"text"'])('rejects the body %j', async (body) => {
  const { secret } = await makeToken();
  expect(await send(endpoint(), secret, body)).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^invalid_/) },
  });
});

describe('registration', () => {
  const refused = { status: 401, body: { error: 'invalid_token' } };

  test("fails without a token or with another organisation's token", async () => {
    const { secret } = await makeToken();
    const without = await send(endpoint(), '', INSPECTOR);
    expect(without).toMatchObject(refused);
    expect(without.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await send(endpoint('globex'), secret, INSPECTOR)).toMatchObject(refused);
    expect(await send(endpoint('nowhere'), secret, INSPECTOR)).toMatchObject(refused);
  });

  test('fails with a revoked or expired token', async () => {
    const [first, second] = [await makeToken({ lifetimeDays: 90 }), await makeToken()];
    await portal.call(revokeRegistrationToken, { params: { tokenId: first.token.tokenId } }, { token });
    expect(await send(endpoint(), first.secret, INSPECTOR)).toMatchObject(refused);
    expect((await send(endpoint(), second.secret, INSPECTOR)).status).toBe(201);
    const { tokens } = (await portal.call(listRegistrationTokens, {}, { token })).body;
    expect(tokens).toMatchObject([{ tokenId: second.token.tokenId, isValid: true }]);
    expect(JSON.stringify(tokens)).not.toContain(second.secret);
    portal.clock.advance(366 * DAY);
    expect(await send(endpoint(), second.secret, INSPECTOR)).toMatchObject(refused);
  });

  test("fails if the token's creator can no longer manage applications", async () => {
    const admin = await portal.signIn('security.admin@acme.test');
    const { secret } = await makeToken({}, admin.token);
    expect((await send(endpoint(), secret, INSPECTOR)).status).toBe(201);
    const body = { suid: admin.profile.suid, action: 'pause' } as const;
    await portal.call(manageUser, { body }, { token });
    expect(await send(endpoint(), secret, INSPECTOR)).toMatchObject(refused);
  });
});

test('lists registration in discovery and accepts requests from pages of other sites', async () => {
  const discovered = await (await fetch(`${portal.url}/oidc/acme/.well-known/openid-configuration`)).json();
  expect(discovered).toMatchObject({ registration_endpoint: endpoint() });
  const preflight = await fetch(endpoint(), {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
});
