import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  getOidcConfiguration,
  getOrgSettings,
  getScimCredentials,
  type PortalOidc,
  renewScimCredentials,
  saveOidcConfiguration,
  testOidcConfiguration,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchOutside, UNREADABLE_ADDRESS_MESSAGE } from '#platform/adapters/fetch-outside.ts';
import { saveProvider } from '#testing/approving.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

describe('provisioning credentials', () => {
  const read = async () => (await portal.call(getScimCredentials, {}, { token })).body;

  // covers: spec 2.3.8
  test('include the endpoint address', async () => {
    expect(await read()).toEqual({
      resultCode: 0,
      endpoint: `${portal.url}/scim/v2/acme`,
      username: 'scim-acme',
      password: expect.stringMatching(/^[\w-]{43}$/),
      isPasswordHidden: false,
      madeBy: 'Avery Lindqvist',
      madeAt: expect.any(String),
      roles: expect.arrayContaining(['Super Admin', 'Auditor', 'Org User']),
      limitedBy: 'nothing',
    });
  });

  // covers: spec 2.7.17
  test('are empty until an administrator creates them', async () => {
    const { token: elsewhere } = await portal.signIn('admin@globex.test');
    const before = await portal.call(getScimCredentials, {}, { token: elsewhere });
    expect(before.body).toMatchObject({ endpoint: `${portal.url}/scim/v2/globex`, username: '', password: '' });
    const created = await portal.call(renewScimCredentials, { body: {} }, { token: elsewhere });
    expect(created.body).toMatchObject({ username: 'scim-globex', password: expect.stringMatching(/^[\w-]{43}$/) });
  });

  // covers: spec 2.7.17
  test('change when they are renewed', async () => {
    const before = await read();
    const { body } = await portal.call(renewScimCredentials, { body: {} }, { token });
    expect(body.password).not.toBe(before.password);
    expect(await read()).toEqual(body);
  });
});

const PROVIDER: PortalOidc = {
  configurationUrl: 'https://login.acme.test/oidc',
  clientId: 'portal',
  clientSecret: 'a secret',
  buttonLabel: 'Continue with Acme',
  enabled: true,
};
const save = (changes: Partial<PortalOidc>) => saveProvider(portal, { ...PROVIDER, ...changes }, token);

describe('the external OpenID provider', () => {
  // covers: spec 2.3.9
  test('is empty before it is set up', async () => {
    const { token: elsewhere } = await portal.signIn('admin@globex.test');
    const { body } = await portal.call(getOidcConfiguration, {}, { token: elsewhere });
    expect(body).toEqual({
      resultCode: 0,
      configurationUrl: '',
      clientId: '',
      clientSecret: '',
      buttonLabel: '',
      enabled: false,
      callbackUrl: `${portal.url}/api/oidc/callback`,
    });
  });

  // covers: spec 2.2.54, spec 2.7.16
  test('has a button on the sign-in page once its settings are saved', async () => {
    expect((await save({})).body).toMatchObject({ resultCode: 0, ...PROVIDER });
    expect((await portal.call(getOidcConfiguration, {}, { token })).body).toMatchObject({ resultCode: 0, ...PROVIDER });
    const settings = async () => (await portal.call(getOrgSettings, { query: { code: 'acme' } })).body;
    expect(await settings()).toMatchObject({ portalOidcEnabled: true, oidcButtonLabel: 'Continue with Acme' });
    await save({ enabled: false, clientSecret: '' });
    expect(await settings()).toMatchObject({ portalOidcEnabled: false });
  });

  test('follows the portal’s own address in the demo, even after saving', async () => {
    const configurationUrl = `${portal.url}/oidc/globex/.well-known/openid-configuration`;
    const { body } = await portal.call(getOidcConfiguration, {}, { token });
    expect(body).toMatchObject({ configurationUrl, enabled: true });
    await save({ configurationUrl });
    portal.deps.publicUrl = 'https://portal.example';
    expect((await portal.call(getOidcConfiguration, {}, { token })).body.configurationUrl).toBe(
      'https://portal.example/oidc/globex/.well-known/openid-configuration',
    );
  });

  // covers: spec 2.3.9
  test('can’t be enabled without a client secret', async () => {
    expect((await save({ clientSecret: ' ' })).body).toMatchObject({
      resultName: 'INVALID_REQUEST',
      issues: [{ path: 'clientSecret', message: 'This field is required' }],
    });
    const { body } = await portal.call(getOidcConfiguration, {}, { token });
    expect(body).toMatchObject({ clientId: 'acme-portal-sso', clientSecret: expect.stringMatching(/^[\w-]{43}$/) });
  });

  test.each([
    ['not an address', 'URLs cannot contain spaces. Write %20 instead.'],
    ['login.acme.test', 'The scheme is missing. Start with https://'],
    ['ftp://login.acme.test', 'Use https:// or http://'],
    ['javascript:alert(1)', 'Use https:// or http://'],
    ['https://user:password@login.acme.test', 'Remove the user name and password before the @.'],
  ])('can’t have the URL %s, and the error says why', async (configurationUrl, message) => {
    const content = { ...PROVIDER, configurationUrl };
    for (const { status, body } of [
      await portal.call(saveOidcConfiguration, { body: content }, { token }),
      await portal.call(testOidcConfiguration, { body: { configurationUrl } }, { token }),
    ]) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path: 'configurationUrl', message }] });
    }
  });

  test.each([
    'http://login.acme.test',
    'https://0.0.0.0/oidc',
    'https://224.0.0.1',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fe0001/',
    'https://[fe80::1]/',
    'https://[::ffff:169.254.0.1]/',
  ])('can’t have the URL %s', async (configurationUrl) => {
    for (const { status, body } of [
      await save({ configurationUrl }),
      await portal.call(testOidcConfiguration, { body: { configurationUrl } }, { token }),
    ]) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path: 'configurationUrl' }] });
    }
  });
});

