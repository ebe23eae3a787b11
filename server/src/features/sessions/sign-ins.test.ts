import {
  disownLogin,
  endSession,
  getLoginHistory,
  getProfile,
  listSessions,
  readOutbox,
  refresh,
  resultOf,
} from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorize, errorOf, exchange, relyingParty } from '#protocols/oidc/relying-party-testing.ts';
import { type TestBrowser, testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
/** Member with several devices. */
const MANAGER = 'manager@acme.test';
const ADMIN = 'super.admin@acme.test';
/** Administrator with PAUSE_USER but fewer permissions than the other administrators. */
const HELPDESK = 'helpdesk.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const listed = async (token: string, suid?: string) =>
  (await portal.call(listSessions, { query: suid === undefined ? {} : { suid } }, { token })).body;
const statusWith = async (token: string) => (await portal.call(getProfile, {}, { token })).status;

/** Signs in from a browser with this user agent and has the browser remembered. */
async function signInWith(userAgent: string, email = USER) {
  const started = await beginQr(portal);
  const exchangeToken = await approveQr(portal, portal.device(email), started);
  const browser = testBrowser(portal);
  browser.agent.set('user-agent', userAgent);
  const { body } = await browser.agent.post('/api/user/login').send({ loginId: started.loginId, exchangeToken });
  return { token: String(body.token), browser };
}

async function comeBack({ agent }: TestBrowser): Promise<number> {
  return (await agent.post('/api/user/login').send({ orgCode: 'acme', mode: 'COOKIE' })).body.resultCode;
}

// covers: spec 3.1.3, security 7.5.2
test('lists sign-ins with browser, address, device, method and time, and marks the current one', async () => {
  await portal.signIn(MANAGER);
  const before = await signInWith('Firefox/140 (X11; Linux x86_64)');
  portal.clock.advance(60);
  const { token } = await signInWith('Chrome/140 (Windows NT 10.0)');
  const { sessions, browsers, applications } = await listed(token);
  expect(sessions).toMatchObject([
    { userAgent: 'Chrome/140 (Windows NT 10.0)', mode: 'QID', isThis: true, createdAt: '2026-03-02T09:31:00.000Z' },
    { userAgent: 'Firefox/140 (X11; Linux x86_64)', mode: 'QID', isThis: false, createdAt: '2026-03-02T09:30:00.000Z' },
  ]);
  expect(sessions[0]?.ip).toMatch(/127\.0\.0\.1|::1/);
  expect(sessions[0]?.deviceName).not.toBe('');
  expect(browsers.map(({ userAgent }) => userAgent)).toContain('Chrome/140 (Windows NT 10.0)');
  expect(applications).toEqual([]);
  expect((await listed(before.token)).sessions.find(({ isThis }) => isThis)?.userAgent).toContain('Firefox');
});

test('updates the time of last use on renewal but not on reads', async () => {
  const { token, refreshToken } = await portal.signIn(USER);
  portal.clock.advance(300);
  await portal.call(getProfile, {}, { token });
  expect((await listed(token)).sessions[0]?.lastUsedAt).toBe('2026-03-02T09:30:00.000Z');
  await portal.call(refresh, { body: { refreshToken } });
  expect((await listed(token)).sessions[0]?.lastUsedAt).toBe('2026-03-02T09:35:00.000Z');
});

test('ends one session immediately, including its live channels and refresh token', async () => {
  const other = await portal.signIn(USER);
  const { token } = await portal.signIn(USER);
  const id = (await listed(token)).sessions.find(({ isThis }) => !isThis)?.id ?? '';
  const answer = await portal.call(endSession, { body: { what: 'session', id } }, { token });
  expect(answer.body).toEqual({ resultCode: 0, ended: 1 });
  expect(await statusWith(other.token)).toBe(401);
  expect((await portal.call(refresh, { body: { refreshToken: other.refreshToken } })).status).toBe(401);
  expect(await statusWith(token)).toBe(200);
  const again = await portal.call(endSession, { body: { what: 'session', id } }, { token });
  expect(again).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
});

test('refuses to end another member’s session by ID', async () => {
  const mine = await portal.signIn(USER);
  const id = (await listed(mine.token)).sessions[0]?.id ?? '';
  const { token } = await portal.signIn(ADMIN);
  expect((await portal.call(endSession, { body: { what: 'session', id } }, { token })).status).toBe(404);
  expect(await statusWith(mine.token)).toBe(200);
});

// covers: spec 3.1.4, security 7.4.3, security 10.4.9
test('ends all sessions except the current one', async () => {
  const config = await relyingParty(portal);
  const atWiki = testBrowser(portal, USER);
  const tokens = await exchange(config, await authorize(config, atWiki));
  const first = await signInWith('Firefox');
  const { token, browser } = await signInWith('Chrome');
  expect((await listed(token)).applications).toMatchObject([{ appName: 'Team Wiki' }]);
  const { body } = await portal.call(endSession, { body: { what: 'all' } }, { token });
  expect(body.ended).toBeGreaterThanOrEqual(1);
  expect(await statusWith(token)).toBe(200);
  expect(await statusWith(first.token)).toBe(401);
  expect([await comeBack(first.browser), await comeBack(browser)]).toEqual([86, 86]);
  expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant');
  const { sessions, browsers, applications } = await listed(token);
  expect([sessions.map(({ isThis }) => isThis), browsers, applications]).toEqual([[true], [], []]);
});

test('makes an application prompt again after ending its sign-in', async () => {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal, USER);
  const tokens = await exchange(config, await authorize(config, browser));
  const { token } = await portal.signIn(USER);
  const [application] = (await listed(token)).applications;
  expect(application).toMatchObject({ appName: 'Team Wiki' });
  await portal.call(endSession, { body: { what: 'application', id: application?.id ?? '' } }, { token });
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  const { callback } = await authorize(config, browser, { prompt: 'none' });
  expect(callback.searchParams.get('error')).toBe('login_required');
  expect((await listed(token)).applications).toEqual([]);
});

