import { logoutNoticeRepo } from '@orchestrate/db';
import {
  configureSession,
  deleteDevice,
  deleteUser,
  disownLogin,
  endSession,
  getLoginHistory,
  getSessionSettings,
  listSessions,
  login,
  logout,
  manageDevice,
  manageUser,
  SECOND,
  updateApp,
} from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorize, exchange, relyingParty, WIKI } from '#protocols/oidc/relying-party-testing.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { signInAt, type TestBrowser, testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { type Receiver, startReceiver } from '#testing/receiver.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
/** A member with several devices. */
const MANAGER = 'manager@acme.test';
const PAYROLL = 'https://payroll.acme.test/callback';

let portal: TestPortal;
let admin: { token: string };
/** Receives the notifications to every application's server. */
let apps: Receiver;
beforeEach(async () => {
  portal = await testPortal({ now: Date.now() });
  admin = await portal.signIn(ADMIN);
  apps = await startReceiver();
  for (const appId of ['payroll', 'team-wiki']) {
    const body = { oidcConfiguration: { clients: { backchannel_logout_uri: apps.url } } };
    await portal.call(updateApp, { params: { orgCode: 'acme', appId }, body }, admin);
  }
});
afterEach(async () => {
  await apps.close();
  await portal.close();
});

async function signInTo(browser: TestBrowser, appId: string, redirect_uri: string) {
  const config = await relyingParty(portal, { appId });
  const tokens = await exchange(config, await authorize(config, browser, { redirect_uri }));
  return { config, tokens, told: { aud: appId, sub: tokens.claims()?.sub, sid: tokens.claims()?.sid } };
}

/** Signs the manager in to two applications in one browser and to one of them in another browser. */
async function signInEverywhere() {
  const [here, there] = [testBrowser(portal, MANAGER), testBrowser(portal, MANAGER)];
  const wiki = await signInTo(here, 'team-wiki', WIKI.callback);
  return {
    here,
    wiki,
    payroll: await signInTo(here, 'payroll', PAYROLL),
    other: await signInTo(there, 'payroll', PAYROLL),
  };
}

/** Returns the sign-ins named in valid logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.6). */
async function notifiedSignIns(count: number) {
  await apps.until(count);
  const issuer = `${portal.url}/oidc/acme`;
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const options = { issuer, typ: 'logout+jwt', requiredClaims: ['iat', 'jti', 'exp'] };
  const tokens = apps.received.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '');
  const claims = await Promise.all(tokens.map(async (token) => (await jwtVerify(token, keys, options)).payload));
  return claims.map(({ aud, sub, sid }) => ({ aud, sub, sid }));
}

const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).toSorted();

const suid = () => memberByEmail(portal, 'acme', MANAGER).suid;
const device = () => ({
  suid: suid(),
  zid: portal.device(MANAGER).zid,
  primaryAttr: memberByEmail(portal, 'acme', MANAGER).primaryAttr,
});
const directory = () => directoryOf(portal);

const ENDINGS: [what: string, end: () => Promise<unknown>][] = [
  ['an administrator ends all sessions', () => portal.call(endSession, { body: { suid: suid(), what: 'all' } }, admin)],
  [
    'the member ends all other sessions',
    async () => portal.call(endSession, { body: { what: 'all' } }, await portal.signIn(MANAGER)),
  ],
  [
    'an administrator disables the member',
    () => portal.call(manageUser, { body: { suid: suid(), action: 'pause' } }, admin),
  ],
  [
    'an administrator deletes the member',
    () => portal.call(deleteUser, { body: { suid: suid(), org: 'acme' } }, admin),
  ],
  [
    'a directory disables the member',
    () => directory().patch(`/Users/${suid()}`, [{ op: 'replace', value: { active: false } }]),
  ],
  ['a directory deletes the member', () => directory().send('DELETE', `/Users/${suid()}`)],
  [
    'an administrator pauses the device',
    () => portal.call(manageDevice, { body: { ...device(), action: 'pause', mode: 'mobile' } }, admin),
  ],
  [
    'an administrator reports the device lost',
    () => portal.call(deleteDevice, { body: { suid: suid(), zid: device().zid, action: 'LOST_DEVICE' } }, admin),
  ],
  [
    'the member reports the sign-in',
    async () => {
      const by = await portal.signIn(MANAGER);
      const { records } = (await portal.call(getLoginHistory, { query: { count: 4 } }, by)).body;
      return portal.call(disownLogin, { body: { id: records.at(-1)?.id ?? '' } }, by);
    },
  ],
];

test.each(ENDINGS)('notifies the servers of all applications if %s', async (_what, end) => {
  const { wiki, payroll, other } = await signInEverywhere();
  await end();
  expect(sorted(await notifiedSignIns(3))).toEqual(sorted([wiki.told, payroll.told, other.told]));
});

test('notifies only the application whose sign-in ended; a later logout notifies the others', async () => {
  const browser = testBrowser(portal, MANAGER);
  const payroll = await signInTo(browser, 'payroll', PAYROLL);
  const wiki = await signInTo(browser, 'team-wiki', WIKI.callback);
  const by = await portal.signIn(MANAGER);
  const { applications } = (await portal.call(listSessions, { query: {} }, by)).body;
  const id = applications.find(({ appName }) => appName === 'Payroll')?.id ?? '';
  await portal.call(endSession, { body: { what: 'application', id } }, by);
  expect(await notifiedSignIns(1)).toEqual([payroll.told]);
  // The remaining sign-in doesn't restore access to the application that was signed out.
  const { callback } = await authorize(payroll.config, browser, { redirect_uri: PAYROLL, prompt: 'none' });
  expect(callback.searchParams.get('error')).toBe('login_required');
  await client.refreshTokenGrant(wiki.config, wiki.tokens.refresh_token ?? '');
  await browser
    .open(client.buildEndSessionUrl(wiki.config, { id_token_hint: wiki.tokens.id_token ?? '' }))
    .then(browser.submit);
  expect(await notifiedSignIns(2)).toContainEqual(wiki.told);
});

