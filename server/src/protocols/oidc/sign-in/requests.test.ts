import { createHash } from 'node:crypto';
import { updateApp } from '@orchestrate/shared';
import { exportJWK, SignJWT } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signInAt, testBrowser } from '#testing/browser.ts';
import { makeDeviceNew, memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import {
  authorize,
  errorOf,
  exchange,
  relyingParty,
  SCOPE,
  signInToWiki,
  USER,
  WIKI,
} from '../relying-party-testing.ts';
import { STEP_UP } from './acr.ts';

const ADMIN = 'super.admin@acme.test';
const OTHER = 'manager@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

/** Replaces the wiki's redirect URIs. */
async function redirectTo(...redirect_uris: string[]): Promise<void> {
  const { token } = await portal.signIn(ADMIN);
  const params = { orgCode: 'acme', appId: WIKI.appId };
  const body = { oidcConfiguration: { clients: { redirect_uris } } };
  expect((await portal.call(updateApp, { params, body }, { token })).status).toBe(200);
}

describe('POST requests (OpenID Connect Core 1.0 §3.1.2.1)', () => {
  // covers: openid oidcc-ensure-post-request-succeeds
  test('signs a user in, or uses an existing session', async () => {
    const config = await relyingParty(portal);
    const browser = testBrowser(portal, USER);
    const verifier = client.randomPKCECodeVerifier();
    const form = {
      client_id: WIKI.appId,
      response_type: 'code',
      redirect_uri: WIKI.callback,
      scope: SCOPE,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const more of [{}, { prompt: 'none' }] as Record<string, string>[]) {
      const { url } = await browser.open('/oidc/acme/auth', { ...form, ...more });
      const tokens = await exchange(config, { callback: url, verifier });
      expect(tokens.claims()?.email).toBe(USER);
    }
  });

  test('signs a user out (OpenID Connect RP-Initiated Logout 1.0 §2)', async () => {
    const { config, browser, tokens } = await signInToWiki(portal);
    const form = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: 'https://wiki.acme.test/goodbye' };
    const end = await browser.submit(await browser.open('/oidc/acme/session/end', form));
    expect(end.url.href).toBe('https://wiki.acme.test/goodbye');
    const { callback } = await authorize(config, browser, { prompt: 'none' });
    expect(callback.searchParams.get('error')).toBe('login_required');
  });

  test("rejects a body that isn't a form or is longer than a URL can be", async () => {
    const json = await portal.http.post('/oidc/acme/auth').send({ client_id: WIKI.appId });
    expect({ status: json.status, ...json.body }).toEqual({
      status: 415,
      error: 'invalid_request',
      error_description: expect.stringContaining('as a form'),
    });
    expect((await portal.http.post('/oidc/%00/auth').type('form').send('')).status).toBe(404);
    const state = 'x'.repeat(10_000);
    const { status, text } = await portal.http.post('/oidc/acme/auth').type('form').send({ state });
    expect({ status, text }).toEqual({ status: 413, text: expect.stringContaining('too long') });
  });
});

describe('ID token hints (OpenID Connect Core 1.0 §3.1.2.2)', () => {
  test("prefills the user's email on the sign-in page", { tags: 'whole' }, async () => {
    const { config, tokens } = await signInToWiki(portal);
    const browser = testBrowser(portal);
    const { callback } = await authorize(config, browser, { id_token_hint: tokens.id_token ?? '' });
    const { body } = await browser.agent.get(`/api/user/app-login/${callback.searchParams.get('app')}`);
    expect(body).toMatchObject({ loginHint: USER });
  });

  test('never signs in a different user', async () => {
    const { config, tokens } = await signInToWiki(portal);
    const hint = { id_token_hint: tokens.id_token ?? '' };
    const fresh = await authorize(config, testBrowser(portal, OTHER), hint);
    expect(fresh.callback.searchParams.get('error')).toBe('login_required');
    const browser = testBrowser(portal, OTHER);
    await authorize(config, browser);
    const { callback } = await authorize(config, browser, hint);
    expect(callback.searchParams.get('error')).toBe('login_required');
    const same = await exchange(config, await authorize(config, testBrowser(portal, USER), hint));
    expect(same.claims()?.sub).toBe(memberByEmail(portal, 'acme', USER).suid);
  });
});

