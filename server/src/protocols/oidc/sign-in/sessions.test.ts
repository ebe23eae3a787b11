import { manageDevice, manageUser, updateApp } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signInAt, testBrowser } from '#testing/browser.ts';
import { makeDeviceNew, memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { authorize, errorOf, exchange, relyingParty, signInToWiki, USER, WIKI } from '../relying-party-testing.ts';
import { STEP_UP } from './acr.ts';

const ADMIN = 'super.admin@acme.test';
/** A member with several devices. */
const MANAGER = 'manager@acme.test';
const NOBODY_ASKED = { prompt: 'none' };
const EIGHT_HOURS = 8 * 3_600;

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const errorIn = (callback: URL): string | null => callback.searchParams.get('error');

/** Returns true if the URL is the sign-in page for an application. */
const asksToSignIn = (url: URL): boolean => url.pathname === '/acme/sign-in' && url.searchParams.has('app');

// covers: openid oidcc-login-hint
test('opens the sign-in page for the application, with the expected member', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal);
  const { callback } = await authorize(config, browser, { login_hint: USER });
  expect(asksToSignIn(callback)).toBe(true);
  const { body } = await browser.agent.get(`/api/user/app-login/${callback.searchParams.get('app')}`);
  expect(body).toMatchObject({ appName: 'Team Wiki', loginHint: USER });
});

// covers: openid oidcc-prompt-none-logged-in
test('signs in a remembered browser without a device, for as long as the application allows', async () => {
  const { config, browser, tokens } = await signInToWiki(portal);
  // The library counts whole seconds, so a one-second difference is noise.
  portal.clock.advance(EIGHT_HOURS - 2);
  const silent = await exchange(config, await authorize(config, browser, NOBODY_ASKED));
  expect(silent.claims()?.sub).toBe(tokens.claims()?.sub);
  portal.clock.advance(4);
  const { callback } = await authorize(config, browser, NOBODY_ASKED);
  expect(errorIn(callback)).toBe('login_required');
});

test('explains why a session doesn’t replace a sign-in', async () => {
  const { config, browser } = await signInToWiki(portal);
  const why = async (by = browser) =>
    (await authorize(config, by, NOBODY_ASKED)).callback.searchParams.get('error_description');
  expect(await why(testBrowser(portal))).toBe('this browser has no session with this issuer');
  setOrganisation(portal, 'acme', { maxCookieLife: 0 });
  expect(await why()).toBe(
    "the organisation does not remember browsers: it has a maxCookieLife of 0 minutes, which limits the application's 28800 seconds",
  );
  setOrganisation(portal, 'acme', { maxCookieLife: 480 });
  portal.clock.advance(EIGHT_HOURS - 60);
  expect(await why()).toBeNull();
  const { token } = await portal.signIn(ADMIN);
  const params = { orgCode: 'acme', appId: WIKI.appId };
  await portal.call(updateApp, { params, body: { maxCookieLife: 600 } }, { token });
  expect(await why()).toBe("the last sign-in is older than the application's maxCookieLife of 600 seconds");
  await portal.call(updateApp, { params, body: { forceAuthnEnabled: true } }, { token });
  expect(await why()).toBe('the application requires an approval of every sign-in');
});

test('never issues an ID token before its auth_time, at any sub-second clock offset', {
  tags: 'whole',
}, async () => {
  for (let step = 0; step < 8; step += 1) {
    portal.clock.advance(0.13);
    const { tokens } = await signInToWiki(portal);
    const { auth_time: signedIn, iat = 0 } = tokens.claims() ?? {};
    expect(Number(signedIn)).toBeLessThanOrEqual(iat);
  }
});

// covers: security 7.6.2, openid oidcc-prompt-none-not-logged-in
test('never displays the sign-in page for prompt=none', async () => {
  const config = await relyingParty(portal);
  const { callback } = await authorize(config, testBrowser(portal), NOBODY_ASKED);
  expect(errorIn(callback)).toBe('login_required');
});

