import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { applicationRepo } from '@orchestrate/db';
import { configureSession, getProfile, getSessionSettings, login, logout, updateApp } from '@orchestrate/shared';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestBrowser, type TestPage, testBrowser } from '#testing/browser.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { authorize, errorOf, exchange, relyingParty, USER, WIKI } from '../relying-party-testing.ts';

const ADMIN = 'super.admin@acme.test';
const PAYROLL = 'https://payroll.acme.test/callback';
const AFTER = 'https://wiki.acme.test/goodbye';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let portal: TestPortal;
let token: string;
/** Fake application server that records logout requests and answers with `status`. */
let receiver: { server: Server; url: string; forms: URLSearchParams[]; status: number };
beforeEach(async () => {
  portal = await testPortal({ now: Date.now() });
  ({ token } = await portal.signIn(ADMIN));
  const server = createServer(async (request, response) => {
    receiver.forms.push(new URLSearchParams(await text(request)));
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  receiver = { server, url: `http://127.0.0.1:${port}/logout`, forms: [], status: 200 };
});
afterEach(async () => {
  receiver.server.close();
  await portal.close();
});

const save = (appId: string, clients: Record<string, string | string[]>) =>
  portal.call(updateApp, { params: { orgCode: 'acme', appId }, body: { oidcConfiguration: { clients } } }, { token });
const together = async () => {
  const { resultCode: _code, ...settings } = (await portal.call(getSessionSettings, {}, { token })).body;
  await portal.call(configureSession, { body: { ...settings, logoutTogether: true } }, { token });
};

/** Signs the user in to an application in a browser. */
async function signInTo(browser: TestBrowser, appId: string, redirect_uri: string) {
  const config = await relyingParty(portal, { appId });
  return { config, tokens: await exchange(config, await authorize(config, browser, { redirect_uri })) };
}

/** Signs the user out of the wiki with a client library, and confirms the sign-out. */
async function signOutOf(browser: TestBrowser, { config, tokens }: Awaited<ReturnType<typeof signInTo>>) {
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: AFTER,
    state: 'there',
  });
  return browser.submit(await browser.open(url));
}

/** Returns the logout tokens received so far, after the checks that Back-Channel Logout 1.0 §2.6 requires. */
const logoutTokens = () =>
  Promise.all(
    receiver.forms.map(async (form) => {
      const keys = createRemoteJWKSet(new URL(`${portal.url}/oidc/acme/jwks`));
      const options = { issuer: `${portal.url}/oidc/acme`, typ: 'logout+jwt', requiredClaims: ['iat', 'jti', 'exp'] };
      return (await jwtVerify(form.get('logout_token') ?? '', keys, options)).payload;
    }),
  );

// covers: openid oidcc-backchannel-logout-discovery-endpoint-verification
// covers: openid oidcc-frontchannel-logout-discovery-endpoint-verification
test('lists the supported logout mechanisms in discovery', async () => {
  const metadata = (await relyingParty(portal)).serverMetadata();
  expect(metadata).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  });
});

// covers: openid oidcc-backchannel-rp-initiated-logout
test("notifies all applications' servers when one application signs the user out", async () => {
  await save('payroll', { backchannel_logout_uri: receiver.url });
  const browser = testBrowser(portal, USER);
  const payroll = await signInTo(browser, 'payroll', PAYROLL);
  const wiki = await signInTo(browser, 'team-wiki', WIKI.callback);
  const { url } = await signOutOf(browser, wiki);
  expect(url.href).toBe(`${AFTER}?state=there`);
  const [logoutToken, ...more] = await logoutTokens();
  expect(more).toEqual([]);
  const sid = payroll.tokens.claims()?.sid;
  expect(logoutToken).toMatchObject({ aud: 'payroll', events: { [EVENT]: {} }, sid });
  expect(logoutToken?.sub).toBe(payroll.tokens.claims()?.sub);
  expect(logoutToken).not.toHaveProperty('nonce');
  const inspected = await portal.lab.inspect({ token: receiver.forms[0]?.get('logout_token') ?? '' });
  expect(inspected).toMatchObject({ kind: 'logout-token', verdict: 'This logout token of acme is valid.' });
});