describe('native applications (RFC 8252)', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:53682/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:53682/callback'],
    ['http://[::1]/callback', 'http://[::1]:53682/callback'],
    ['http://localhost/callback', 'http://localhost:53682/callback'],
    ['com.example.app:/callback', 'com.example.app:/callback'],
  ])('with %s registered, accept %s', async (registered, redirect_uri) => {
    await redirectTo(registered);
    const config = await relyingParty(portal);
    const authorization = await authorize(config, testBrowser(portal, USER), { redirect_uri });
    expect(authorization.callback.href).toContain(`${redirect_uri}?`);
    expect((await exchange(config, authorization)).claims()?.email).toBe(USER);
  });

  test('can use a private-use scheme in addition to a web URL', { tags: 'whole' }, async () => {
    await redirectTo(WIKI.callback, 'com.example.app:/callback');
    const config = await relyingParty(portal);
    const redirect_uri = 'com.example.app:/callback';
    const authorization = await authorize(config, testBrowser(portal, USER), { redirect_uri });
    expect((await exchange(config, authorization)).claims()?.email).toBe(USER);
  });

  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:53682/elsewhere'],
    ['http://127.0.0.1/callback', 'http://localhost:53682/callback'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:53682/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:53682/callback?x=1'],
    ['https://wiki.acme.test/callback', 'https://wiki.acme.test:8443/callback'],
  ])('with %s registered, reject %s', async (registered, redirect_uri) => {
    await redirectTo(registered);
    const config = await relyingParty(portal);
    const { callback } = await authorize(config, testBrowser(portal, USER), { redirect_uri });
    expect(callback.origin).toBe(portal.url);
  });
});

describe('prompt=select_account', () => {
  test('shows the sign-in page even if a user is signed in', async () => {
    const { config, browser } = await signInToWiki(portal);
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: WIKI.callback,
      scope: 'openid',
      prompt: 'select_account',
    });
    const { location = '' } = (await browser.agent.get(`${url.pathname}${url.search}`)).headers;
    expect(location).toContain('/acme/sign-in?app=');
    const next = await signInAt(portal, portal.device(OTHER), new URL(location, portal.url), browser.agent);
    // The user is different, so the library ends the previous session first.
    const { url: callback } = await browser.submit(await browser.open(next));
    expect(callback.searchParams.has('code')).toBe(true);
    expect(config.serverMetadata().prompt_values_supported).toContain('select_account');
  });
});

test('serves the metadata at the RFC 8414 §3.1 location', async () => {
  const at = (path: string) => portal.http.get(path).set('origin', 'https://anywhere.test');
  const { body: openid } = await at('/oidc/acme/.well-known/openid-configuration');
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const { status, body, headers } = await at(`/.well-known/${name}/oidc/acme`);
    expect({ status, body }).toEqual({ status: 200, body: openid });
    expect(headers['access-control-allow-origin']).toBe('https://anywhere.test');
  }
  expect((await at('/.well-known/oauth-authorization-server/oidc/nowhere')).status).toBe(404);
  expect((await at('/oidc/acme/.well-known/oauth-authorization-server')).body).toEqual(openid);
  const config = await client.discovery(new URL(`${portal.url}/oidc/acme`), WIKI.appId, undefined, undefined, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
  expect(config.serverMetadata().issuer).toBe(`${portal.url}/oidc/acme`);
});

test("includes the browser's session in ID tokens", async () => {
  const { config, browser, tokens } = await signInToWiki(portal);
  const again = await exchange(config, await authorize(config, browser));
  const elsewhere = await signInToWiki(portal);
  expect(tokens.claims()?.sid).toMatch(/^.{16,}$/);
  expect(again.claims()?.sid).toBe(tokens.claims()?.sid);
  expect(elsewhere.tokens.claims()?.sid).not.toBe(tokens.claims()?.sid);
  expect(config.serverMetadata().claims_supported).toContain('sid');
});

describe('refresh tokens', () => {
  test("are issued even without offline_access, and end with the browser's session", async () => {
    const { config, browser, tokens } = await signInToWiki(portal, { scope: 'openid email' });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const url = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' });
    await browser.submit(await browser.open(url));
    expect(await errorOf(client.refreshTokenGrant(config, renewed.refresh_token ?? ''))).toBe('invalid_grant');
  });

  test('can be used twice concurrently, but later reuse revokes the tokens issued', {
    tags: 'whole',
  }, async () => {
    const { config, tokens } = await signInToWiki(portal);
    const first = tokens.refresh_token ?? '';
    const both = await Promise.all([client.refreshTokenGrant(config, first), client.refreshTokenGrant(config, first)]);
    for (const { refresh_token = '' } of both) await client.refreshTokenGrant(config, refresh_token);
    expect(await errorOf(client.refreshTokenGrant(config, first))).toBe('invalid_grant');
    expect(await client.tokenIntrospection(config, both[0].access_token)).toEqual({ active: false });
  });
});