// covers: security 7.6.1, openid oidcc-prompt-login, openid oidcc-max-age-1, openid oidcc-max-age-10000
test('requires a new sign-in for prompt=login and max_age, with a new auth_time', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const browser = testBrowser(portal, USER);
  const first = await exchange(config, await authorize(config, browser));
  portal.clock.advance(600);
  const before = Number(first.claims()?.auth_time);
  const within = await exchange(config, await authorize(config, browser, { max_age: '900' }));
  expect(Number(within.claims()?.auth_time)).toBeLessThan(before);
  const beyond = await exchange(config, await authorize(config, browser, { max_age: '300' }));
  expect(Number(beyond.claims()?.auth_time) - Number(within.claims()?.auth_time)).toBeGreaterThanOrEqual(598);
  expect(beyond.claims()?.sub).toBe(tokens.claims()?.sub);

  portal.clock.advance(600);
  const forced = await exchange(config, await authorize(config, browser, { prompt: 'login' }));
  expect(Number(forced.claims()?.auth_time)).toBeGreaterThan(Number(beyond.claims()?.auth_time) - 2);
  const silent = { max_age: '300', ...NOBODY_ASKED };
  portal.clock.advance(305);
  expect(errorIn((await authorize(config, browser, silent)).callback)).toBe('login_required');
});

test("doesn't accept a remembered browser if a new sign-in is required", async () => {
  const config = await relyingParty(portal);
  const numberFor = async (params: Record<string, string>) => {
    const browser = testBrowser(portal);
    const { callback } = await authorize(config, browser, params);
    const body = { orgCode: 'acme', mode: 'QID', appLoginId: callback.searchParams.get('app') };
    return (await browser.agent.post('/api/user/login').send(body)).body.matchNumber;
  };
  expect(await numberFor({})).toBeUndefined();
  expect(await numberFor({ prompt: 'login' })).toMatch(/^\d\d$/);
});

test("doesn't remember browsers if the organisation forces authentication", async () => {
  const { config, browser } = await signInToWiki(portal);
  const { token } = await portal.signIn(ADMIN);
  const params = { orgCode: 'acme', appId: WIKI.appId };
  await portal.call(updateApp, { params, body: { forceAuthnEnabled: true } }, { token });
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
  await portal.call(updateApp, { params, body: { forceAuthnEnabled: false } }, { token });
  setOrganisation(portal, 'acme', { maxCookieLife: 0 });
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
});

// covers: openid oidcc-ensure-request-with-acr-values-succeeds
test('requires a match number for step-up, and reports it in the token', async () => {
  const { config, browser, tokens } = await signInToWiki(portal);
  expect(tokens.claims()?.acr).toBeUndefined();
  const stepUp = { acr_values: STEP_UP };
  expect(errorIn((await authorize(config, browser, { ...stepUp, ...NOBODY_ASKED })).callback)).toBe('login_required');
  const stronger = await exchange(config, await authorize(config, browser, stepUp));
  expect(stronger.claims()).toMatchObject({ acr: STEP_UP, amr: ['hwk', 'mfa'] });
  const again = await exchange(config, await authorize(config, browser, { ...stepUp, ...NOBODY_ASKED }));
  expect(again.claims()?.acr).toBe(STEP_UP);
});

test('reports step-up that the organisation requires, so step-up requests need no new sign-in', async () => {
  setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
  const { config, browser, tokens } = await signInToWiki(portal);
  expect(tokens.claims()).toMatchObject({ acr: STEP_UP, amr: ['hwk', 'mfa'] });
  const silent = { acr_values: STEP_UP, ...NOBODY_ASKED };
  const again = await exchange(config, await authorize(config, browser, silent));
  expect(again.claims()?.acr).toBe(STEP_UP);
});