test('notifies an application only of the browser session that ended', async () => {
  const [here, there] = [testBrowser(portal, MANAGER), testBrowser(portal, MANAGER)];
  const first = await signInTo(here, 'team-wiki', WIKI.callback);
  portal.clock.advance(60);
  const second = await signInTo(there, 'team-wiki', WIKI.callback);
  const by = await portal.signIn(MANAGER);
  const [latest] = (await portal.call(listSessions, { query: {} }, by)).body.applications;
  await portal.call(endSession, { body: { what: 'application', id: latest?.id ?? '' } }, by);
  expect(await notifiedSignIns(1)).toEqual([second.told]);
  const { callback } = await authorize(first.config, here, { prompt: 'none' });
  expect(callback.searchParams.has('code')).toBe(true);
});

test('notifies a lost device’s applications, even after another device signed in', async () => {
  const browser = testBrowser(portal);
  /** Signs in with a device, even if the browser is remembered. */
  const signInWith = async (phone: DeviceState, appId: string, redirect_uri: string) => {
    const config = await relyingParty(portal, { appId });
    const { callback, verifier } = await authorize(config, browser, { redirect_uri, prompt: 'login' });
    const { url } = await browser.open(await signInAt(portal, phone, callback, browser.agent));
    return (await exchange(config, { callback: url, verifier })).claims()?.sid;
  };
  const [old, other] = [portal.device(MANAGER, 'mobile'), portal.device(MANAGER, 'desktop')];
  const sid = await signInWith(old, 'payroll', PAYROLL);
  await signInWith(other, 'team-wiki', WIKI.callback);
  await portal.call(deleteDevice, { body: { suid: suid(), zid: old.zid, action: 'LOST_DEVICE' } }, admin);
  expect(await notifiedSignIns(1)).toEqual([{ aud: 'payroll', sub: suid(), sid }]);
});

async function togetherWith({ agent }: TestBrowser) {
  const { resultCode: _code, ...settings } = (await portal.call(getSessionSettings, {}, admin)).body;
  await portal.call(configureSession, { body: { ...settings, logoutTogether: true } }, admin);
  const started = await beginQr(portal, 'acme');
  const exchangeToken = await approveQr(portal, portal.device(MANAGER), started);
  return agent.post(`/api${login.path}`).send({ loginId: started.loginId, exchangeToken });
}

test('ends a browser’s application sessions with its portal session under single logout', async () => {
  const { here, wiki, payroll } = await signInEverywhere();
  await togetherWith(here);
  const { sessions } = (await portal.call(listSessions, { query: { suid: suid() } }, admin)).body;
  await portal.call(endSession, { body: { suid: suid(), what: 'session', id: sessions[0]?.id ?? '' } }, admin);
  expect(sorted(await notifiedSignIns(2))).toEqual(sorted([wiki.told, payroll.told]));
});

test('notifies a server with a new token once it is back up', async () => {
  apps.answerWith({ status: 503 });
  const { told: payroll } = await signInTo(testBrowser(portal, MANAGER), 'payroll', PAYROLL);
  await portal.call(manageUser, { body: { suid: suid(), action: 'pause' } }, admin);
  const next = () => logoutNoticeRepo.findNextNoticeTime(portal.deps.db);
  await expect.poll(next).toBeLessThan(portal.clock.now() + 10 * SECOND);
  apps.answerWith({ status: 200 });
  await portal.clock.advance(10);
  expect(await notifiedSignIns(2)).toEqual([payroll, payroll]);
  expect(new Set(apps.received.map(({ body }) => body)).size).toBe(2);
});

test('notifies a server later if it was down during the logout', async () => {
  apps.answerWith({ status: 503 });
  const browser = testBrowser(portal, MANAGER);
  const payroll = await signInTo(browser, 'payroll', PAYROLL);
  const wiki = await signInTo(browser, 'team-wiki', WIKI.callback);
  await browser
    .open(client.buildEndSessionUrl(wiki.config, { id_token_hint: wiki.tokens.id_token ?? '' }))
    .then(browser.submit);
  apps.answerWith({ status: 200 });
  await portal.clock.advance(10);
  expect(sorted(await notifiedSignIns(4))).toEqual(sorted([payroll.told, payroll.told, wiki.told, wiki.told]));
});

test('makes a reloaded page wait for a slow application’s notification too', async () => {
  const browser = testBrowser(portal, MANAGER);
  const { token } = (await togetherWith(browser)).body;
  await signInTo(browser, 'payroll', PAYROLL);
  let answer = (_: { status: number }) => {};
  apps.answerWith(() => new Promise((resolve) => (answer = resolve)));
  const { continueAt = '' } = (await portal.call(logout, { body: {} }, { token })).body;
  const first = browser.open(continueAt);
  await apps.until(1);
  const again = browser.open(continueAt);
  // By the time this page has loaded, the server has received the reload.
  await browser.open('/faq');
  answer({ status: 200 });
  for (const page of [first, again]) expect((await page).text).toContain('Payroll: signed out');
  expect(apps.received).toHaveLength(1);
});
