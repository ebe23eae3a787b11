import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { authorize, exchange, relyingParty, secretOf, USER, WIKI } from './relying-party-testing.ts';

/** Tests attacks by strangers (RFC 9700, OAuth 2.1) that no other test covers. */
let portal: TestPortal;
let issuer: string;
beforeAll(async () => {
  portal = await testPortal();
  issuer = `${portal.url}/oidc/acme`;
});
afterAll(() => portal.close());

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const PARAMS = {
  client_id: WIKI.appId,
  response_type: 'code',
  redirect_uri: WIKI.callback,
  scope: 'openid',
  state: 'af0',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

/** Another application of the same organisation, with its own secret. */
const OTHER = 'payroll';

/** Sends an authorization request from a signed-in browser and returns where the browser ends up. */
async function ask(change: Record<string, string | undefined>, more = '') {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...PARAMS, ...change }))
    if (value !== undefined) params.set(name, value);
  const { url, status, text } = await testBrowser(portal, USER).open(`/oidc/acme/auth?${params}${more}`);
  return { status, text, url, isHere: url.origin === portal.url };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = async (path: string, params: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await fetch(new URL(path, portal.url), { method: 'POST', headers, body: new URLSearchParams(params) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : { text } };
};
const basic = (appId: string, secret = secretOf(portal, appId)) => ({
  authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}`,
});

async function signedIn(params: Record<string, string> = {}) {
  const config = await relyingParty(portal);
  return { config, tokens: await exchange(config, await authorize(config, testBrowser(portal, USER), params)) };
}

describe('redirect URIs (RFC 9700 §4.1)', () => {
  test.each([
    'https://wiki.acme.test/oidc/callback/',
    'https://wiki.acme.test/oidc/callback/../callback',
    'https://wiki.acme.test/oidc/callback/%2e%2e/other',
    'https://wiki.acme.test/oidc/callback?next=https://evil.test',
    'https://wiki.acme.test/oidc/callback#',
    'https://wiki.acme.test/oidc/callback#fragment',
    'https://wiki.acme.test@evil.test/oidc/callback',
    'https://evil.test\\@wiki.acme.test/oidc/callback',
    'https://user:pass@wiki.acme.test/oidc/callback',
    'https://wiki.acme.test.evil.test/oidc/callback',
    'https://evilwiki.acme.test/oidc/callback',
    'https://wiki.acme.test:443/oidc/callback',
    'https://wiki.acme.test./oidc/callback',
    'https://WIKI.acme.test/oidc/callback',
    'https://wiki.acme.test/OIDC/callback',
    'https://wiki.acme.test/oidc//callback',
    'https://wiki.acme.test/oidc/callb%61ck',
    'https://wiki。acme.test/oidc/callback',
    'https://wiki.acme.tеst/oidc/callback',
    'https://wiki.acme.test/oidc/callback\u0000',
    'https://wiki.acme.test/oidc/callback\r\nLocation: https://evil.test',
    ' https://wiki.acme.test/oidc/callback',
    'http://wiki.acme.test/oidc/callback',
    '//wiki.acme.test/oidc/callback',
    'javascript:alert(1)//https://wiki.acme.test/oidc/callback',
    'data:text/html,https://wiki.acme.test/oidc/callback',
    'https://evil.test/?https://wiki.acme.test/oidc/callback',
  ])('%j is rejected as unregistered', async (redirect_uri) => {
    expect(await ask({ redirect_uri })).toMatchObject({ status: 400, isHere: true });
    // Errors must not redirect to the URI either.
    expect(await ask({ redirect_uri, response_type: 'nothing' })).toMatchObject({ status: 400, isHere: true });
    expect(await ask({ redirect_uri, prompt: 'none' })).toMatchObject({ status: 400, isHere: true });
  });

  test('are rejected if repeated, like any other parameter', async () => {
    const evil = encodeURIComponent('https://evil.test/');
    expect(await ask({}, `&redirect_uri=${evil}`)).toMatchObject({ status: 400, isHere: true });
    expect(await ask({}, '&client_id=payroll')).toMatchObject({ status: 400, isHere: true });
    const { url } = await ask({}, '&scope=email');
    expect(url.searchParams.get('code')).toBeNull();
  });
});

describe('authorization responses', () => {
  test('name their issuer, to prevent mix-up attacks (RFC 9207)', async () => {
    const { url } = await ask({});
    expect(url.searchParams.get('code')).not.toBeNull();
    expect(url.searchParams.get('iss')).toBe(issuer);
    expect(url.searchParams.get('state')).toBe('af0');
    const refused = await ask({ response_type: 'code token' });
    expect(refused.url.searchParams.get('code') ?? refused.url.searchParams.get('access_token')).toBeNull();
  });

  test.each(['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token', 'none'])(
    'contain an error for the response type %s',
    async (response_type) => {
      const { url } = await ask({ response_type, nonce: 'n' });
      const text = `${url.search}${url.hash}`;
      expect(text).not.toMatch(/access_token|id_token=|code=/);
      expect(text).toContain('unsupported_response_type');
    },
  );

  test('contain an error for a plain PKCE challenge', async () => {
    const { url } = await ask({ code_challenge_method: 'plain' });
    expect(url.searchParams.get('error')).toBe('invalid_request');
    const unnamed = await ask({ code_challenge_method: undefined });
    expect(unnamed.url.searchParams.get('error')).toBe('invalid_request');
  });

  test.each([
    [
      'a verifier but no challenge',
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_verifier: 'x'.repeat(43) },
    ],
    ['no verifier', {}, {}],
    ['the challenge as verifier', {}, { code_verifier: CHALLENGE }],
    ['no redirect URI', {}, { code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', redirect_uri: '' }],
  ])('contain a code that yields no tokens with %s', async (_what, change, sent) => {
    const { url } = await ask(change);
    const code = url.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    const params = { grant_type: 'authorization_code', code, redirect_uri: WIKI.callback, ...sent };
    const { status, body } = await post('/oidc/acme/token', params, basic(WIKI.appId));
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: expect.stringMatching(/^invalid_(grant|request)$/),
    });
  });

  test.each<Record<string, string>>([
    { request: 'eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2V2aWwudGVzdCJ9.' },
    { request_uri: 'http://127.0.0.1:1/object' },
    { request_uri: 'urn:ietf:params:oauth:request_uri:guessed' },
    { registration: '{"redirect_uris":["https://evil.test"]}' },
    { response_mode: 'fragment.jwt' },
    { response_mode: 'web_message' },
  ])('contain no code for a request with %j', async (change) => {
    const { url, status } = await ask(change);
    expect(status).toBeLessThan(500);
    expect(url.searchParams.get('code')).toBeNull();
  });

  test("can't be framed or cached", async () => {
    const { text, status } = await ask({ client_id: 'nobody' });
    expect({ status, has: text.includes('<script') }).toEqual({ status: 400, has: false });
    const answer = await fetch(`${issuer}/auth?client_id=%3Cscript%3Ealert(1)%3C/script%3E`);
    expect(await answer.text()).not.toContain('<script>alert');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });
});

describe('the token endpoint', () => {
  test.each([
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:saml2-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    '',
    '__proto__',
  ])('rejects the grant type %j', async (grant_type) => {
    const params = { grant_type, username: USER, password: 'x', assertion: 'x', subject_token: 'x' };
    const { status, body } = await post('/oidc/acme/token', params, basic(WIKI.appId));
    expect(status).toBe(400);
    expect(body.error).toMatch(/^(unsupported_grant_type|invalid_request|unauthorized_client)$/);
  });

  test('rejects two client identities in one request, and parameters in the URL', async () => {
    const secret = secretOf(portal, WIKI.appId);
    const params = { grant_type: 'refresh_token', refresh_token: 'x' };
    const both = { ...params, client_id: WIKI.appId, client_secret: secret };
    expect((await post('/oidc/acme/token', both, basic(WIKI.appId))).status).toBe(400);
    const other = { ...params, client_id: 'payroll' };
    expect((await post('/oidc/acme/token', other, basic(WIKI.appId))).status).toBe(400);
    const byAddress = await post(`/oidc/acme/token?${new URLSearchParams(both)}`, {});
    expect(byAddress.status).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${issuer}/token?${new URLSearchParams(both)}`)).status).toBe(405);
  });

  test('forbids caching its responses', async () => {
    const { headers } = await post('/oidc/acme/token', { grant_type: 'refresh_token' }, basic(WIKI.appId));
    expect(headers.get('cache-control')).toContain('no-store');
  });
});

