import { deleteApp, getApp, getLoginHistory, updateApp } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestBrowser, type TestPage, testBrowser } from '#testing/browser.ts';
import { setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { createApplication, errorOf, relyingParty, USER } from '../relying-party-testing.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const TV = { orgCode: 'acme', appId: 'television' };
const TEN_MINUTES = 600;

let portal: TestPortal;
let token: string;
let config: client.Configuration;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
  await createApplication(portal, token, 'Television', {
    kind: 'native',
    redirect_uris: [],
    post_logout_redirect_uris: [],
  });
  config = await relyingParty(portal, { appId: TV.appId, auth: client.None() });
});
afterEach(() => portal.close());

const start = (scope = 'openid email') => client.initiateDeviceAuthorization(config, { scope });
/** Polls once for tokens, as the device does repeatedly. */
const poll = ({ device_code }: client.DeviceAuthorizationResponse, as = config) =>
  client.genericGrantRequest(as, GRANT, { device_code });
/** Polls with the client library, skipping the initial wait because the user has already answered. */
const finish = (started: client.DeviceAuthorizationResponse) =>
  client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0, expires_in: 5 });

async function enter(browser: TestBrowser, code: string, at = '/oidc/acme/device'): Promise<TestPage> {
  return browser.submit(await browser.open(at), { user_code: code });
}
const confirm = async (browser: TestBrowser, code: string) =>
  browser.submit(await enter(browser, code), { confirm: 'yes' });

const titleOf = ({ text }: TestPage) => /<h1>([^<]*)/.exec(text)?.[1]?.replaceAll('&#39;', "'");

test('signs a device in after its user enters the code in a browser', async () => {
  const started = await start('openid email offline_access');
  expect(started).toMatchObject({
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: `${portal.url}/oidc/acme/device`,
    expires_in: TEN_MINUTES,
    interval: 5,
  });
  expect(await errorOf(poll(started))).toBe('authorization_pending');
  const browser = testBrowser(portal, USER);
  const page = await enter(browser, started.user_code.toLowerCase().replace('-', ' '), started.verification_uri);
  expect(titleOf(page)).toBe('Is this the device in front of you?');
  expect(page.text).toContain('Television');
  expect(page.text).toContain(started.user_code);
  const done = await browser.submit(page, { confirm: 'yes' });
  expect({ title: titleOf(done), status: done.status }).toEqual({
    title: "You're signed in on the device",
    status: 200,
  });

  const tokens = await finish(started);
  expect(tokens.claims()).toMatchObject({ email: USER, aud: 'television' });
  expect(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).toMatchObject({
    email: USER,
  });
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(renewed.claims()?.email).toBe(USER);
  expect(await errorOf(poll(started))).toBe('invalid_grant');
});

test('forbids caches from storing the code page and the confirmation', async () => {
  const { verification_uri_complete = '' } = await start();
  for (const address of ['/oidc/acme/device', verification_uri_complete]) {
    const { headers } = await fetch(new URL(address, portal.url));
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('skips to the confirmation if the URL contains the code', async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  const sent = await browser.open(started.verification_uri_complete ?? '');
  expect(sent.text).toContain('document.forms[0].submit()');
  const page = await browser.submit(sent);
  expect(titleOf(page)).toBe('Is this the device in front of you?');
  expect(titleOf(await browser.submit(page, { confirm: 'yes' }))).toBe("You're signed in on the device");
  expect((await finish(started)).claims()?.email).toBe(USER);
});

test("shows who is already signed in and doesn't ask for another sign-in", async () => {
  const browser = testBrowser(portal, USER);
  await confirm(browser, (await start()).user_code);
  const second = await start();
  const page = await enter(browser, second.user_code);
  expect(page.text).toContain(`You're signed in here as ${USER}`);
  const otherBrowser = testBrowser(portal);
  otherBrowser.agent.jar = browser.agent.jar;
  await otherBrowser.submit(page, { confirm: 'yes' });
  expect((await finish(second)).claims()?.email).toBe(USER);
});

test("records the application in the user's sign-in history", { tags: 'whole' }, async () => {
  await confirm(testBrowser(portal, USER), (await start()).user_code);
  const person = await portal.signIn(USER);
  const { records } = (await portal.call(getLoginHistory, { query: { count: 2 } }, { token: person.token })).body;
  expect(records).toContainEqual(expect.objectContaining({ appName: 'Television', loginStatus: 'Success' }));
});

test('returns access_denied to a denied device', async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  const denied = await browser.submit(await enter(browser, started.user_code), { abort: 'yes' });
  expect({ title: titleOf(denied), status: denied.status }).toEqual({ title: 'You denied the sign-in', status: 200 });
  expect(await errorOf(finish(started))).toBe('access_denied');
  expect(titleOf(await enter(browser, started.user_code))).toBe('Sign in on a device');
});

test('reports an expired code on the code page and to the device', async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  portal.clock.advance(TEN_MINUTES - 2);
  expect(await errorOf(poll(started))).toBe('authorization_pending');
  const page = await enter(browser, started.user_code);
  portal.clock.advance(3);
  const late = await browser.submit(page, { confirm: 'yes' });
  expect({ text: late.text, status: late.status }).toEqual({
    text: expect.stringContaining('This code has expired'),
    status: 410,
  });
  expect(await errorOf(poll(started))).toBe('expired_token');
});

