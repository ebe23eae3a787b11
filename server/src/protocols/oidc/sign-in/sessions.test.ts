import { manageDevice, manageUser, updateApp } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signInAt, testBrowser } from '#testing/browser.ts';
import { makeNew, memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { authorize, errorOf, exchange, relyingParty, signInToWiki, USER, WIKI } from '../relying-party-testing.ts';
import { STEP_UP } from './acr.ts';

const ADMIN = 'super.admin@acme.test';
/** A person with several devices. */
const MANAGER = 'manager@acme.test';
const NOBODY_ASKED = { prompt: 'none' };
const EIGHT_HOURS = 8 * 3_600;

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const errorIn = (callback: URL): string | null => callback.searchParams.get('error');

/** Whether the page asks to sign in, when the test does not. */
const asksToSignIn = (url: URL): boolean => url.pathname === '/acme/sign-in' && url.searchParams.has('app');

// covers: openid oidcc-login-hint
test('the sign-in page opens for the application, with the expected member', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal);
  const { callback } = await authorize(config, browser, { login_hint: USER });
  expect(asksToSignIn(callback)).toBe(true);
  const { body } = await browser.agent.get(`/api/user/app-login/${callback.searchParams.get('app')}`);
  expect(body).toMatchObject({ appName: 'Team Wiki', loginHint: USER });
});

// covers: openid oidcc-prompt-none-logged-in
test('a remembered browser signs in without a device, for as long as the application allows', async () => {
  const { config, browser, tokens } = await signInToWiki(portal);
  // The library counts in whole seconds of the machine, so a difference of one second means nothing.
  portal.clock.advance(EIGHT_HOURS - 2);
  const silent = await exchange(config, await authorize(config, browser, NOBODY_ASKED));
  expect(silent.claims()?.sub).toBe(tokens.claims()?.sub);
  portal.clock.advance(4);
  const { callback } = await authorize(config, browser, NOBODY_ASKED);
  expect(errorIn(callback)).toBe('login_required');
});