describe('tokens', () => {
  test('are rejected in place of another kind of token', async () => {
    const { tokens } = await signedIn();
    const { access_token, refresh_token = '', id_token = '' } = tokens;
    const me = async (token: string) => (await fetch(`${issuer}/me`, { headers: bearer(token) })).status;
    expect(await me(access_token)).toBe(200);
    expect(await me(refresh_token)).toBe(401);
    expect(await me(id_token)).toBe(401);
    const { token: own } = await portal.signIn(USER);
    expect(await me(own)).toBe(401);
    const refresh = async (token: string) =>
      (await post('/oidc/acme/token', { grant_type: 'refresh_token', refresh_token: token }, basic(WIKI.appId))).body
        .error;
    expect(await refresh(access_token)).toBe('invalid_grant');
    expect(await refresh(id_token)).toBe('invalid_grant');
    const active = async (token: string) =>
      (await post('/oidc/acme/token/introspection', { token }, basic(WIKI.appId))).body;
    expect(await active(id_token)).not.toMatchObject({ active: true });
    expect(await active(own)).not.toMatchObject({ active: true });
    // The portal itself must accept none of these tokens.
    for (const token of [access_token, refresh_token, id_token])
      expect((await fetch(`${portal.url}/api/profile`, { headers: bearer(token) })).status).toBe(401);
  });

  test('are ignored in the URL (RFC 9700 §4.3.2)', async () => {
    const { tokens } = await signedIn();
    expect((await fetch(`${issuer}/me?access_token=${tokens.access_token}`)).status).toBeGreaterThanOrEqual(400);
  });

  test('are valid only in their own organisation', async () => {
    const { tokens } = await signedIn();
    const elsewhere = `${portal.url}/oidc/globex`;
    expect((await fetch(`${elsewhere}/me`, { headers: bearer(tokens.access_token) })).status).toBe(401);
    for (const path of ['token/introspection', 'token/revocation'])
      expect((await post(`/oidc/globex/${path}`, { token: tokens.access_token }, basic(WIKI.appId))).status).toBe(401);
    expect((await fetch(`${issuer}/me`, { headers: bearer(tokens.access_token) })).status).toBe(200);
  });

  test("can't be introspected, refreshed or revoked by another client", async () => {
    const { config, tokens } = await signedIn();
    const { refresh_token = '' } = tokens;
    const other = basic(OTHER);
    expect(secretOf(portal, OTHER)).not.toBe('');
    for (const [path, params] of [
      ['token', { grant_type: 'refresh_token', refresh_token }],
      ['token/introspection', { token: refresh_token }],
      ['token/revocation', { token: refresh_token }],
    ] as const)
      expect((await post(`/oidc/acme/${path}`, params, other)).body).not.toMatchObject({ active: true });
    expect((await client.refreshTokenGrant(config, refresh_token)).access_token).toBeTypeOf('string');
  });
});

describe('signing out', () => {
  test('asks the user first if another site requests it, with a form valid only in that browser', async () => {
    const { tokens } = await signedIn();
    const page = await testBrowser(portal, USER).open(`${issuer}/session/end`);
    expect(page.status).toBe(200);
    const forged = await post('/oidc/acme/session/end/confirm', { logout: 'yes', xsrf: 'guessed' });
    expect(forged.status).toBe(400);
    expect((await fetch(`${issuer}/me`, { headers: bearer(tokens.access_token) })).status).toBe(200);
  });
});