test('slows down a device that polls too often without cancelling its sign-in', async () => {
  const started = await start();
  expect(await errorOf(poll(started))).toBe('authorization_pending');
  expect(await errorOf(poll(started))).toBe('slow_down');
  portal.clock.advance(5);
  expect(await errorOf(poll(started))).toBe('authorization_pending');
  // The polling limit is per device, so a new device isn't slowed down.
  expect(await errorOf(poll(await start()))).toBe('authorization_pending');
  await confirm(testBrowser(portal, USER), started.user_code);
  expect((await finish(started)).claims()?.email).toBe(USER);
});

test('blocks a network for a while after twenty wrong codes', async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  let page = await browser.open('/oidc/acme/device');
  for (let count = 0; count < 20; count += 1) {
    page = await browser.submit(page, { user_code: 'BBBB-BBBB' });
    expect({ text: page.text, status: page.status }).toEqual({
      text: expect.stringContaining("This code doesn't match any device"),
      status: 404,
    });
  }
  const waiting = await browser.submit(page, { user_code: started.user_code });
  expect({ title: titleOf(waiting), status: waiting.status }).toEqual({ title: 'Too many wrong codes', status: 429 });
  expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
  portal.clock.advance(181);
  expect(titleOf(await enter(browser, started.user_code))).toBe('Is this the device in front of you?');
});

test('asks for the code again after an empty code, a used code or a form from another browser', async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  expect((await enter(browser, '')).text).toContain('Enter the code that your device shows.');
  const page = await enter(browser, started.user_code);
  const stranger = testBrowser(portal, USER);
  await stranger.open('/oidc/acme/device');
  expect((await stranger.submit(page, { confirm: 'yes' })).text).toContain('This page was out of date');
  expect(await errorOf(poll(started))).toBe('authorization_pending');
  await confirm(browser, started.user_code);
  expect((await enter(browser, started.user_code)).text).toContain('This code has already been used');
});

test('accepts a code only for its own organisation and application', async () => {
  const started = await start();
  const browser = testBrowser(portal, 'admin@globex.test');
  const elsewhere = await enter(browser, started.user_code, '/oidc/globex/device');
  expect(elsewhere.text).toContain("This code doesn't match any device");
  await createApplication(portal, token, 'Radio', { kind: 'native' });
  const radio = await relyingParty(portal, { appId: 'radio', auth: client.None() });
  expect(await errorOf(poll(started, radio))).toBe('invalid_grant');
});

test('accepts a code on the second attempt in a browser without cookies', {
  tags: 'whole',
}, async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  const form = { user_code: started.user_code, xsrf: 'of another browser' };
  const page = await browser.open('/oidc/acme/device', form);
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining('This page was out of date') });
  const confirmed = await browser.submit(await browser.submit(page, { user_code: started.user_code }), {
    confirm: 'yes',
  });
  expect(titleOf(confirmed)).toBe("You're signed in on the device");
});

test('explains that a device sign-in has expired', { tags: 'whole' }, async () => {
  const over = await testBrowser(portal).open('/oidc/acme/device/over');
  expect({ status: over.status, title: titleOf(over) }).toEqual({
    status: 400,
    title: "We can't continue this sign-in",
  });
});

test('refuses a code to a device that requests no known scope', { tags: 'whole' }, async () => {
  for (const scope of ['', 'anything']) expect(await errorOf(start(scope))).toBe('invalid_scope');
});

// covers: spec 2.3.2
test('allows the device grant only for native applications', async () => {
  const grantsOf = async (appId: string) => {
    const { body } = await portal.call(getApp, { params: { ...TV, appId } }, { token });
    const { grant_types, response_types } = body.app.oidcConfiguration?.clients ?? {};
    return { grant_types, response_types };
  };
  expect(await grantsOf(TV.appId)).toEqual({ grant_types: [GRANT], response_types: [] });
  await createApplication(portal, token, 'Notes', { kind: 'native' });
  expect(await grantsOf('notes')).toEqual({ grant_types: ['authorization_code', GRANT], response_types: ['code'] });

  const wiki = await relyingParty(portal);
  expect(await errorOf(client.initiateDeviceAuthorization(wiki, { scope: 'openid' }))).toBe('unauthorized_client');
  const page = await testBrowser(portal, USER).open('/oidc/acme/auth?client_id=television&response_type=code');
  expect(page.status).toBe(400);
});

