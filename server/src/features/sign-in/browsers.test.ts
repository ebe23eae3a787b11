import { browserRepo } from '@orchestrate/db';
import {
  configureSession,
  deleteDevice,
  forgetBrowser,
  forgetBrowsers,
  getLoginHistory,
  getSessionSettings,
  LIMITS,
  listBrowsers,
  logout,
  manageDevice,
  manageUser,
  updateApp,
} from '@orchestrate/shared';
import type { Response } from 'supertest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { browserCookieIn, cookieIn, testBrowser } from '#testing/browser.ts';
import { memberByEmail, setOrganisation as setColumns } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
/** Member with several devices. */
const MANAGER = 'manager@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

interface Answer {
  resultCode: number;
  token?: string;
  loginId?: string;
  exchangeToken?: string;
  rememberedUntil?: string;
  [field: string]: unknown;
}

/** Returns a Firefox browser in which a member signs in to the portal. */
function browser(person = USER) {
  const { agent } = testBrowser(portal);
  agent.set('user-agent', 'Firefox');
  const login = (body: object) => agent.post('/api/user/login').send(body);
  return {
    agent,
    async signIn(): Promise<Response & { body: Answer }> {
      const started = await beginQr(portal);
      const exchangeToken = await approveQr(portal, portal.device(person), started);
      return login({ loginId: started.loginId, exchangeToken });
    },
    /** Signs in as the remembered member and, if successful, exchanges the sign-in for tokens. */
    async comeBack(appLoginId?: string): Promise<Answer> {
      const { body: started } = await login({ orgCode: 'acme', mode: 'COOKIE', appLoginId });
      if (started.resultCode !== 80 || appLoginId) return started;
      return (await login({ loginId: started.loginId, exchangeToken: started.exchangeToken })).body;
    },
  };
}

async function setOrganisation(change: object): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { body } = await portal.call(getSessionSettings, {}, { token });
  const answer = await portal.call(configureSession, { body: { ...body, ...change } }, { token });
  expect(answer.body.resultCode).toBe(0);
}

test('signs in a remembered browser without the device and records it in the history', async () => {
  const mine = browser();
  const first = (await mine.signIn()).body;
  expect(first.rememberedUntil).toBe('2026-03-02T17:30:00.000Z');
  portal.clock.advance(1);
  const again = await mine.comeBack();
  expect(again).toMatchObject({ resultCode: 0, profile: { email: USER } });
  const history = await portal.call(getLoginHistory, { query: { count: 1 } }, { token: again.token ?? '' });
  expect(history.body.records).toMatchObject([{ mode: 'COOKIE', appName: 'Portal', loginStatus: 'Success' }]);
});

// covers: security 3.3.2
test('hides the cookie from scripts and other sites and stores no secret in the database', async () => {
  const { headers } = await browser().signIn();
  const [remembered] = [headers['set-cookie'] ?? []].flat();
  expect(remembered).toMatch(
    /^portal_browser_acme=[\w-]{22}\.[\w-]{43}; Max-Age=28800; Path=\/api; HttpOnly; SameSite=Strict$/,
  );
});