// covers: spec 3.1.5, security 7.4.5
test('lets members with PAUSE_USER see and end sessions of less privileged members', async () => {
  const { suid } = memberByEmail(portal, 'acme', USER);
  const users = await portal.signIn(USER);
  const helpdesk = await portal.signIn(HELPDESK);
  expect((await listed(helpdesk.token, suid)).sessions).toHaveLength(1);
  const ended = await portal.call(endSession, { body: { suid, what: 'all' } }, { token: helpdesk.token });
  expect(ended.body.ended).toBe(1);
  expect(await statusWith(users.token)).toBe(401);

  const boss = memberByEmail(portal, 'acme', ADMIN).suid;
  await portal.signIn(ADMIN);
  for (const refused of [
    await portal.call(listSessions, { query: { suid: boss } }, { token: helpdesk.token }),
    await portal.call(endSession, { body: { suid: boss, what: 'all' } }, { token: helpdesk.token }),
  ]) {
    expect(refused).toMatchObject({ status: 403, body: { resultCode: resultOf('INVALID_PERMISSIONS').code } });
  }
});

// covers: spec 3.1.6
test('“It wasn’t me” ends the reported sign-in’s sessions and alerts the administrators', async () => {
  const intruder = await signInWith('Intruder', MANAGER);
  portal.clock.advance(60);
  const { token } = await portal.signIn(MANAGER);
  const history = await portal.call(getLoginHistory, { query: { count: 2 } }, { token });
  const record = history.body.records[1];
  const answer = await portal.call(disownLogin, { body: { id: record?.id ?? '' } }, { token });
  // The session and both remembered browsers, because we can't know which of them the intruder used.
  expect(answer.body).toMatchObject({ ended: 3, device: { zid: portal.device(MANAGER).zid, isThisSignIn: true } });
  expect(await statusWith(intruder.token)).toBe(401);
  expect(await comeBack(intruder.browser)).toBe(86);
  expect(await statusWith(token)).toBe(200);
  const { messages } = (await portal.call(readOutbox, { query: { to: ADMIN } })).body;
  expect(messages[0]?.text).toContain('reports that someone else signed in');
  const after = await portal.call(getLoginHistory, { query: { count: 2 } }, { token });
  expect(after.body.records.map(({ isDisowned }) => isDisowned)).toEqual([false, true]);
});

test('refuses to report another member’s sign-in (AUTH_HISTORY_MISSING)', async () => {
  const users = await portal.signIn(USER);
  const [record] = (await portal.call(getLoginHistory, { query: { count: 1 } }, { token: users.token })).body.records;
  const { token } = await portal.signIn(ADMIN);
  const refused = await portal.call(disownLogin, { body: { id: record?.id ?? '' } }, { token });
  expect(refused.body).toMatchObject({ resultName: 'AUTH_HISTORY_MISSING' });
  expect(await statusWith(users.token)).toBe(200);
});