test('nobody has signed in later than their ID token was made, wherever in a second the clocks stand', {
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
test('prompt=none never shows the sign-in page', async () => {
  const config = await relyingParty(portal);
  const { callback } = await authorize(config, testBrowser(portal), NOBODY_ASKED);
  expect(errorIn(callback)).toBe('login_required');
});

// covers: security 7.6.1, openid oidcc-prompt-login, openid oidcc-max-age-1, openid oidcc-max-age-10000
test('prompt=login and max_age require a new sign-in, and auth_time shows it', async () => {
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

test('a remembered browser cannot stand in where a new sign-in is wanted', async () => {
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

test('where authentication is forced no browser is remembered', async () => {
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
test('a client that asks for step-up gets a sign-in with a match number, and the token says so', async () => {
  const { config, browser, tokens } = await signInToWiki(portal);
  expect(tokens.claims()?.acr).toBeUndefined();
  const stepUp = { acr_values: STEP_UP };
  expect(errorIn((await authorize(config, browser, { ...stepUp, ...NOBODY_ASKED })).callback)).toBe('login_required');
  const stronger = await exchange(config, await authorize(config, browser, stepUp));
  expect(stronger.claims()).toMatchObject({ acr: STEP_UP, amr: ['hwk', 'mfa'] });
  const again = await exchange(config, await authorize(config, browser, { ...stepUp, ...NOBODY_ASKED }));
  expect(again.claims()?.acr).toBe(STEP_UP);
});

test('reports step-up that the organisation requires, and a client that needs it asks only once', async () => {
  setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
  const { config, browser, tokens } = await signInToWiki(portal);
  expect(tokens.claims()).toMatchObject({ acr: STEP_UP, amr: ['hwk', 'mfa'] });
  const silent = { acr_values: STEP_UP, ...NOBODY_ASKED };
  const again = await exchange(config, await authorize(config, browser, silent));
  expect(again.claims()?.acr).toBe(STEP_UP);
});

test('requires step-up from existing sessions as soon as the organisation does, once for each', async () => {
  const config = await relyingParty(portal);
  const { browser } = await signInToWiki(portal);
  const newOwner = testBrowser(portal, MANAGER);
  makeNew(portal, portal.device(MANAGER));
  await exchange(config, await authorize(config, newOwner));
  setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
  for (const each of [browser, newOwner]) {
    expect(errorIn((await authorize(config, each, NOBODY_ASKED)).callback)).toBe('login_required');
    await exchange(config, await authorize(config, each));
    expect((await authorize(config, each, NOBODY_ASKED)).callback.searchParams.has('code')).toBe(true);
  }
});

test('a session stands in only for a device that its application still allows', async () => {
  const { config, browser } = await signInToWiki(portal);
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
  setOrganisation(portal, 'acme', { mobileAppEnabled: 1 });
  expect((await authorize(config, browser, NOBODY_ASKED)).callback.searchParams.has('code')).toBe(true);
});

// covers: security 10.4.5, openid oidcc-refresh-token
test('refresh tokens rotate, and reusing one ends them all', async () => {
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

test('five simultaneous refreshes get the same successor, and the chain goes on from it', async () => {
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

test('a lost answer to a refresh is repeated for ten seconds, later it ends the sign-in', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const first = tokens.refresh_token ?? '';
  const lost = await client.refreshTokenGrant(config, first);
  portal.clock.advance(10);
  expect((await client.refreshTokenGrant(config, first)).refresh_token).toBe(lost.refresh_token);
  portal.clock.advance(1);
  expect(await errorOf(client.refreshTokenGrant(config, first))).toBe('invalid_grant');
  expect(await errorOf(client.refreshTokenGrant(config, lost.refresh_token ?? ''))).toBe('invalid_grant');
});

test('an ID token of a refresh has no nonce, and all else that it had (Core §12.2)', async () => {
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
test('rotation does not extend the sign-in for ever', async () => {
  const { token } = await portal.signIn(ADMIN);
  const body = { oidcConfiguration: { clients: { ttl_RefreshToken: 3_600 } } };
  await portal.call(updateApp, { params: { orgCode: 'acme', appId: WIKI.appId }, body }, { token });
  const { config, tokens } = await signInToWiki(portal);
  portal.clock.advance(1_800);
  const rotated = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  portal.clock.advance(1_800);
  expect(await errorOf(client.refreshTokenGrant(config, rotated.refresh_token ?? ''))).toBe('invalid_grant');
});

test('there is no refresh token where it would expire at once', async () => {
  const { token } = await portal.signIn(ADMIN);
  const body = { oidcConfiguration: { clients: { ttl_RefreshToken: 0 } } };
  await portal.call(updateApp, { params: { orgCode: 'acme', appId: WIKI.appId }, body }, { token });
  const { tokens } = await signInToWiki(portal);
  expect(tokens.refresh_token).toBeUndefined();
});

test('revoking a token ends its own sign-in, and not those beside it', async () => {
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

test('introspection shows a valid token, and revocation ends it', async () => {
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

test('a client that revokes the token of another one gets an error, and the token stays (RFC 7009 §2.1)', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const other = await relyingParty(portal, { appId: 'payroll' });
  for (const token of [tokens.access_token, tokens.refresh_token ?? ''])
    expect(await errorOf(client.tokenRevocation(other, token))).toBe('invalid_grant');
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
  await client.tokenRevocation(other, 'of nobody');
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).not.toBe('');
});

test('an access token ends when its application says', async () => {
  const { config, tokens } = await signInToWiki(portal);
  portal.clock.advance((tokens.expires_in ?? 0) - 1);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
  portal.clock.advance(1);
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
});

// covers: security 7.4.2
test('a disabled member is signed out at once, and stays signed out when enabled again', async () => {
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

test('a device’s sign-ins end with it', async () => {
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

test('a device that is paused after it has approved signs in to no application', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal);
  const { url } = await browser.open(
    client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' }),
  );
  const { suid, zid } = portal.device(MANAGER);
  const { primaryAttr } = memberByEmail(portal, 'acme', MANAGER);
  const { token } = await portal.signIn(ADMIN);
  const wayBack = await signInAt(portal, portal.device(MANAGER), url, browser.agent);
  await portal.call(manageDevice, { body: { suid, zid, primaryAttr, action: 'pause', mode: 'mobile' } }, { token });
  const end = await browser.open(wayBack);
  expect(end.status).toBe(400);
  expect(end.text).toContain('this sign-in has ended');
});

test('an application that is deleted has no clients, codes or tokens any more', async () => {
  const { config, tokens } = await signInToWiki(portal);
  portal.deps.db.$client.prepare('DELETE FROM applications WHERE appId = ?').run(WIKI.appId);
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_client');
  const left = portal.deps.db.$client.prepare('SELECT count(*) FROM oidc_models WHERE clientId = ?').pluck();
  expect(left.get(WIKI.appId)).toBe(0);
});

// covers: openid oidcc-rp-initiated-logout
test('signing out with an id token needs no confirmation, and ends at the application', async () => {
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
test('signing out without an id token asks for confirmation', async () => {
  const { config, browser } = await signInToWiki(portal);
  const url = client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://wiki.acme.test/goodbye' });
  const page = await browser.open(url);
  expect(page.text).toContain('<h1>Sign out?</h1>');
  expect(page.text).toContain('Team Wiki asks to sign you out');
  await browser.submit(page);
  expect((await authorize(config, browser, NOBODY_ASKED)).callback.searchParams.has('code')).toBe(true);
  const end = await browser.submit(await browser.open(url), { logout: 'yes' });
  expect(end.url.href).toBe('https://wiki.acme.test/goodbye');
  expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
});

// covers: openid oidcc-rp-initiated-logout-bad-post-logout-redirect-uri
test('nobody is sent away after signing out to an address that is not the application’s', async () => {
  const { config, browser } = await signInToWiki(portal);
  const url = client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://evil.test/' });
  const { status, text } = await browser.open(url);
  expect(status).toBe(400);
  expect(text).toContain('post_logout_redirect_uri');
  expect(text).toContain('<code>https://evil.test/</code>');
});

// covers: security 2.3.1
test('a finished sign-in cannot be used in another browser, or a second time', async () => {
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

test.each(['on the way back', 'at the last step'])(
  'somebody who is disabled after they have approved, %s, signs in to no application, then or later',
  async (when) => {
    const config = await relyingParty(portal);
    const browser = testBrowser(portal);
    const { url } = await browser.open(
      client.buildAuthorizationUrl(config, { redirect_uri: WIKI.callback, scope: 'openid' }),
    );
    const { suid } = portal.device(MANAGER);
    const { token } = await portal.signIn(ADMIN);
    let wayBack = await signInAt(portal, portal.device(MANAGER), url, browser.agent);
    if (when === 'at the last step') wayBack = (await browser.agent.get(wayBack)).headers.location ?? '';
    await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
    expect((await browser.open(wayBack)).status).toBe(400);
    await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token });
    expect(errorIn((await authorize(config, browser, NOBODY_ASKED)).callback)).toBe('login_required');
  },
);