test("shows which application's server couldn't be notified, then lets the browser continue", {
  tags: 'whole',
}, async () => {
  receiver.status = 500;
  await save('payroll', { backchannel_logout_uri: receiver.url });
  const browser = testBrowser(portal, USER);
  await signInTo(browser, 'payroll', PAYROLL);
  const page = await signOutOf(browser, await signInTo(browser, 'team-wiki', WIKI.callback));
  expect(page.text).toContain("Payroll: couldn't be signed out");
  expect(page.text).toContain('Team Wiki: signed out');
  expect(page.text).not.toContain('<script>');
  expect((await next(browser, page)).href).toBe(`${AFTER}?state=there`);
});

/** Submits a page's form and returns the URL where the browser ends up. */
async function next(browser: TestBrowser, { text: html, url }: TestPage): Promise<URL> {
  const action = /<form action="([^"]+)"/.exec(html)?.[1] ?? '';
  return (await browser.open(new URL(action, url))).url;
}

// covers: openid oidcc-frontchannel-rp-initiated-logout
test('loads front-channel logout pages with issuer and session', async () => {
  await save('payroll', { frontchannel_logout_uri: 'https://payroll.acme.test/out?a=1' });
  const browser = testBrowser(portal, USER);
  const payroll = await signInTo(browser, 'payroll', PAYROLL);
  const page = await signOutOf(browser, await signInTo(browser, 'team-wiki', WIKI.callback));
  const frame = new URL((/<iframe src="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&amp;', '&'));
  expect(frame.origin + frame.pathname).toBe('https://payroll.acme.test/out');
  expect(Object.fromEntries(frame.searchParams)).toEqual({
    a: '1',
    iss: `${portal.url}/oidc/acme`,
    sid: payroll.tokens.claims()?.sid,
  });
  expect(page.headers['content-security-policy']).toContain('frame-src https://payroll.acme.test');
  expect((await next(browser, page)).href).toBe(`${AFTER}?state=there`);
});

/** Signs the user in to the portal in a browser. */
async function signInToPortal({ agent }: TestBrowser): Promise<string> {
  const started = await beginQr(portal, 'acme');
  const exchangeToken = await approveQr(portal, portal.device(USER), started);
  const { body } = await agent.post(`/api${login.path}`).send({ loginId: started.loginId, exchangeToken });
  return body.token;
}

const isSignedIn = async (bearer: string) => (await portal.call(getProfile, {}, { token: bearer })).status === 200;

test("also ends the browser's portal session if the organisation enables logoutTogether", async () => {
  await together();
  const [browser, elsewhere] = [testBrowser(portal, USER), testBrowser(portal, USER)];
  const [here, there] = [await signInToPortal(browser), await signInToPortal(elsewhere)];
  const page = await signOutOf(browser, await signInTo(browser, 'team-wiki', WIKI.callback));
  expect(page.url.href).toBe(`${AFTER}?state=there`);
  expect(await isSignedIn(here)).toBe(false);
  expect(await isSignedIn(there)).toBe(true);
});

test("keeps the browser's portal session if the organisation doesn't enable logoutTogether", {
  tags: 'whole',
}, async () => {
  const browser = testBrowser(portal, USER);
  const here = await signInToPortal(browser);
  await signOutOf(browser, await signInTo(browser, 'team-wiki', WIKI.callback));
  expect(await isSignedIn(here)).toBe(true);
});

test('extends a portal logout to the applications', async () => {
  await together();
  await save('team-wiki', { backchannel_logout_uri: receiver.url });
  const browser = testBrowser(portal, USER);
  const here = await signInToPortal(browser);
  const { config, tokens } = await signInTo(browser, 'team-wiki', WIKI.callback);
  const { body } = await portal.call(logout, { body: {} }, { token: here });
  const page = await browser.open(body.continueAt ?? '');
  expect(page.text).toContain('Team Wiki: signed out');
  expect((await logoutTokens())[0]).toMatchObject({ aud: 'team-wiki', sid: tokens.claims()?.sid });
  const { callback } = await authorize(config, browser, { prompt: 'none' });
  expect(callback.searchParams.get('error')).toBe('login_required');
  // Tokens with `offline_access` stay valid (OpenID Connect Core 1.0 §11).
  await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
});

test("reports an application as failed if its configuration can't be read", {
  tags: 'whole',
}, async () => {
  await together();
  await save('team-wiki', { backchannel_logout_uri: receiver.url });
  const browser = testBrowser(portal, USER);
  const here = await signInToPortal(browser);
  await signInTo(browser, 'team-wiki', WIKI.callback);
  const { body } = await portal.call(logout, { body: {} }, { token: here });
  const { db } = portal.deps;
  applicationRepo.changeOidcClient(db, 'acme', 'team-wiki', { postLogoutRedirectUris: ['https://'] });
  const page = await browser.open(body.continueAt ?? '');
  expect(page.text).toContain("Team Wiki: couldn't be signed out");
  expect(receiver.forms).toEqual([]);
});

test('ends a portal logout directly if no application is signed in', async () => {
  await together();
  const here = await signInToPortal(testBrowser(portal, USER));
  expect((await portal.call(logout, { body: {} }, { token: here })).body).toEqual({ resultCode: 0 });
});

test('ends refresh tokens without offline_access when their browser signs out', async () => {
  await together();
  const browser = testBrowser(portal, USER);
  const here = await signInToPortal(browser);
  const config = await relyingParty(portal);
  const tokens = await exchange(config, await authorize(config, browser, { scope: 'openid' }));
  const { body } = await portal.call(logout, { body: {} }, { token: here });
  await browser.open(body.continueAt ?? '');
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
});

test("rejects logout URLs that the portal can't call or browsers can't open", async () => {
  const inside = await save('payroll', { backchannel_logout_uri: 'https://169.254.169.254/logout' });
  expect(inside.body.issues?.[0]?.path).toBe('oidcConfiguration.clients.backchannel_logout_uri');
  const script = await save('payroll', { frontchannel_logout_uri: 'javascript:alert(1)' });
  expect(script.body.issues?.[0]?.path).toMatch(/frontchannel_logout_uri/);
  expect((await save('payroll', { backchannel_logout_uri: '' })).body.resultCode).toBe(0);
});

// Required by OpenID Connect Front-Channel Logout 1.0 §2.
// covers: openid the address itself (§2)
test('requires new front-channel logout URIs to share an origin with a redirect URI', async () => {
  const issuesOf = async (clients: Record<string, string | string[]>) => (await save('payroll', clients)).body.issues;
  const refused = [expect.objectContaining({ path: 'oidcConfiguration.clients.frontchannel_logout_uri' })];
  const [here, elsewhere] = ['https://payroll.acme.test/out', 'https://other.acme.test/out'];
  for (const page of [elsewhere, 'http://payroll.acme.test/out', 'https://payroll.acme.test:8443/out'])
    expect(await issuesOf({ frontchannel_logout_uri: page })).toEqual(refused);
  expect(await issuesOf({ frontchannel_logout_uri: here })).toBeUndefined();
  expect(await issuesOf({ redirect_uris: ['https://other.acme.test/callback'] })).toEqual(refused);

  applicationRepo.changeOidcClient(portal.deps.db, 'acme', 'payroll', { frontchannelLogoutUri: elsewhere });
  expect(await issuesOf({ redirect_uris: [PAYROLL, 'https://payroll.acme.test/second'] })).toBeUndefined();
  expect(await issuesOf({ frontchannel_logout_uri: `${elsewhere}/2` })).toEqual(refused);
  expect(await issuesOf({ frontchannel_logout_uri: '' })).toBeUndefined();
});

test("accepts a front-channel logout URI on the portal's origin if a redirect URI is there too", {
  tags: 'whole',
}, async () => {
  const globex = await portal.signIn('admin@globex.test');
  const clients = { frontchannel_logout_uri: `${portal.url}/out` };
  const params = { orgCode: 'globex', appId: 'acme-portal-sso' };
  const { body } = await portal.call(updateApp, { params, body: { oidcConfiguration: { clients } } }, globex);
  expect(body.issues).toBeUndefined();
});

test('shows an error page for an unknown logout', async () => {
  const page = await testBrowser(portal).open('/logout/acme/nothing');
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining('over') });
});
