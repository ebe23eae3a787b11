import { createHash } from 'node:crypto';
import { organisationRepo } from '@orchestrate/db';
import { beginExternalSignIn, getLoginHistory, getProfile, manageUser, returnFromProvider } from '@orchestrate/shared';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setUpProvider } from '#testing/approving.ts';
import { type TestBrowser, testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { CLIENT, type ForeignProvider, foreignProvider } from './foreign-provider-testing.ts';

const USER = 'user@acme.test';
/** Contains the kelvin sign, which JavaScript lower-cases to k. */
const KELVIN = 'helpdes\u212a.admin@acme.test';

let portal: TestPortal;
let foreign: ForeignProvider;
let browser: TestBrowser;
beforeEach(async () => {
  // The library warns on every start that this setup is not for production.
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  portal = await testPortal();
  foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
  foreign.person = { sub: 'u-1', email: USER, email_verified: true };
  browser = testBrowser(portal);
  await setUp();
});
afterEach(async () => {
  await foreign.close();
  await portal.close();
});

async function setUp(settings: { enabled?: boolean; clientSecret?: string; configurationUrl?: string } = {}) {
  const body = { ...CLIENT, configurationUrl: foreign.issuer, buttonLabel: 'Foreign', enabled: true, ...settings };
  expect((await setUpProvider(portal, body)).resultCode).toBe(0);
}

const begin = (orgCode = 'acme') => `/api/oidc/login?orgCode=${orgCode}`;
const DISCOVERY = '/.well-known/openid-configuration';
/** Requests one of the provider's public documents. */
const ask = async (path: string) => (await request(foreign.issuer).get(path)).body;
const isCallback = ({ pathname }: URL) => pathname === '/api/oidc/callback';
/** Signs in at the provider and returns the callback URL without opening it. */
const callbackOf = (who: TestBrowser) => who.walk(begin(), (url) => (isCallback(url) ? undefined : url));
const codeIn = ({ hash }: URL): string => new URLSearchParams(hash.slice(1)).get('code') ?? '';
const exchange = (who: TestBrowser, code: string) => who.agent.post('/api/oidc/exchange').send({ code });
/** Returns the path and query on which a sign-in ended. */
const pageOf = (url: URL): string => `${url.pathname}${url.search}`;

describe('a user who signs in at the provider', () => {
  // covers: spec 2.7.24
  test('is signed in to the portal without a device', async () => {
    const end = await browser.walk(begin());
    expect(pageOf(end)).toBe('/acme/sign-in?login=success');
    const { status, body } = await exchange(browser, codeIn(end));
    expect(status).toBe(200);
    const { suid } = memberByEmail(portal, 'acme', USER);
    expect(body).toMatchObject({ resultCode: 0, orgId: 'acme', role: 'USER', profile: { suid, zid: '' } });
    const token = String(body.token);
    expect((await portal.call(getProfile, {}, { token })).body.profile.email).toBe(USER);
    const { records } = (await portal.call(getLoginHistory, { query: {} }, { token })).body;
    expect(records[0]).toMatchObject({ device: '–', appName: 'Portal', mode: 'OIDC', loginStatus: 'Success' });
  });

  test('is recognised by the email in an ID token with all claims, ignoring case', async () => {
    await foreign.close();
    foreign = await foreignProvider(`${portal.url}/api/oidc/callback`, true);
    foreign.person = { sub: 'u-1', email: 'User@ACME.test', email_verified: true };
    await setUp();
    expect(pageOf(await browser.walk(begin()))).toBe('/acme/sign-in?login=success');
    expect(foreign.requestedPaths).not.toContain('/me');
  });

  // covers: spec 2.7.24, security 10.1.2
  test('is redirected with state, nonce and PKCE, and scripts can’t read the cookie', async () => {
    const { headers } = await portal.http.get(begin()).accept('html');
    const query = Object.fromEntries(new URL(headers.location ?? '').searchParams);
    const secret = expect.stringMatching(/^[\w-]{43}$/);
    expect(query).toMatchObject({
      state: secret,
      nonce: secret,
      code_challenge: secret,
      code_challenge_method: 'S256',
    });
    expect(query.redirect_uri).toBe(`${portal.url}/api/oidc/callback`);
    expect(String(headers['set-cookie'])).toMatch(
      /^browser_id=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('is prompted to sign in again if the organisation forces it', async () => {
    organisationRepo.editOrganisation(portal.deps.db, 'acme', { forceAuthnEnabled: true });
    const there = await browser.walk(begin(), (url) => (url.origin === foreign.issuer ? undefined : url));
    expect(there.searchParams.get('prompt')).toBe('login');
  });
});

test('requests the discovery document at most once every five minutes', async () => {
  const documents = () => foreign.requestedPaths.filter((path) => path.startsWith('/.well-known')).length;
  await callbackOf(browser);
  await callbackOf(browser);
  expect(documents()).toBe(1);
  portal.clock.advance(301);
  await callbackOf(browser);
  expect(documents()).toBe(2);
});

describe('an exchange code', () => {
  test('works once', async () => {
    const code = codeIn(await browser.walk(begin()));
    expect((await exchange(browser, code)).body.resultCode).toBe(0);
    expect((await exchange(browser, code)).body).toMatchObject({ resultName: 'EXPIRED' });
  });

  test('is valid for a minute', async () => {
    const code = codeIn(await browser.walk(begin()));
    portal.clock.advance(60);
    expect((await exchange(browser, code)).body.resultName).toBe('EXPIRED');
  });

  test('is valid only in the browser that started the sign-in; other browsers don’t use it up', async () => {
    const code = codeIn(await browser.walk(begin()));
    const other = testBrowser(portal);
    expect((await exchange(other, code)).body.resultName).toBe('EXPIRED');
    await callbackOf(other);
    expect((await exchange(other, code)).body.resultName).toBe('EXPIRED');
    expect((await exchange(browser, code)).body.resultCode).toBe(0);
  });

  test('is rejected for a member disabled in the meantime', async () => {
    const code = codeIn(await browser.walk(begin()));
    await disable(USER);
    expect((await exchange(browser, code)).body.resultName).toBe('USER_INACTIVE');
  });

  test('is rejected from an address that isn’t allowed', async () => {
    const code = codeIn(await browser.walk(begin()));
    organisationRepo.editOrganisation(portal.deps.db, 'acme', { allowedIps: ['192.0.2.0/24'] });
    expect((await exchange(browser, code)).body.resultName).toBe('IP_NOT_VALID');
  });
});

async function disable(email: string): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = memberByEmail(portal, 'acme', email);
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
}

test('ends a session without a device when its member is disabled or deleted', async () => {
  const { body } = await exchange(browser, codeIn(await browser.walk(begin())));
  const token = String(body.token);
  await disable(USER);
  expect((await portal.call(getProfile, {}, { token })).body.resultName).toBe('INVALID_SESSION');
});

describe('a sign-in through the provider', () => {
  test.each([
    ['an unknown address', { email: 'nobody@elsewhere.test', email_verified: true }, 'unknown-email'],
    ['an address in another organisation', { email: 'admin@globex.test', email_verified: true }, 'unknown-email'],
    ['an address that matches only in lower case', { email: KELVIN, email_verified: true }, 'unknown-email'],
    ['an unverified address', { email: USER, email_verified: false }, 'unverified-email'],
    ['an address without an email_verified claim', { email: USER, email_verified: undefined }, 'unverified-email'],
    ['no address', {}, 'no-email'],
    ['a disabled member', { email: 'omar.hassan@acme.test' }, 'inactive'],
    ['a deleted member', { email: 'margot.ito@acme.test' }, 'unknown-email'],
    ['a member without a device', { email: 'mara.lindholm@acme.test' }, 'not-registered'],
  ])('fails with %s', async (_who, claims, page) => {
    foreign.person = { sub: 'u-2', email_verified: true, ...claims };
    expect(pageOf(await browser.walk(begin()))).toBe(`/static/sso-${page}?org=acme`);
  });

  test.each([
    ['access_denied', 'denied'],
    ['temporarily_unavailable', 'provider-down'],
    ['invalid_scope', 'provider-setup'],
    ['something_else', 'provider-failed'],
  ])('fails if the provider returns %s', async (error, page) => {
    foreign.error = { error, error_description: 'no' };
    expect(pageOf(await browser.walk(begin()))).toBe(`/static/sso-${page}?org=acme`);
  });

  test('fails if the provider rejects the secret', async () => {
    await setUp({ clientSecret: 'another one' });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-provider-setup?org=acme');
  });

  // covers: security 6.8.2
  test('fails if the signature isn’t from one of the provider’s keys', async () => {
    const { keys } = await ask('/jwks');
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const { kid, use, alg } = keys[0];
    foreign.instead.set('/jwks', { status: 200, json: { keys: [{ ...(await exportJWK(publicKey)), kid, use, alg }] } });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-provider-failed?org=acme');
  });

  describe('with an ID token signed by the provider', () => {
    const keys = generateKeyPair('RS256', { extractable: true });
    const others = generateKeyPair('RS256', { extractable: true });
    const published = async (pair: typeof keys, facts: object = {}) => ({
      ...(await exportJWK((await pair).publicKey)),
      alg: 'RS256',
      ...facts,
    });
    /**
     * Returns the page on which a sign-in with these claims ends.
     * @param jwks published keys; defaults to the provider's keys
     */
    async function endWith(
      claims: (seconds: number) => Record<string, unknown>,
      { jwks, kid }: { jwks?: object[]; kid?: string | undefined } = {},
    ): Promise<string> {
      const { privateKey } = await keys;
      foreign.instead.set('/jwks', { status: 200, json: { keys: jwks ?? [await published(keys)] } });
      let nonce: string | null = null;
      const callback = await browser.walk(begin(), (url) => {
        nonce ??= url.searchParams.get('nonce');
        return isCallback(url) ? undefined : url;
      });
      const now = Math.floor(Date.now() / 1_000);
      const usual = { sub: 'u-1', nonce, email: USER, email_verified: true, iat: now, exp: now + 600 };
      const token = new SignJWT({ ...usual, ...claims(now) })
        .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
        .setIssuer(foreign.issuer)
        .setAudience(CLIENT.clientId);
      const json = { access_token: 'token', token_type: 'Bearer', id_token: await token.sign(privateKey) };
      foreign.instead.set('/token', { status: 200, json });
      return pageOf(await browser.walk(callback.href));
    }

    test('fails if the token was issued to another client', async () => {
      expect(await endWith(() => ({ azp: 'another' }))).toBe('/static/sso-provider-failed?org=acme');
      expect(await endWith(() => ({ azp: CLIENT.clientId }))).toBe('/acme/sign-in?login=success');
    });

    test('fails if the token has no subject or an overlong subject', async () => {
      expect(await endWith(() => ({ sub: '' }))).toBe('/static/sso-provider-failed?org=acme');
      expect(await endWith(() => ({ sub: 'x'.repeat(256) }))).toBe('/static/sso-provider-failed?org=acme');
      expect(await endWith(() => ({ sub: 'x'.repeat(255) }))).toBe('/acme/sign-in?login=success');
    });

    // covers: security 10.5.1–10.5.4
    test('fails if the token was issued for another access token', async () => {
      const hashOf = (token: string) => createHash('sha256').update(token).digest().subarray(0, 16);
      for (const at_hash of [hashOf('another').toString('base64url'), hashOf('token').toString('hex'), '', 1, null]) {
        expect(await endWith(() => ({ at_hash }))).toBe('/static/sso-provider-failed?org=acme');
      }
      expect(await endWith(() => ({ at_hash: hashOf('token').toString('base64url') }))).toBe(
        '/acme/sign-in?login=success',
      );
    });

    // covers: security 6.8.2
    test.each<[string, object, object?, string?]>([
      ['an encryption key', { use: 'enc' }],
      ['a key that is not for verification', { key_ops: ['encrypt'] }],
      // OpenID Connect Core §10.1: if there are several keys, the header must name the signing key.
      ['one of two keys without IDs', {}, {}],
      ['one of two keys without naming it', { kid: 'a' }, { kid: 'b' }],
      ['one of two keys with the same ID', { kid: 'a' }, { kid: 'a' }, 'a'],
      ['another key than the one it names', { kid: 'a' }, { kid: 'b' }, 'b'],
    ])('fails if the token was signed with %s', async (_what, own, other, kid) => {
      const jwks = [await published(keys, own), ...(other ? [await published(others, other)] : [])];
      expect(await endWith(() => ({}), { jwks, kid })).toBe('/static/sso-provider-failed?org=acme');
    });

    test.each<[string, object, object, string?]>([
      ['the key that it names', { kid: 'a' }, { kid: 'b' }, 'a'],
      ['an unnamed key next to an encryption key', {}, { use: 'enc' }],
    ])('succeeds if the token was signed with %s', async (_what, own, other, kid) => {
      const jwks = [await published(keys, own), await published(others, other)];
      expect(await endWith(() => ({}), { jwks, kid })).toBe('/acme/sign-in?login=success');
    });

    test('succeeds if the token was signed with a newly published key', async () => {
      const requests = () => foreign.requestedPaths.filter((path) => path === '/jwks').length;
      const first = [await published(others, { kid: 'a' })];
      expect(await endWith(() => ({}), { jwks: first, kid: 'b' })).toBe('/static/sso-provider-failed?org=acme');
      const rotated = [...first, await published(keys, { kid: 'b' })];
      expect(await endWith(() => ({}), { jwks: rotated, kid: 'b' })).toBe('/acme/sign-in?login=success');
      const fetched = requests();
      expect(await endWith(() => ({}), { jwks: rotated, kid: 'b' })).toBe('/acme/sign-in?login=success');
      expect(requests()).toBe(fetched);
    });

    test('fails if the token names an unknown key, and fetches keys at most ten times a minute', async () => {
      const ends = new Set<string>();
      for (let attempt = 0; attempt < 15; attempt += 1)
        ends.add(await endWith(() => ({}), { kid: `x${attempt}`, jwks: [await published(others, { kid: 'a' })] }));
      expect([...ends]).toEqual(['/static/sso-provider-failed?org=acme']);
      expect(foreign.requestedPaths.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(10);
    });

    test('fails if the token was issued in the future beyond the allowed clock skew', async () => {
      expect(await endWith((now) => ({ iat: now + 300 }))).toBe('/static/sso-provider-failed?org=acme');
      expect(await endWith((now) => ({ iat: now + 20 }))).toBe('/acme/sign-in?login=success');
    });
  });

  // covers: security 10.5.1–10.5.4
  test('fails if the ID token has another nonce', async () => {
    const end = await browser.walk(begin(), (url) => {
      if (url.searchParams.has('nonce')) url.searchParams.set('nonce', 'another');
      return url;
    });
    expect(pageOf(end)).toBe('/static/sso-provider-failed?org=acme');
  });

  test('fails if the code was issued for another PKCE verifier', async () => {
    const end = await browser.walk(begin(), (url) => {
      if (url.searchParams.has('code_challenge')) url.searchParams.set('code_challenge', 'A'.repeat(43));
      return url;
    });
    expect(pageOf(end)).toBe('/static/sso-provider-failed?org=acme');
  });

  // covers: security 10.2.1, security 10.2.2
  test('fails if another issuer responds', async () => {
    const end = await browser.walk(begin(), (url) => {
      if (isCallback(url)) url.searchParams.set('iss', 'https://elsewhere.test');
      return url;
    });
    expect(pageOf(end)).toBe('/static/sso-provider-failed?org=acme');
  });

  // covers: security 10.5.1–10.5.4
  test('fails if the discovery document names another issuer', async () => {
    foreign.instead.set(DISCOVERY, {
      status: 200,
      json: { ...(await ask(DISCOVERY)), issuer: 'https://elsewhere.test' },
    });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-provider-down?org=acme');
  });

  test('fails if the token endpoint is in a private network', async () => {
    foreign.instead.set(DISCOVERY, {
      status: 200,
      json: { ...(await ask(DISCOVERY)), token_endpoint: 'https://10.0.0.1/token' },
    });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-provider-down?org=acme');
  });

  // covers: security 16.5.2
  test('fails if the provider is down', async () => {
    foreign.instead.set(DISCOVERY, { status: 503, json: {} });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-provider-down?org=acme');
  });

  test.each([
    ['/token', 500, { error: 'invalid_grant' }],
    ['/token', 503, 'busy'],
    ['/token', 429, {}],
    ['/jwks', 502, {}],
    ['/me', 500, {}],
  ])('fails if the provider’s %s returns %i', async (path, status, json) => {
    foreign.instead.set(path, { status, json });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-provider-down?org=acme');
  });

  test('fails if the browser returns a second time with the same URL', async () => {
    const callback = await callbackOf(browser);
    expect(pageOf(await browser.walk(callback.href))).toBe('/acme/sign-in?login=success');
    expect(pageOf(await browser.walk(callback.href))).toBe('/static/sso-unknown-state');
  });

  // covers: security 10.1.2
  test('fails in another browser, while the browser that started it can continue', async () => {
    const callback = await callbackOf(browser);
    const other = testBrowser(portal);
    expect(pageOf(await other.walk(callback.href))).toBe('/static/sso-unknown-state');
    await callbackOf(other);
    expect(pageOf(await other.walk(callback.href))).toBe('/static/sso-unknown-state');
    expect(pageOf(await browser.walk(callback.href))).toBe('/acme/sign-in?login=success');
  });

  test('fails after ten minutes', async () => {
    const callback = await callbackOf(browser);
    portal.clock.advance(600);
    expect(pageOf(await browser.walk(callback.href))).toBe('/static/sso-expired?org=acme');
  });

  test('fails from an address that the organisation doesn’t allow', async () => {
    const callback = await callbackOf(browser);
    organisationRepo.editOrganisation(portal.deps.db, 'acme', { allowedIps: ['192.0.2.0/24'] });
    expect(pageOf(await browser.walk(callback.href))).toBe('/static/ip-blocked');
    expect(pageOf(await browser.walk(begin()))).toBe('/static/ip-blocked');
  });

  test('fails if the provider is disabled or not set up, or the organisation doesn’t exist', async () => {
    await setUp({ enabled: false });
    expect(pageOf(await browser.walk(begin()))).toBe('/static/sso-not-configured?org=acme');
    expect(pageOf(await browser.walk(begin('globex')))).toBe('/static/sso-not-configured?org=globex');
    expect(pageOf(await browser.walk(begin('nowhere')))).toBe('/static/sso-unknown-organisation');
  });
});

test('limits how often sign-ins can be started, to protect the table and the provider', async () => {
  const limited = await testPortal({ config: { rateLimit: 2 } });
  const status = async () => (await limited.call(beginExternalSignIn, { query: { orgCode: 'nowhere' } })).status;
  expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
  await limited.close();
});

describe('a failed sign-in by a program', () => {
  // covers: spec 2.8.38
  test('returns OIDC_NOT_CONFIGURED if the provider is not configured', async () => {
    const { body } = await portal.call(beginExternalSignIn, { query: { orgCode: 'globex' } });
    expect(body).toMatchObject({ resultName: 'OIDC_NOT_CONFIGURED' });
  });

  // covers: spec 2.8.38
  test('returns OIDC_USER_ORG_NOT_FOUND for an unknown organisation or sign-in', async () => {
    const unknown = await portal.call(beginExternalSignIn, { query: { orgCode: 'nowhere' } });
    expect(unknown.body).toMatchObject({ resultName: 'OIDC_USER_ORG_NOT_FOUND' });
    const { body } = await portal.call(returnFromProvider, { query: { state: 'none', code: 'c' } });
    expect(body).toMatchObject({
      resultName: 'OIDC_USER_ORG_NOT_FOUND',
      message: expect.stringContaining('Start again'),
    });
  });

  // covers: spec 2.8.38
  test('returns OIDC_USER_EMAIL_NOT_FOUND for an unknown address', async () => {
    foreign.person = { sub: 'u-3', email: 'nobody@elsewhere.test', email_verified: true };
    const callback = await callbackOf(browser);
    const { body } = await browser.agent.get(pageOf(callback)).accept('json');
    expect(body).toMatchObject({ resultName: 'OIDC_USER_EMAIL_NOT_FOUND' });
  });
});