test('rejects a missing or invalid cookie (COOKIE_ABSENT)', async () => {
  expect(await browser().comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  for (const cookie of ['x', 'x.y', 'x.y.z', `${'a'.repeat(22)}.${'b'.repeat(43)}`]) {
    const other = browser();
    other.agent.set('cookie', `portal_browser_acme=${cookie}`);
    expect(await other.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  }
});

// covers: spec 2.8.37
test('expires a remembered browser (COOKIE_EXPIRED), sooner if the application requires it', async () => {
  const mine = browser();
  const signedIn = await mine.signIn();
  const { token } = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme', appId: 'team-wiki' };
  await portal.call(updateApp, { params, body: { maxCookieLife: 600 } }, { token });
  portal.clock.advance(601);
  const { id } = startAppSignIn(portal.deps, {
    orgCode: 'acme',
    appId: 'team-wiki',
    protocol: 'oidc',
    request: '',
    loginHint: '',
    needsStepUp: false,
    browser: browserOf(portal.deps, browserCookieIn(signedIn)),
  });
  expect(await mine.comeBack(id)).toMatchObject({ resultName: 'COOKIE_EXPIRED' });
  expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
  portal.clock.advance(8 * 3_600);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_EXPIRED' });
});

test('doesn’t extend the lifetime when the member signs in again', async () => {
  const mine = browser();
  await mine.signIn();
  portal.clock.advance(7 * 3_600);
  expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
  portal.clock.advance(3_600);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_EXPIRED' });
});

// covers: spec 2.8.37
test('forgets every browser immediately when the option is disabled (COOKIE_LOGIN_DISABLED)', async () => {
  const mine = browser();
  await mine.signIn();
  await setOrganisation({ forceAuthnEnabled: true });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_LOGIN_DISABLED' });
  await setOrganisation({ forceAuthnEnabled: false, maxCookieLife: 0 });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_LOGIN_DISABLED' });
});

test('rejects a remembered browser while its device type is disabled', async () => {
  const mine = browser();
  await mine.signIn();
  setColumns(portal, 'acme', { mobileAppEnabled: 0 });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  setColumns(portal, 'acme', { mobileAppEnabled: 1 });
  expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
});

// covers: security 6.8.4
test('requires a device for step-up despite a remembered browser (AUTHENTICATION_INCOMPLETE)', async () => {
  const mine = browser();
  await mine.signIn();
  await setOrganisation({ stepUpAuthEnabled: true });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'AUTHENTICATION_INCOMPLETE' });
});

test('forgets both browsers if a copied cookie is used after the secret was replaced', async () => {
  const mine = browser();
  const cookie = cookieIn(await mine.signIn());
  const thief = browser();
  thief.agent.set('cookie', cookie);
  expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
  portal.clock.advance(11);
  expect(await thief.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
});

test('signs in both of two tabs that return at the same time', async () => {
  const mine = browser();
  await mine.signIn();
  const answers = await Promise.all([mine.comeBack(), mine.comeBack()]);
  expect(answers.map(({ resultCode }) => resultCode)).toEqual([0, 0]);
  portal.clock.advance(60);
  expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
});

test('forgets all browsers of a disabled member', async () => {
  const mine = browser();
  await mine.signIn();
  const { token } = await portal.signIn('super.admin@acme.test');
  await portal.call(manageUser, { body: { suid: portal.device(USER).suid, action: 'pause' } }, { token });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
});

test('requires the device again after a member is re-enabled', async () => {
  const mine = browser();
  await mine.signIn();
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = portal.device(USER);
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token });
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
});

test('forgets the browsers of a paused device, even after it is enabled again', async () => {
  const mine = browser(MANAGER);
  const { token: own = '' } = (await mine.signIn()).body;
  const { token } = await portal.signIn('super.admin@acme.test');
  const { zid, suid } = portal.device(MANAGER);
  const primaryAttr = memberByEmail(portal, 'acme', MANAGER).primaryAttr;
  const manage = (action: 'pause' | 'enable') =>
    portal.call(manageDevice, { body: { zid, suid, primaryAttr, action, mode: 'mobile' } }, { token });
  expect((await manage('pause')).body.resultCode).toBe(0);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect((await manage('enable')).body.resultCode).toBe(0);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect((await portal.call(listBrowsers, {}, { token: own })).status).toBe(401);
  const again = await mine.signIn();
  expect((await portal.call(listBrowsers, {}, { token: again.body.token ?? '' })).body.browsers).toHaveLength(1);
});

test.each(['LOST_DEVICE', undefined] as const)('forgets the browsers of a deleted device: %s', async (action) => {
  const mine = browser(MANAGER);
  await mine.signIn();
  const { token } = await portal.signIn('super.admin@acme.test');
  const { zid, suid } = portal.device(MANAGER);
  const { body } = await portal.call(deleteDevice, { body: { zid, suid, ...(action && { action }) } }, { token });
  expect(body.resultCode).toBe(0);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  const { suid: remembered } = memberByEmail(portal, 'acme', MANAGER);
  expect(browserRepo.listBrowsers(portal.deps.db, 'acme', remembered)).toEqual([]);
});