test('requires step-up once from each existing session after the organisation turns it on', async () => {
  const config = await relyingParty(portal);
  const { browser } = await signInToWiki(portal);
  const newOwner = testBrowser(portal, MANAGER);
  makeDeviceNew(portal, portal.device(MANAGER));
  await exchange(config, await authorize(config, newOwner));
  setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
  for (const each of [browser, newOwner]) {
    expect(errorIn((await authorize(config, each, NOBODY_ASKED)).callback)).toBe('login_required');
    await exchange(config, await authorize(config, each));
    expect((await authorize(config, each, NOBODY_ASKED)).callback.searchParams.has('code')).toBe(true);
  }
});

test('accepts a session only if the application still allows its device type', async () => {
  const { config, browser } = await signInToWiki(portal);
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
  setOrganisation(portal, 'acme', { mobileAppEnabled: 1 });
  expect((await authorize(config, browser, NOBODY_ASKED)).callback.searchParams.has('code')).toBe(true);
});

// covers: security 10.4.5, openid oidcc-refresh-token
test('rotates refresh tokens, and revokes them all if one is reused', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const first = tokens.refresh_token ?? '';
  const second = await client.refreshTokenGrant(config, first);
  expect(second.refresh_token).not.toBe(first);
  expect(second.claims()?.sub).toBe(tokens.claims()?.sub);
  const third = await client.refreshTokenGrant(config, second.refresh_token ?? '');
  expect(await errorOf(client.refreshTokenGrant(config, first))).toBe('invalid_grant');
  expect(await errorOf(client.refreshTokenGrant(config, third.refresh_token ?? ''))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(config, third.access_token)).toEqual({ active: false });
});

test('returns one successor for five concurrent refreshes, which can itself be refreshed', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const first = tokens.refresh_token ?? '';
  const all = await Promise.all(Array.from({ length: 5 }, () => client.refreshTokenGrant(config, first)));
  const [next = '', ...others] = new Set(all.map(({ refresh_token }) => refresh_token));
  expect(others).toEqual([]);
  for (const { access_token } of all)
    expect(await client.tokenIntrospection(config, access_token)).toMatchObject({ active: true });
  expect(await client.tokenIntrospection(config, first)).toEqual({ active: false });
  expect((await client.refreshTokenGrant(config, next)).refresh_token).not.toBe(next);
});

test('repeats a lost refresh response for ten seconds, but revokes the tokens after that', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const first = tokens.refresh_token ?? '';
  const lost = await client.refreshTokenGrant(config, first);
  portal.clock.advance(10);
  expect((await client.refreshTokenGrant(config, first)).refresh_token).toBe(lost.refresh_token);
  portal.clock.advance(1);
  expect(await errorOf(client.refreshTokenGrant(config, first))).toBe('invalid_grant');
  expect(await errorOf(client.refreshTokenGrant(config, lost.refresh_token ?? ''))).toBe('invalid_grant');
});

test('omits only the nonce from refreshed ID tokens (Core §12.2)', async () => {
  const config = await relyingParty(portal);
  const { callback, verifier } = await authorize(config, testBrowser(portal, USER), { nonce: 'n-0S6' });
  const checks = { pkceCodeVerifier: verifier, expectedNonce: 'n-0S6' };
  const first = await client.authorizationCodeGrant(config, callback, checks);
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
  const third = await client.refreshTokenGrant(config, second.refresh_token ?? '');
  const { sub, aud, auth_time } = first.claims() ?? {};
  for (const { claims } of [second, third]) {
    expect(claims()).toMatchObject({ sub, aud, auth_time });
    expect(claims()).not.toHaveProperty('nonce');
  }
});

// covers: security 10.4.8
test("doesn't extend a sign-in when rotating refresh tokens", async () => {
  const { token } = await portal.signIn(ADMIN);
  const body = { oidcConfiguration: { clients: { ttl_RefreshToken: 3_600 } } };
  await portal.call(updateApp, { params: { orgCode: 'acme', appId: WIKI.appId }, body }, { token });
  const { config, tokens } = await signInToWiki(portal);
  portal.clock.advance(1_800);
  const rotated = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  portal.clock.advance(1_800);
  expect(await errorOf(client.refreshTokenGrant(config, rotated.refresh_token ?? ''))).toBe('invalid_grant');
});