test('lets only native applications remove their last redirect URI', { tags: 'whole' }, async () => {
  await createApplication(portal, token, 'Notes', { kind: 'native' });
  const none = { oidcConfiguration: { clients: { redirect_uris: [] } } };
  const save = (appId: string) => portal.call(updateApp, { params: { ...TV, appId }, body: none }, { token });
  expect((await save('notes')).body.app.oidcConfiguration?.clients.redirect_uris).toEqual([]);
  expect(await save('team-wiki')).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'oidcConfiguration.clients.redirect_uris' }] },
  });
});

test('denies a user without access, on the page and to the device', async () => {
  const usableBy = { roles: ['SUPER_ADMIN'], people: [] };
  await portal.call(updateApp, { params: TV, body: { usableBy } }, { token });
  const started = await start();
  const browser = testBrowser(portal, USER);
  const refused = await confirm(browser, started.user_code);
  expect({ title: titleOf(refused), status: refused.status }).toEqual({
    title: "You can't use Television",
    status: 403,
  });
  expect(await errorOf(finish(started))).toBe('access_denied');
  expect(titleOf(await browser.open(refused.text.match(/action="([^"]+)"/)?.[1] ?? ''))).toBe('Sign out?');
});

test('issues no tokens to an approved device once the user has lost access', async () => {
  const started = await start();
  await confirm(testBrowser(portal, USER), started.user_code);
  await portal.call(updateApp, { params: TV, body: { usableBy: { roles: [], people: [] } } }, { token });
  expect(await errorOf(finish(started))).toBe('invalid_grant');
});

test('rejects a waiting device once its application is deleted', { tags: 'whole' }, async () => {
  const started = await start();
  await portal.call(deleteApp, { params: TV }, { token });
  expect(await errorOf(poll(started))).toBe('invalid_client');
  expect((await enter(testBrowser(portal, USER), started.user_code)).text).toContain(
    "This code doesn't match any device",
  );
});

test('accepts no codes from addresses that the organisation blocks', async () => {
  const started = await start();
  setOrganisation(portal, 'acme', { allowedIps: JSON.stringify(['203.0.113.7']) });
  const page = await testBrowser(portal, USER).open('/oidc/acme/device');
  expect({ text: page.text, status: page.status }).toEqual({
    text: expect.stringContaining('allow sign-ins from your network'),
    status: 403,
  });
  // The organisation's address rules don't apply to the device, which can poll from any address.
  expect(await errorOf(poll(started))).toBe('authorization_pending');
});

test('keeps a device signed in when the browser that approved it signs out', { tags: 'whole' }, async () => {
  const started = await start();
  const browser = testBrowser(portal, USER);
  await confirm(browser, started.user_code);
  const tokens = await finish(started);
  await browser.submit(await browser.open('/oidc/acme/session/end'), { logout: 'yes' });
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).claims()?.email).toBe(USER);
});

test('encrypts stored codes', async () => {
  const started = await start();
  const browser = testBrowser(portal);
  await confirm(browser, started.user_code);
  const rows = JSON.stringify(portal.deps.db.$client.prepare('SELECT * FROM oidc_models').all());
  expect(rows).toContain('"DeviceCode"');
  for (const code of [started.device_code, started.user_code, started.user_code.replace('-', '')]) {
    expect(rows).not.toContain(code);
  }
});

test('lets the simulated browser enter a code, and keeps codes out of the journal', {
  tags: 'whole',
}, async () => {
  const started = await start();
  const page = await portal.lab.browser({ as: USER }).open(started.verification_uri_complete ?? '');
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You&#39;re signed in on the device') });
  expect((await finish(started)).claims()?.email).toBe(USER);
  const entries = JSON.stringify(await portal.lab.journal());
  expect(entries).toContain('/oidc/acme/device-authorization');
  for (const code of [started.device_code, started.user_code]) expect(entries).not.toContain(code);
});

test("lets the lab fail a device's polls", { tags: 'whole' }, async () => {
  const started = await start();
  const match = { path: '/oidc/acme/token' };
  await portal.lab.fault({ match, answer: { oauthError: 'invalid_grant' } });
  expect(await errorOf(poll(started))).toBe('invalid_grant');
  await portal.lab.fault({ match: { path: '/oidc/acme/device-authorization' }, answer: { status: 503 } });
  await expect(start()).rejects.toThrow();
});

test('restores a waiting device from a snapshot', { tags: 'whole' }, async () => {
  const started = await start();
  const snapshot = await portal.lab.snapshot();
  await confirm(testBrowser(portal, USER), started.user_code);
  await finish(started);
  await snapshot.restore();
  expect(await errorOf(poll(started))).toBe('authorization_pending');
  await portal.lab.reset();
  expect(await errorOf(poll(started))).toBe('invalid_client');
});