describe('the claims parameter (OpenID Connect Core 1.0 §5.5)', () => {
  const asking = (claims: object) => ({ scope: 'openid', claims: JSON.stringify(claims) });

  // covers: openid oidcc-claims-essential
  test('requests claims in addition to scopes', async () => {
    const params = asking({ id_token: { email: null }, userinfo: { given_name: { essential: true } } });
    const { config, tokens } = await signInToWiki(portal, params);
    const { suid, firstName } = memberByEmail(portal, 'acme', USER);
    expect(tokens.claims()).toMatchObject({ email: USER });
    expect(await client.fetchUserInfo(config, tokens.access_token, suid)).toMatchObject({ given_name: firstName });
  });

  test('signs in only the requested user', async () => {
    const config = await relyingParty(portal);
    const params = asking({ id_token: { sub: { value: memberByEmail(portal, 'acme', USER).suid } } });
    const { callback } = await authorize(config, testBrowser(portal, OTHER), params);
    expect(callback.searchParams.get('error')).toBe('login_required');
    const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER), params));
    expect(tokens.claims()?.sub).toBe(memberByEmail(portal, 'acme', USER).suid);
  });

  test('accepts only step-up as an essential authentication context', async () => {
    const { tokens } = await signInToWiki(
      portal,
      asking({ id_token: { acr: { essential: true, values: [STEP_UP] } } }),
    );
    expect(tokens.claims()?.acr).toBe(STEP_UP);
    const config = await relyingParty(portal);
    const unknown = asking({ id_token: { acr: { essential: true, value: 'urn:example:gold' } } });
    const { callback } = await authorize(config, testBrowser(portal, USER), unknown);
    expect(callback.searchParams.get('error')).toBe('unmet_authentication_requirements');
  });
});

test('signs in a new device without step-up, unless step-up is essential', async () => {
  makeDeviceNew(portal, portal.device(USER));
  const { config, tokens } = await signInToWiki(portal, { acr_values: STEP_UP });
  expect(tokens.claims()).toMatchObject({ amr: ['hwk'] });
  expect(tokens.claims()?.acr).toBeUndefined();
  const essential = { claims: JSON.stringify({ id_token: { acr: { essential: true, values: [STEP_UP] } } }) };
  const { callback } = await authorize(config, testBrowser(portal, USER), essential);
  expect(callback.searchParams.get('error')).toBe('unmet_authentication_requirements');
});

describe('pushed authorization requests (RFC 9126)', () => {
  const pushed = async (config: client.Configuration, params: Record<string, string> = {}) => {
    const verifier = client.randomPKCECodeVerifier();
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: WIKI.callback,
      scope: SCOPE,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...params,
    });
    return { url, verifier };
  };

  // covers: openid fapi2-security-profile-final-par-attempt-reuse-request_uri
  test('sign a user in only once', async () => {
    const config = await relyingParty(portal);
    const { url, verifier } = await pushed(config);
    expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
    const browser = testBrowser(portal, USER);
    const callback = (await browser.open(url)).url;
    const tokens = await exchange(config, { callback, verifier });
    expect(tokens).toMatchObject({ scope: SCOPE, refresh_token: expect.any(String) });
    expect((await browser.open(url)).text).toContain('invalid_request_uri');
  });

  test('belong to the first browser that opens them, which can reload the page (§4)', async () => {
    const config = await relyingParty(portal);
    const { url, verifier } = await pushed(config);
    const browser = testBrowser(portal);
    const page = (await browser.open(url)).url;
    expect(page.pathname).toBe('/acme/sign-in');
    for (const other of [testBrowser(portal), testBrowser(portal, USER)])
      expect((await other.open(url)).text).toContain('invalid_request_uri');
    const reloaded = (await browser.open(url)).url;
    expect(reloaded.pathname).toBe('/acme/sign-in');
    const returnUrl = await signInAt(portal, portal.device(USER), reloaded, browser.agent);
    const callback = (await browser.open(returnUrl)).url;
    expect((await exchange(config, { callback, verifier })).access_token).not.toBe('');
    expect((await browser.open(url)).text).toContain('invalid_request_uri');
  });

  test('are rejected without client authentication or with an unregistered redirect URI', async () => {
    const stranger = await relyingParty(portal, { auth: client.ClientSecretBasic('wrong') });
    expect(await errorOf(pushed(stranger))).toBe('invalid_client');
    const config = await relyingParty(portal);
    expect(await errorOf(pushed(config, { redirect_uri: 'https://evil.test/' }))).toBe('invalid_request');
  });

  // covers: openid fapi2-security-profile-final-par-attempt-to-use-expired-request_uri
  test('expire after a minute', async () => {
    const config = await relyingParty(portal);
    const { url } = await pushed(config);
    portal.clock.advance(61);
    expect((await testBrowser(portal, USER).open(url)).text).toContain('invalid_request_uri');
  });
});