test('issues no refresh token that would expire immediately', async () => {
  const { token } = await portal.signIn(ADMIN);
  const body = { oidcConfiguration: { clients: { ttl_RefreshToken: 0 } } };
  await portal.call(updateApp, { params: { orgCode: 'acme', appId: WIKI.appId }, body }, { token });
  const { tokens } = await signInToWiki(portal);
  expect(tokens.refresh_token).toBeUndefined();
});

test('ends only the sign-in whose token is revoked', async () => {
  const { config, browser, tokens: first } = await signInToWiki(portal);
  const second = await exchange(config, await authorize(config, browser));
  const isActive = async ({ access_token: access }: { access_token: string }) =>
    (await client.tokenIntrospection(config, access)).active;
  const renewed = await client.refreshTokenGrant(config, first.refresh_token ?? '');

  await client.tokenRevocation(config, first.access_token);
  expect(await isActive(first)).toBe(false);
  expect(await isActive(renewed)).toBe(true);

  await client.tokenRevocation(config, renewed.refresh_token ?? '');
  expect(await isActive(renewed)).toBe(false);
  expect(await errorOf(client.refreshTokenGrant(config, renewed.refresh_token ?? ''))).toBe('invalid_grant');
  expect(await isActive(second)).toBe(true);
  const third = await client.refreshTokenGrant(config, second.refresh_token ?? '');
  expect(await isActive(third)).toBe(true);
  expect((await exchange(config, await authorize(config, browser, { prompt: 'none' }))).access_token).not.toBe('');
});

test('reports a token as active until it is revoked', async () => {
  const { config, tokens } = await signInToWiki(portal);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
    active: true,
    sub: tokens.claims()?.sub,
    client_id: WIKI.appId,
  });
  await client.tokenRevocation(config, tokens.access_token);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  expect(await errorOf(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck))).toBe(
    'invalid_token',
  );
  await client.tokenRevocation(config, tokens.refresh_token ?? '');
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
});

test("rejects revocation of another client's token (RFC 7009 §2.1)", async () => {
  const { config, tokens } = await signInToWiki(portal);
  const other = await relyingParty(portal, { appId: 'payroll' });
  for (const token of [tokens.access_token, tokens.refresh_token ?? ''])
    expect(await errorOf(client.tokenRevocation(other, token))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
  await client.tokenRevocation(other, 'of nobody');
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).not.toBe('');
});

test("expires access tokens after the application's lifetime", async () => {
  const { config, tokens } = await signInToWiki(portal);
  portal.clock.advance((tokens.expires_in ?? 0) - 1);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
  portal.clock.advance(1);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
});

// covers: security 7.4.2
test('signs a disabled member out immediately, even if they are enabled again', async () => {
  const { config, browser, tokens } = await signInToWiki(portal);
  const { token } = await portal.signIn(ADMIN);
  const { suid } = memberByEmail(portal, 'acme', USER);
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token });
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
});

test('ends the sign-ins of a deleted device', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal, MANAGER);
  const tokens = await exchange(config, await authorize(config, browser));
  const { suid, zid } = portal.device(MANAGER);
  const { primaryAttr } = memberByEmail(portal, 'acme', MANAGER);
  const { token } = await portal.signIn(ADMIN);
  const pause = { suid, zid, primaryAttr, action: 'pause' as const, mode: 'mobile' as const };
  const { body } = await portal.call(manageDevice, { body: pause }, { token });
  expect(body.resultCode).toBe(0);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
  await portal.call(manageDevice, { body: { ...pause, action: 'enable' } }, { token });
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
});

