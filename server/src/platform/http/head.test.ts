import { scimCredentialsRepo } from '@orchestrate/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

/** Portal under test. HEAD must return the same header fields as GET, without a body (RFC 9110 §9.3.2). */
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, portal.url), { method, headers, redirect: 'manual' });

async function expectSame(path: string, headers?: Record<string, string>) {
  const [got, headed] = [await ask('GET', path, headers), await ask('HEAD', path, headers)];
  const sent = await got.text();
  const summaryOf = ({ status, headers }: Response) => ({ status, type: headers.get('content-type') });
  expect(summaryOf(headed)).toEqual(summaryOf(got));
  expect(headed.headers.get('content-length')).toBe(String(Buffer.byteLength(sent)));
  expect(headed.headers.get('etag')).toBe(got.headers.get('etag'));
  expect(await headed.text()).toBe('');
  return got.status;
}

describe('HEAD requests', () => {
  test.each([
    '/health',
    '/api/health',
    '/.well-known/jwks.json',
    '/openapi.json',
    '/docs/openapi.json',
    '/docs/asyncapi.json',
    '/docs/llms.txt',
    '/oidc/acme/.well-known/openid-configuration',
    '/oidc/acme/jwks',
    '/.well-known/openid-configuration/oidc/acme',
    '/.well-known/oauth-authorization-server/oidc/acme',
  ])('get the response of GET without its body at %s', async (path) => {
    expect(await expectSame(path)).toBe(200);
  });

  test('are recorded once each in the journal', async () => {
    const path = '/.well-known/openid-configuration/oidc/acme';
    await portal.lab.reset();
    for (const one of [path, '/api/health', '/oidc/acme/jwks']) await ask('HEAD', one);
    const entries = (await portal.lab.journal()).filter((entry) => 'method' in entry && entry.method === 'HEAD');
    expect(entries.map((entry) => ('path' in entry ? entry.path : ''))).toEqual([
      path,
      '/api/health',
      '/oidc/acme/jwks',
    ]);
  });

  test('get the same response as GET at SAML application metadata', async () => {
    for (const path of ['/saml/acme/travel-desk', '/saml/acme/travel-desk/metadata'])
      expect(await expectSame(path)).toBe(200);
  });

  // covers: scim 48
  test.each([
    '/Users',
    '/Users?count=1',
    '/Groups',
    '/ServiceProviderConfig',
    '/Schemas',
    '/ResourceTypes',
    '/Users/x',
  ])('get the same response as GET at the SCIM path %s', async (path) => {
    const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(portal.deps.db, 'acme') ?? {};
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    expect(await expectSame(`/scim/v2/acme${path}`, { authorization })).toBe(path === '/Users/x' ? 404 : 200);
    expect((await ask('HEAD', `/scim/v2/acme${path}`)).status).toBe(401);
  });

  test('get the same response as GET at every read-only API endpoint', { tags: 'whole' }, async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    const reads = portal.deps.registered.endpoints.filter(
      ({ method, redirects, isCounted }) => method === 'GET' && !redirects && !isCounted,
    );
    for (const path of reads.map((one) => `/api${one.path.replaceAll(/:\w+/g, 'x')}`)) {
      for (const authorization of ['', `Bearer ${token}`]) {
        const headers: Record<string, string> = authorization ? { authorization } : {};
        const { status } = await ask('HEAD', path, headers);
        expect({ path, status }).toEqual({ path, status: (await ask('GET', path, headers)).status });
      }
    }
    expect(reads.length).toBeGreaterThan(50);
  });
});

// covers: security 3.5.3
test.each([
  '/api/user/activate?code=x',
  '/api/oidc/login?org=acme',
  '/api/oidc/callback',
  '/saml/acme/x/sso',
  '/saml/acme/x/slo',
  '/logout/acme/x',
])('refuses HEAD for %s, which has side effects', async (path) => {
  expect((await ask('HEAD', path)).status).toBe(404);
});