test('lets members list and forget only their own browsers', async () => {
  const mine = browser();
  const { token = '' } = (await mine.signIn()).body;
  const listed = await mine.agent.get('/api/user/browsers').auth(token, { type: 'bearer' });
  expect(listed.body).toMatchObject({
    browsers: [{ userAgent: 'Firefox', isThis: true, expiresAt: '2026-03-02T17:30:00.000Z' }],
  });
  const [{ id = '' } = {}] = (await portal.call(listBrowsers, {}, { token })).body.browsers;
  const outsider = await portal.signIn('manager@acme.test');
  const refused = await portal.call(forgetBrowser, { body: { id } }, { token: outsider.token });
  expect(refused).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
  expect((await portal.call(forgetBrowser, { body: { id } }, { token })).body.resultCode).toBe(0);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect((await portal.call(listBrowsers, {}, { token })).body.browsers).toEqual([]);
});

test('lets members forget all their browsers together', async () => {
  const [mine, second, theirs] = [browser(), browser(), browser(MANAGER)];
  await second.signIn();
  await theirs.signIn();
  const { token = '' } = (await mine.signIn()).body;
  const { body } = await portal.call(forgetBrowsers, {}, { token });
  expect(body).toMatchObject({ resultCode: 0, forgotten: 2 });
  for (const each of [mine, second]) expect(await each.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect(await theirs.comeBack()).not.toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect((await portal.call(listBrowsers, {}, { token })).body.browsers).toEqual([]);
  expect((await portal.call(forgetBrowsers, {}, { token })).body.resultName).toBe('ID_DOESNOT_EXIST');
});

test('forgets the least recently used browser when the limit is exceeded', async () => {
  const all = Array.from({ length: LIMITS.rememberedBrowsers + 1 }, () => browser());
  let token = '';
  for (const each of all) {
    portal.clock.advance(1);
    token = (await each.signIn()).body.token ?? '';
  }
  expect((await portal.call(listBrowsers, {}, { token })).body.browsers).toHaveLength(LIMITS.rememberedBrowsers);
  expect(await all[0]?.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
  expect(await all[1]?.comeBack()).not.toMatchObject({ resultName: 'COOKIE_ABSENT' });
});

test('remembers only the last member who signed in with a browser', async () => {
  const mine = browser();
  await mine.signIn();
  const { token = '' } = (await mine.signIn()).body;
  expect((await portal.call(listBrowsers, {}, { token })).body.browsers).toHaveLength(1);
});

test('forgets the member on logout', async () => {
  const mine = browser();
  const { token = '' } = (await mine.signIn()).body;
  const { headers } = await mine.agent.post(`/api${logout.path}`).auth(token, { type: 'bearer' }).send({});
  expect(String(headers['set-cookie'])).toMatch(/^portal_browser_acme=; Max-Age=0; Path=\/api;/);
  expect(await mine.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
});

describe('the member on the sign-in page', () => {
  const LABEL = { fullName: 'Daniel Ortiz', deviceName: 'Pixel 9a', deviceType: 'mobile', needsApproval: false };
  const askFor = async ({ agent }: ReturnType<typeof browser>, orgCode = 'acme') =>
    (await agent.get(`/api/user/remembered?orgCode=${orgCode}`)).body;
  const forget = ({ agent }: ReturnType<typeof browser>) =>
    agent.post('/api/user/remembered/forget').send({ orgCode: 'acme' });

  test('is named only to the browser with the cookie, and only by its organisation', async () => {
    const mine = browser();
    await mine.signIn();
    expect(await askFor(mine)).toMatchObject({ resultCode: 0, member: LABEL });
    expect(await askFor(browser())).toEqual({ resultCode: 0, member: null });
    expect(await askFor(mine, 'globex')).toEqual({ resultCode: 0, member: null });
    expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
    expect(await askFor(mine)).toMatchObject({ member: LABEL });
  });

  test('is not named to a browser with an invalid or copied cookie', async () => {
    const mine = browser();
    const cookie = cookieIn(await mine.signIn());
    const [name, value = ''] = cookie.split('=');
    for (const wrong of [`${name}=x`, `${name}=${value.split('.')[0]}.${'b'.repeat(43)}`]) {
      const other = browser();
      other.agent.set('cookie', wrong);
      expect(await askFor(other)).toEqual({ resultCode: 0, member: null });
    }
    expect(await mine.comeBack()).toMatchObject({ resultCode: 0 });
    portal.clock.advance(11);
    const thief = browser();
    thief.agent.set('cookie', cookie);
    expect(await askFor(thief)).toEqual({ resultCode: 0, member: null });
  });

  test('is forgotten on logout, on request, after the cookie’s lifetime and without the option', async () => {
    const all = [browser(), browser(), browser()] as const;
    const [first, second, third] = all;
    const { token = '' } = (await first.signIn()).body;
    for (const each of [second, third]) await each.signIn();
    await first.agent.post(`/api${logout.path}`).auth(token, { type: 'bearer' }).send({});
    const { headers } = await forget(second);
    expect(String(headers['set-cookie'])).toMatch(/^portal_browser_acme=; Max-Age=0; Path=\/api;/);
    for (const each of [first, second]) expect(await askFor(each)).toEqual({ resultCode: 0, member: null });
    expect(await second.comeBack()).toMatchObject({ resultName: 'COOKIE_ABSENT' });
    expect(await askFor(third)).toMatchObject({ member: LABEL });
    setColumns(portal, 'acme', { forceAuthnEnabled: 1 });
    expect(await askFor(third)).toEqual({ resultCode: 0, member: null });
    setColumns(portal, 'acme', { forceAuthnEnabled: 0 });
    portal.clock.advance(8 * 3_600);
    expect(await askFor(third)).toEqual({ resultCode: 0, member: null });
  });

  test('stays remembered if a browser without the secret tries to forget them', async () => {
    const mine = browser();
    const [name, value = ''] = cookieIn(await mine.signIn()).split('=');
    const other = browser();
    expect((await forget(other)).body).toEqual({ resultCode: 0 });
    other.agent.set('cookie', `${name}=${value.split('.')[0]}.${'b'.repeat(43)}`);
    expect((await forget(other)).body).toEqual({ resultCode: 0 });
    expect(await askFor(mine)).toMatchObject({ member: LABEL });
  });

  test('is not named after being disabled or losing the device', async () => {
    const [mine, theirs] = [browser(), browser(MANAGER)];
    await mine.signIn();
    await theirs.signIn();
    const { token } = await portal.signIn('super.admin@acme.test');
    await portal.call(manageUser, { body: { suid: portal.device(USER).suid, action: 'pause' } }, { token });
    const { zid, suid } = portal.device(MANAGER);
    await portal.call(deleteDevice, { body: { zid, suid } }, { token });
    for (const each of [mine, theirs]) expect(await askFor(each)).toEqual({ resultCode: 0, member: null });
  });

  test('gets a numbered request from the browser with the cookie, and from no other', async () => {
    const mine = browser();
    await mine.signIn();
    await setOrganisation({ stepUpAuthEnabled: true });
    expect(await askFor(mine)).toMatchObject({ member: { ...LABEL, needsApproval: true } });
    const push = { orgCode: 'acme', mode: 'PUSH', remembered: true };
    const { body } = await mine.agent.post('/api/user/login').send(push);
    expect(body).toMatchObject({ mode: 'PUSH', matchNumber: expect.stringMatching(/^\d\d$/), idTimeout: 120 });
    const [waiting] = await portal.authenticator.pending(portal.device(USER));
    expect(waiting?.numberChoices).toContain(body.matchNumber);
    const refused = await browser().agent.post('/api/user/login').send(push);
    expect(refused).toMatchObject({ status: 400, body: { resultName: 'COOKIE_ABSENT' } });
    expect(await portal.authenticator.pending(portal.device(USER))).toHaveLength(1);
  });

  test('gets the request on the named device only', async () => {
    const theirs = browser(MANAGER);
    await theirs.signIn();
    await setOrganisation({ stepUpAuthEnabled: true });
    expect(await askFor(theirs)).toMatchObject({ member: { deviceName: 'On call' } });
    await theirs.agent.post('/api/user/login').send({ orgCode: 'acme', mode: 'PUSH', remembered: true });
    expect(await portal.authenticator.pending(portal.device(MANAGER))).toHaveLength(1);
    expect(await portal.authenticator.pending(portal.device(MANAGER, 'desktop'))).toEqual([]);
  });
});
