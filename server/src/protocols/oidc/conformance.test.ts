import { createHash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestBrowser, testBrowser } from '#testing/browser.ts';
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
} from './relying-party-testing.ts';

/** Tests for the OpenID Foundation suite's modules that no other test covers (docs/openid-conformance.md). */
const AFTER = 'https://wiki.acme.test/goodbye';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

/** Opens an authorization request and returns the page where the browser ends up. */
const ask = (browser: TestBrowser, params: Record<string, string>) =>
  browser.open(`/oidc/acme/auth?${new URLSearchParams(params)}`);
const PLAIN = { client_id: WIKI.appId, response_type: 'code', redirect_uri: WIKI.callback, scope: 'openid' };

describe('the discovery document', () => {
  // covers: openid oidcc-idtoken-unsigned, openid oidcc-scope-address, openid oidcc-scope-phone
  // covers: openid oidcc-discovery-endpoint-verification
  // covers: openid oidcc-rp-initiated-logout-discovery-endpoint-verification
  test('contains what clients need, without unsupported endpoints', async () => {
    const { body } = await portal.http.get('/oidc/acme/.well-known/openid-configuration');
    const issuer = `${portal.url}/oidc/acme`;
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/session/end`,
      response_types_supported: ['code'],
      response_modes_supported: expect.arrayContaining(['query', 'form_post']),
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email']),
      claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'email', 'name']),
      claims_parameter_supported: true,
      request_uri_parameter_supported: false,
    });
    expect(body.request_parameter_supported ?? false).toBe(false);
    expect(body.id_token_signing_alg_values_supported).not.toContain('none');
    for (const scope of ['address', 'phone']) expect(body.scopes_supported).not.toContain(scope);
  });

  // covers: openid oidcc-discovery-endpoint-verification
  test('refers to a key set with only public keys, each with its own kid', async () => {
    const { keys } = (await portal.http.get('/oidc/acme/jwks')).body;
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys.map(({ kid }: { kid: string }) => kid)).size).toBe(keys.length);
    for (const key of keys) expect(Object.keys(key).filter((name) => /^(d|p|q|dp|dq|qi|k)$/.test(name))).toEqual([]);
  });
});

describe('client endpoints', () => {
  const issuer = () => `${portal.url}/oidc/acme`;
  const credentials = () => ({ client_id: WIKI.appId, client_secret: secretOf(portal, WIKI.appId) });

  test.each<[string, string, ('get' | 'put' | 'delete' | 'patch' | 'post')[]]>([
    ['token', 'POST', ['get', 'put', 'delete', 'patch']],
    ['token/introspection', 'POST', ['get', 'put', 'delete', 'patch']],
    ['token/revocation', 'POST', ['get', 'put', 'delete', 'patch']],
    ['request', 'POST', ['get', 'put', 'delete', 'patch']],
    ['device-authorization', 'POST', ['get', 'put', 'delete', 'patch']],
    ['reg', 'POST', ['get', 'put', 'delete', 'patch']],
    ['reg/team-wiki', 'GET, PUT, DELETE', ['post', 'patch']],
    ['me', 'GET, POST', ['put', 'delete', 'patch']],
    ['jwks', 'GET', ['post', 'put', 'delete', 'patch']],
    ['.well-known/openid-configuration', 'GET', ['post', 'put', 'delete', 'patch']],
    ['auth', 'GET, POST', ['put', 'delete', 'patch']],
    ['device', 'GET, POST', ['put', 'delete', 'patch']],
    ['session/end', 'GET, POST', ['put', 'delete', 'patch']],
  ])('%s answers methods other than %s with 405', async (path, allowed, methods) => {
    for (const method of methods) {
      const { status, headers, body } = await portal.http[method](`/oidc/acme/${path}`);
      expect({ method, status, allow: headers.allow, body }).toEqual({
        method,
        status: 405,
        allow: `${allowed}, OPTIONS`,
        body: { error: 'invalid_request', error_description: expect.stringMatching(/^Use /) },
      });
    }
  });

  test.each(['token', 'token/introspection', 'token/revocation', 'request', 'device-authorization'])(
    '%s answers requests without valid credentials with 401 and a challenge',
    async (path) => {
      const forms = [{ token: 'a token' }, { client_id: '' }, { client_id: WIKI.appId }, { client_id: 'nobody' }];
      for (const form of forms) {
        const { status, headers, body } = await portal.http.post(`/oidc/acme/${path}`).type('form').send(form);
        expect({ status, body }).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
        expect(headers['www-authenticate']).toBe(`Basic realm="${issuer()}", error="invalid_client"`);
      }
    },
  );

  test.each(['openid-configuration', 'oauth-authorization-server'])(
    '/.well-known/%s/oidc/acme answers methods other than GET with 405',
    async (name) => {
      for (const method of ['post', 'put', 'delete', 'patch'] as const) {
        const { status, headers } = await portal.http[method](`/.well-known/${name}/oidc/acme`);
        expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, OPTIONS' });
      }
    },
  );

  test('forbid caches, including HTTP/1.0 caches, from storing tokens', async () => {
    const { tokens } = await signInToWiki(portal);
    const token = tokens.access_token;
    const post = (path: string, form: object) => portal.http.post(`/oidc/acme/${path}`).type('form').send(form);
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const answers = [
      await post('token', { ...credentials(), grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
      await post('token', { ...credentials(), grant_type: 'refresh_token', refresh_token: 'wrong' }),
      await post('token', {}),
      await post('token/introspection', { ...credentials(), token }),
      await post('request', { ...credentials(), ...PLAIN, ...pkce }),
      await post('device-authorization', { client_id: 'nobody' }),
      await portal.http.get('/oidc/acme/me').auth(token, { type: 'bearer' }),
      await portal.http.post('/oidc/acme/reg').send({}),
      await portal.http.get('/oidc/acme/token'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 200, 201, 401, 200, 401, 405]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    }
  });

  test('answer a revocation with an empty body and no content type', async () => {
    const { tokens } = await signInToWiki(portal);
    for (const token of [tokens.access_token, 'of nobody']) {
      const revoked = await portal.http
        .post('/oidc/acme/token/revocation')
        .type('form')
        .send({ ...credentials(), token });
      expect({ status: revoked.status, text: revoked.text }).toEqual({ status: 200, text: '' });
      expect(revoked.headers).not.toHaveProperty('content-type');
    }
  });
});

// covers: openid oidcc-server, openid oidcc-idtoken-signature
test('signs ID tokens with a published RS256 key and sets its kid', async () => {
  const config = await relyingParty(portal);
  const { callback, verifier } = await authorize(config, testBrowser(portal, USER), { nonce: 'n-0S6', state: 'af0' });
  const checks = { pkceCodeVerifier: verifier, expectedNonce: 'n-0S6', expectedState: 'af0' };
  const { id_token = '' } = await client.authorizationCodeGrant(config, callback, checks);
  const keys = createRemoteJWKSet(new URL(`${portal.url}/oidc/acme/jwks`));
  const { payload, protectedHeader } = await jwtVerify(id_token, keys, {
    issuer: `${portal.url}/oidc/acme`,
    audience: WIKI.appId,
    currentDate: new Date(portal.clock.toExternalTime()),
  });
  expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
  expect(payload).toMatchObject({ nonce: 'n-0S6', exp: expect.any(Number), iat: expect.any(Number) });
});

test("includes the access token's at_hash in ID tokens, even after a refresh", async () => {
  const { config, tokens } = await signInToWiki(portal);
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  for (const { access_token, claims } of [tokens, refreshed]) {
    const digest = createHash('sha256').update(access_token).digest();
    expect(claims()?.at_hash).toBe(digest.subarray(0, 16).toString('base64url'));
  }
});

describe('userinfo', () => {
  // covers: openid oidcc-userinfo-get, openid oidcc-userinfo-post-header, openid oidcc-userinfo-post-body
  test.each([
    ['by GET', (token: string) => portal.http.get('/oidc/acme/me').auth(token, { type: 'bearer' })],
    [
      'by POST with the token in the header',
      (token: string) => portal.http.post('/oidc/acme/me').auth(token, { type: 'bearer' }),
    ],
    [
      'by POST with the token in the body',
      (token: string) => portal.http.post('/oidc/acme/me').type('form').send({ access_token: token }),
    ],
  ])('is returned %s', async (_how, call) => {
    const { tokens } = await signInToWiki(portal);
    const { status, body } = await call(tokens.access_token);
    expect({ status, body }).toMatchObject({ status: 200, body: { sub: tokens.claims()?.sub, email: USER } });
  });

  // covers: openid oidcc-scope-profile, openid oidcc-scope-email, openid oidcc-scope-all
  // covers: openid oidcc-ensure-other-scope-order-succeeds
  test.each([
    ['openid profile', ['family_name', 'given_name', 'name'], ['email']],
    ['openid email', ['email', 'email_verified'], ['name']],
    ['email profile openid', ['email', 'name'], []],
    ['openid address phone', [], ['address', 'phone_number', 'email']],
  ])('contains the claims for the scope %s', async (scope, included, untold) => {
    const { config, tokens } = await signInToWiki(portal, { scope });
    const claims = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
    expect(Object.keys(claims)).toEqual(expect.arrayContaining(included));
    for (const name of untold) expect(claims).not.toHaveProperty(name);
  });

  test('contains the same username as SCIM and LDAP', {
    tags: 'whole',
  }, async () => {
    const { config, tokens } = await signInToWiki(portal, { scope: 'openid profile' });
    expect(tokens.claims()).toMatchObject({ preferred_username: USER });
    expect(config.serverMetadata().claims_supported).toContain('preferred_username');
  });
});

describe('an authorization request', () => {
  // covers: openid oidcc-ensure-request-without-nonce-succeeds-for-code-flow, openid oidcc-display-page
  // covers: openid oidcc-display-popup, openid oidcc-ensure-request-with-unknown-parameter-succeeds
  // covers: openid oidcc-ui-locales, openid oidcc-claims-locales
  // covers: openid oidcc-ensure-request-with-acr-values-succeeds
  test.each([
    ['without a nonce', {}],
    ['with the display mode page', { display: 'page' }],
    ['with the display mode popup', { display: 'popup' }],
    ['with ui_locales', { ui_locales: 'se' }],
    ['with claims_locales', { claims_locales: 'se' }],
    ['with an unknown parameter', { extra: 'foobar' }],
    ['with unknown acr_values', { acr_values: '1 2' }],
    ['with a login hint', { login_hint: USER }],
    ['with a large max_age', { max_age: '10000' }],
  ] as [string, Record<string, string>][])('succeeds %s', async (_what, params) => {
    const { tokens } = await signInToWiki(portal, params);
    expect(tokens.claims()?.sub).toBe(memberByEmail(portal, 'acme', USER).suid);
  });

  // covers: openid oidcc-id-token-hint
  test('needs no sign-in page with an ID token hint for the signed-in user', async () => {
    const { config, browser, tokens } = await signInToWiki(portal);
    const silent = { prompt: 'none', id_token_hint: tokens.id_token ?? '' };
    const again = await exchange(config, await authorize(config, browser, silent));
    expect(again.claims()?.sub).toBe(tokens.claims()?.sub);
  });

  // covers: openid oidcc-response-type-missing
  test('without a response type returns an error to the client', async () => {
    const { response_type: _, ...params } = PLAIN;
    const { url } = await ask(testBrowser(portal), { ...params, state: 'af0' });
    expect(url.href.split('?')[0]).toBe(WIKI.callback);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: 'invalid_request', state: 'af0' });
  });

  test.each([{}, { scope: 'anything' }] as Record<string, string>[])(
    'returns an error without a sign-in if no scope is known: %j',
    async (more) => {
      const { scope: _, ...params } = PLAIN;
      const { url } = await ask(testBrowser(portal), { ...params, ...more });
      expect(url.href.split('?')[0]).toBe(WIKI.callback);
      expect(url.searchParams.get('error')).toBe('invalid_scope');
    },
  );

  test('with an invalid loopback port stays on the portal', async () => {
    const address = WIKI.callback.replace(':8080', ':99999');
    const { url, status } = await ask(testBrowser(portal, USER), { ...PLAIN, redirect_uri: address });
    expect({ origin: url.origin, status }).toEqual({ origin: portal.url, status: 400 });
  });

  // covers: openid oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported
  // covers: openid oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported
  // covers: openid oidcc-ensure-request-object-with-redirect-uri
  test.each([
    ['request', 'request_not_supported'],
    ['request_uri', 'request_uri_not_supported'],
  ])('with the parameter %s returns %s to the client', async (name, error) => {
    const value = name === 'request' ? new UnsecuredJWT({ ...PLAIN }).encode() : 'https://wiki.acme.test/request.jwt';
    const { url } = await ask(testBrowser(portal), { ...PLAIN, [name]: value });
    expect(url.searchParams.get('error')).toBe(error);
  });

  // covers: openid oidcc-ensure-registered-redirect-uri
  test('with an unregistered redirect URI stays on the portal', async () => {
    const { status, url } = await ask(testBrowser(portal), { ...PLAIN, redirect_uri: 'https://evil.test/callback' });
    expect({ status, origin: url.origin }).toEqual({ status: 400, origin: portal.url });
  });
});

// covers: openid oidcc-codereuse-30seconds
test("revokes a code's tokens if the code is reused half a minute later", async () => {
  const config = await relyingParty(portal);
  const authorization = await authorize(config, testBrowser(portal, USER));
  const tokens = await exchange(config, authorization);
  portal.clock.advance(30);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
  const userinfo = client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  expect(await errorOf(userinfo)).toBe('invalid_token');
});

describe('a form_post response (OAuth 2.0 Form Post Response Mode)', () => {
  const FORM = { response_mode: 'form_post', state: 'a"b<c>&' };
  const inputsOf = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value = '']) => [
        name,
        value,
      ]),
    );

  // covers: openid oidcc-server (form post)
  test('contains a code that the client can exchange, and keeps the code out of the URL', async () => {
    const config = await relyingParty(portal);
    const verifier = client.randomPKCECodeVerifier();
    const challenge = {
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const page = await ask(testBrowser(portal, USER), { ...PLAIN, ...challenge, ...FORM });
    expect({ status: page.status, origin: page.url.origin }).toEqual({ status: 200, origin: portal.url });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain(`<form method="post" action="${WIKI.callback}">`);
    const { code = '', state, iss } = inputsOf(page.text);
    expect({ state, iss }).toEqual({ state: 'a&quot;b&lt;c&gt;&amp;', iss: `${portal.url}/oidc/acme` });
    const back = new URL(`${WIKI.callback}?${new URLSearchParams({ code, iss: iss ?? '' })}`);
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
    expect(tokens.claims()?.sub).toBe(memberByEmail(portal, 'acme', USER).suid);
  });

  // covers: openid oidcc-server (form post)
  test("is posted by the only script that the page's policy allows, and isn't cached", async () => {
    const page = await ask(testBrowser(portal, USER), { ...PLAIN, ...FORM });
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page.text) ?? [];
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(script))).toString('base64');
    expect(page.headers['content-security-policy']).toContain(`'sha256-${digest}'`);
    expect(page.headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(page.headers['cache-control']).toContain('no-store');
  });

  // covers: openid oidcc-response-type-missing (form post), openid oidcc-prompt-none-not-logged-in (form post)
  test('also returns errors in the form', async () => {
    const page = await ask(testBrowser(portal), { ...PLAIN, ...FORM, prompt: 'none' });
    expect(inputsOf(page.text)).toMatchObject({ error: 'login_required' });
    const { response_type: _, ...untyped } = PLAIN;
    const missing = await ask(testBrowser(portal), { ...untyped, ...FORM });
    expect(inputsOf(missing.text)).toMatchObject({ error: 'invalid_request' });
  });
});

describe('RP-initiated logout (RP-Initiated Logout 1.0)', () => {
  const end = (browser: TestBrowser, params: Record<string, string>) =>
    browser.open(`/oidc/acme/session/end?${new URLSearchParams(params)}`);
  /** Returns true if the browser is still on a page of the portal. */
  const stays = ({ url, text }: { url: URL; text: string }) => url.origin === portal.url && text.includes('<h1>');
  const isSignedIn = async (browser: TestBrowser) =>
    (await ask(browser, { ...PLAIN, prompt: 'none' })).url.searchParams.has('code');

  // covers: openid oidcc-rp-initiated-logout-modified-id-token-hint
  // covers: openid oidcc-rp-initiated-logout-bad-id-token-hint
  test.each([
    [
      'signed with another key',
      (token: string) =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(secretOf(portal, WIKI.appId).padEnd(32, '0'))),
    ],
    ['without a signature', (token: string) => new UnsecuredJWT(decodeJwt(token)).encode()],
  ])("signs no one out and doesn't redirect with an ID token %s", async (_how, forge) => {
    const { browser, tokens } = await signInToWiki(portal);
    const id_token_hint = await forge(tokens.id_token ?? '');
    const page = await end(browser, { id_token_hint, post_logout_redirect_uri: AFTER, state: 'x' });
    expect({ status: page.status, stays: stays(page) }).toEqual({ status: 400, stays: true });
    expect(await isSignedIn(browser)).toBe(true);
  });

  // RP-Initiated Logout 1.0 §2 considers this request suspicious.
  test("asks first if the ID token is from the user's session in another browser", async () => {
    const [{ browser }, elsewhere] = [await signInToWiki(portal), await signInToWiki(portal)];
    const page = await end(browser, {
      id_token_hint: elsewhere.tokens.id_token ?? '',
      post_logout_redirect_uri: AFTER,
    });
    expect(page.text).toContain('Stay signed in');
    expect(page.text).not.toContain('<script>');
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('accepts an expired ID token', async () => {
    const { browser, tokens } = await signInToWiki(portal);
    portal.clock.advance(3 * 3_600);
    const page = await end(browser, { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: AFTER });
    expect((await browser.submit(page)).url.href).toBe(AFTER);
  });

  // covers: openid oidcc-rp-initiated-logout-no-id-token-hint
  test("doesn't redirect without an ID token", async () => {
    const { browser } = await signInToWiki(portal);
    const page = await end(browser, { post_logout_redirect_uri: AFTER, state: 'x' });
    expect(stays(page)).toBe(true);
    expect((await browser.submit(page, { logout: 'yes' }).catch(() => page)).url.origin).toBe(portal.url);
  });

  // covers: openid oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri
  test('rejects a registered URI with an added query', async () => {
    const { browser, tokens } = await signInToWiki(portal);
    const id_token_hint = tokens.id_token ?? '';
    const page = await end(browser, { id_token_hint, post_logout_redirect_uri: `${AFTER}?foo=bar`, state: 'x' });
    expect({ status: page.status, stays: stays(page) }).toEqual({ status: 400, stays: true });
  });

  // covers: openid oidcc-rp-initiated-logout-no-state
  test('returns no state if the request contains none', async () => {
    const { browser, tokens } = await signInToWiki(portal);
    const page = await end(browser, { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: AFTER });
    expect((await browser.submit(page)).url.href).toBe(AFTER);
  });

  // covers: openid oidcc-rp-initiated-logout-no-params, openid oidcc-rp-initiated-logout-no-post-logout-redirect-uri
  // covers: openid oidcc-rp-initiated-logout-only-state
  test.each([
    ['without parameters', () => ({})],
    ['with only a state', () => ({ state: 'x' })],
    ['without a redirect URI', (id_token_hint: string) => ({ id_token_hint, state: 'x' })],
  ])('ends on a page of the portal if called %s', async (_what, params) => {
    const { browser, tokens } = await signInToWiki(portal);
    const page = await end(browser, params(tokens.id_token ?? ''));
    const done = await browser.submit(page, { logout: 'yes' });
    expect(stays(done)).toBe(true);
    expect(done.text).toContain('signed out');
    expect(await isSignedIn(browser)).toBe(false);
  });
});