describe('key-bound tokens (DPoP, RFC 9449)', () => {
  // covers: openid fapi2-security-profile-final-dpop-negative-tests
  test('work only with the key', async () => {
    const config = await relyingParty(portal);
    const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const options = { DPoP };
    const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier }, {}, options);
    expect(tokens.token_type).toBe('dpop');
    const { suid } = memberByEmail(portal, 'acme', USER);
    expect(await client.fetchUserInfo(config, tokens.access_token, suid, options)).toMatchObject({ sub: suid });
    expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, suid))).toBe('invalid_token');
    const other = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) };
    expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, suid, other))).toBe('invalid_token');
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      cnf: { jkt: expect.any(String) },
    });
  });
});

describe('DPoP proofs', () => {
  async function bound() {
    const config = await relyingParty(portal);
    const keys = await client.randomDPoPKeyPair('ES256', { extractable: true });
    const { callback, verifier } = await authorize(config, testBrowser(portal, USER));
    const options = { DPoP: client.getDPoPHandle(config, keys) };
    const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier }, {}, options);
    return { tokens, keys, userinfo: config.serverMetadata().userinfo_endpoint ?? '' };
  }
  async function ask(claims: object, { tokens, keys, userinfo }: Awaited<ReturnType<typeof bound>>) {
    const ath = createHash('sha256').update(tokens.access_token).digest('base64url');
    const proof = await new SignJWT({ htm: 'GET', htu: userinfo, jti: crypto.randomUUID(), ath, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(keys.publicKey) })
      .sign(keys.privateKey);
    const once = async () => {
      const headers = { authorization: `DPoP ${tokens.access_token}`, dpop: proof };
      const response = await fetch(userinfo, { headers });
      const [, error] = /error="(\w+)"/.exec(response.headers.get('www-authenticate') ?? '') ?? [];
      return { status: response.status, error, nonce: response.headers.get('dpop-nonce') ?? '' };
    };
    return { ...(await once()), again: await once() };
  }
  const seconds = (time: number) => Math.floor(time / 1_000);

  // covers: openid fapi2-security-profile-final-dpop-negative-tests
  test('are requested again with a nonce if the clock is off (§8), and work only once', async () => {
    const of = await bound();
    const late = await ask({ iat: seconds(Date.now()) - 3_600 }, of);
    expect(late).toMatchObject({ status: 401, error: 'use_dpop_nonce', nonce: expect.stringMatching(/.{20,}/) });
    const timely = await ask({ iat: seconds(Date.now()) - 3_600, nonce: late.nonce }, of);
    expect(timely).toMatchObject({ status: 200, again: { status: 401, error: 'invalid_token' } });
    expect(await ask({ iat: seconds(Date.now()), nonce: 'guessed' }, of)).toMatchObject({ error: 'use_dpop_nonce' });
    // Repeat with a client that uses the lab's clock.
    portal.clock.setExternalClock('lab');
    const inLab = await ask({ iat: seconds(portal.clock.now()) }, of);
    expect(await ask({ iat: seconds(portal.clock.now()), nonce: inLab.nonce }, of)).toMatchObject({ status: 200 });
  });

  // covers: openid fapi2-security-profile-final-dpop-negative-tests
  test.each<[string, object]>([
    ['another method', { htm: 'POST' }],
    ['another URL', { htu: 'https://elsewhere.test/userinfo' }],
    ['another token', { ath: 'x' }],
    ['no jti', { jti: undefined }],
  ])('are rejected with %s', async (_what, claims) => {
    expect(await ask({ iat: seconds(Date.now()), ...claims }, await bound())).toMatchObject({
      status: 401,
      error: 'invalid_dpop_proof',
    });
  });
});

test('signs a browser in to an application several times concurrently', { tags: 'whole' }, async () => {
  const { config, browser } = await signInToWiki(portal, { scope: 'openid' });
  const again = async () => exchange(config, await authorize(config, browser, { scope: 'openid', prompt: 'none' }));
  const all = await Promise.all(Array.from({ length: 6 }, again));
  for (const { access_token } of all) {
    expect(await client.tokenIntrospection(config, access_token)).toMatchObject({ active: true });
  }
});