test('rejects an approval by a device that was paused afterwards', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal);
  const { url } = await browser.open(
    client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' }),
  );
  const { suid, zid } = portal.device(MANAGER);
  const { primaryAttr } = memberByEmail(portal, 'acme', MANAGER);
  const { token } = await portal.signIn(ADMIN);
  const returnUrl = await signInAt(portal, portal.device(MANAGER), url, browser.agent);
  await portal.call(manageDevice, { body: { suid, zid, primaryAttr, action: 'pause', mode: 'mobile' } }, { token });
  const end = await browser.open(returnUrl);
  expect(end.status).toBe(400);
  expect(end.text).toContain('this sign-in has ended');
});

test('deletes the codes and tokens of a deleted application', async () => {
  const { config, tokens } = await signInToWiki(portal);
  portal.deps.db.$client.prepare('DELETE FROM applications WHERE appId = ?').run(WIKI.appId);
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_client');
  const left = portal.deps.db.$client.prepare('SELECT count(*) FROM oidc_models WHERE clientId = ?').pluck();
  expect(left.get(WIKI.appId)).toBe(0);
});

// covers: openid oidcc-rp-initiated-logout
test('signs out without confirmation if given an ID token, and returns to the application', async () => {
  const { config, browser, tokens } = await signInToWiki(portal, { scope: 'openid' });
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: 'https://wiki.acme.test/goodbye',
    state: 'bye',
  });
  const page = await browser.open(url);
  expect(page.text).toContain('<h1>Signing out</h1>');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const end = await browser.submit(page);
  expect(end.url.href).toBe('https://wiki.acme.test/goodbye?state=bye');
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
});

// covers: security 10.6.2
test('asks for confirmation when signing out without an ID token', async () => {
  const { config, browser } = await signInToWiki(portal);
  const url = client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://wiki.acme.test/goodbye' });
  const page = await browser.open(url);
  expect(page.text).toContain('<h1>Sign out?</h1>');
  expect(page.text).toContain('Team Wiki wants to sign you out');
  await browser.submit(page);
  expect((await authorize(config, browser, NOBODY_ASKED)).callback.searchParams.has('code')).toBe(true);
  const end = await browser.submit(await browser.open(url), { logout: 'yes' });
  expect(end.url.href).toBe('https://wiki.acme.test/goodbye');
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
});

// covers: openid oidcc-rp-initiated-logout-bad-post-logout-redirect-uri
test("redirects after signing out only to the application's registered URIs", async () => {
  const { config, browser } = await signInToWiki(portal);
  const url = client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://evil.test/' });
  const { status, text } = await browser.open(url);
  expect(status).toBe(400);
  expect(text).toContain('post_logout_redirect_uri');
  expect(text).toContain('<code>https://evil.test/</code>');
});

// covers: security 2.3.1
test('rejects a finished sign-in in another browser or on a second attempt', async () => {
  const config = await relyingParty(portal);
  const victim = testBrowser(portal);
  const { callback: page } = await authorize(config, victim);
  const path = await signInAt(portal, portal.device(USER), page, victim.agent);
  const elsewhere = await testBrowser(portal).open(path);
  expect(elsewhere.status).toBe(400);
  expect(elsewhere.text).toContain('this sign-in has ended or was started in another browser');
  const done = await victim.open(path);
  expect(done.url.searchParams.has('code')).toBe(true);
  expect((await victim.open(path)).status).toBe(400);
});

test.each(['before the browser returns', 'at the last step'])(
  'rejects an approval by a member who was disabled afterwards, %s',
  async (when) => {
    const config = await relyingParty(portal);
    const browser = testBrowser(portal);
    const { url } = await browser.open(
      client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' }),
    );
    const { suid } = portal.device(MANAGER);
    const { token } = await portal.signIn(ADMIN);
    let returnUrl = await signInAt(portal, portal.device(MANAGER), url, browser.agent);
    if (when === 'at the last step') returnUrl = (await browser.agent.get(returnUrl)).headers.location ?? '';
    await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
    expect((await browser.open(returnUrl)).status).toBe(400);
    await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token });
    expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
  },
);