describe('testing the discovery document', () => {
  let provider: Server;
  let issuer: string;
  let answer: RequestListener;
  beforeEach(async () => {
    // Behave like a publicly reachable portal, which must not reveal the services on its own machine.
    Object.assign(portal.deps.outsidePolicy, { isLocal: false });
    provider = createServer((request, response) => answer(request, response));
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const { port } = provider.address() as AddressInfo;
    issuer = `http://localhost:${port}/tenant`;
    answer = document({});
  });
  afterEach(async () => {
    provider.closeAllConnections();
    provider.close();
    await once(provider, 'close');
  });

  /** Serves a document at the discovery address and responds with an error to other paths. */
  function document(changes: Record<string, unknown>): RequestListener {
    return ({ url }, response) => {
      response.statusCode = url === '/tenant/.well-known/openid-configuration' ? 200 : 404;
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
          scopes_supported: ['openid', 'email'],
          code_challenge_methods_supported: ['S256'],
          ...changes,
        }),
      );
    };
  }
  const discover = (configurationUrl: string) =>
    portal.call(testOidcConfiguration, { body: { configurationUrl } }, { token });
  const obstacle = async () => (await discover(issuer)).body.issues?.[0]?.message;

  test('returns the discovery document for its own URL or for the issuer URL', async () => {
    for (const given of [issuer, `${issuer}/`, `${issuer}/.well-known/openid-configuration`]) {
      expect((await discover(given)).body).toEqual({
        resultCode: 0,
        issuer,
        authorizationEndpoint: `${issuer}/auth`,
        tokenEndpoint: `${issuer}/token`,
        jwksUri: `${issuer}/jwks`,
        userinfoEndpoint: null,
        scopesSupported: ['openid', 'email'],
        codeChallengeMethodsSupported: ['S256'],
        warnings: [expect.stringContaining('is not encrypted')],
        checks: [],
      });
    }
  });

  test('accepts an issuer with a trailing slash', async () => {
    answer = document({ issuer: `${issuer}/` });
    expect((await discover(issuer)).body).toMatchObject({ resultCode: 0, issuer: `${issuer}/` });
  });

  test('warns about settings that would break or weaken sign-in', async () => {
    answer = document({
      response_types_supported: ['id_token'],
      code_challenge_methods_supported: undefined,
      scopes_supported: ['profile'],
    });
    const { warnings } = (await discover(issuer)).body;
    expect(warnings.join(' ')).toMatch(/code flow.*S256.*is not encrypted.*openid.*email/);
  });

  test('rejects a document from another issuer', async () => {
    answer = document({ issuer: 'https://evil.test' });
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
  });

  test('rejects an incomplete document', async () => {
    answer = document({ token_endpoint: undefined, jwks_uri: 'nowhere' });
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
  });

  test('never requests the portal’s own lab, even through a redirect', async () => {
    const outbox = `${portal.url}/api/lab/outbox?to=user@acme.test`;
    const { port } = new URL(portal.url);
    for (const given of [
      outbox,
      `http://127.0.0.1:${port}/api/lab/clock`,
      `http://app.localhost:${port}/api/lab/clock`,
    ]) {
      const options = { field: 'configurationUrl', maxBytes: 100_000 };
      await expect(fetchOutside(portal.deps.outsidePolicy, given, options)).rejects.toThrow();
    }
    answer = (_request, response) => response.writeHead(302, { location: outbox }).end();
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
  });

  test('returns the same error for every local address', async () => {
    answer = (_request, response) => response.end('<html>Welcome</html>');
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
    answer = (_request, response) => response.writeHead(404).end();
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
    answer = (request) => request.destroy();
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
    answer = (_request, response) => response.end('x'.repeat(300_000));
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
  });

  // covers: security 13.2.4, security 13.2.5
  test('rejects redirects to a link-local address', async () => {
    answer = (_request, response) => response.writeHead(302, { location: 'https://169.254.169.254/' }).end();
    expect(await obstacle()).toBe(UNREADABLE_ADDRESS_MESSAGE);
  });
});
