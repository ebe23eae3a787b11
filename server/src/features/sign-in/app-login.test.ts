import { completeAppLogin, getAppLogin, getLoginHistory, login, loginState, updateApp } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginAppLogin, claimAppLogin, type StartedAppLogin } from '#core/sign-in/app-logins/begin-app-login.ts';
import { knownBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const APP = 'payroll';

let portal: TestPortal;
let begun: StartedAppLogin;
/** The browser that opened the application. */
let own: ReturnType<typeof knownBrowser>;
beforeEach(async () => {
  portal = await testPortal();
  own = knownBrowser(portal);
  begun = beginApp();
});
afterEach(() => portal.close());

/** Starts a sign-in like a protocol does. */
function beginApp(needsStepUp = false): StartedAppLogin {
  const request = { protocol: 'oidc' as const, request: '', loginHint: '', needsStepUp, browser: own.browser };
  return beginAppLogin(portal.deps, { orgCode: 'acme', appId: APP, ...request });
}

const begin = async (mode: 'QID' | 'DID', appLoginId: string) =>
  (await portal.call(login, { body: { orgCode: 'acme', mode, appLoginId } }, own)).body;

async function approve({ loginId = '', qid = '', matchNumber: number }: Awaited<ReturnType<typeof begin>>) {
  const phone = portal.device(USER);
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve', number });
  const { exchangeToken = '' } = (await portal.call(loginState, { params: { loginId } })).body;
  return { challenge, body: { loginId, exchangeToken } };
}

const complete = (body: { loginId: string; exchangeToken: string }, appLoginId = begun.id) =>
  portal.call(completeAppLogin, { params: { appLoginId }, body }, own);

test('the sign-in page learns which application the sign-in is for', async () => {
  expect(begun.path).toBe(`/acme/sign-in?app=${begun.id}`);
  const { body } = await portal.call(getAppLogin, { params: { appLoginId: begun.id } }, own);
  expect(body).toMatchObject({ resultCode: 0, orgCode: 'acme', appName: 'Payroll', didEnabled: true });
});

test('an approved sign-in returns to the protocol, where its browser continues it once', async () => {
  const { challenge, body } = await approve(await begin('QID', begun.id));
  expect(challenge).toMatchObject({ kind: 'app-login', appName: 'Payroll' });
  expect((await complete(body)).body).toMatchObject({ redirectTo: `/oidc/acme/continue?id=${begun.id}` });
  const mine = { id: begun.id, browser: own.browser };
  const { browser: another } = knownBrowser(portal);
  expect(claimAppLogin(portal.deps, 'acme', { ...mine, browser: another })).toBeUndefined();
  expect(claimAppLogin(portal.deps, 'globex', mine)).toBeUndefined();
  expect(claimAppLogin(portal.deps, 'acme', mine)).toMatchObject({ suid: portal.device(USER).suid });
  expect(claimAppLogin(portal.deps, 'acme', mine)).toBeUndefined();
  portal.clock.advance(1);
  const { token } = await portal.signIn(USER);
  const history = await portal.call(getLoginHistory, { query: { count: 2 } }, { token });
  expect(history.body.records.map(({ appName }) => appName)).toEqual(['Portal', 'Payroll']);
});

test('an approval is valid once, for its own sign-in, and not for the portal', async () => {
  const { body } = await approve(await begin('QID', begun.id));
  expect((await portal.call(login, { body })).body).toMatchObject({ resultName: 'EXPIRED' });
  expect((await complete(body, beginApp().id)).body).toMatchObject({ resultName: 'EXPIRED' });
  expect((await complete(body)).body).toMatchObject({ resultCode: 0 });
  expect((await complete(body)).body).toMatchObject({ resultName: 'EXPIRED' });
});

test('a sign-in can’t continue before it is approved', async () => {
  const { loginId = '' } = await begin('QID', begun.id);
  expect((await complete({ loginId, exchangeToken: 'guessed' })).body).toMatchObject({
    resultName: 'AUTHENTICATION_INCOMPLETE',
  });
  expect(claimAppLogin(portal.deps, 'acme', { id: begun.id, browser: own.browser })).toBeUndefined();
});

test('methods that an application doesn’t allow can’t be started for it', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme', appId: APP };
  await portal.call(updateApp, { params, body: { didEnabled: false } }, { token });
  expect(await begin('DID', begun.id)).toMatchObject({ resultName: 'DID_NOT_ENABLED' });
  const { body } = await portal.call(getAppLogin, { params: { appLoginId: begun.id } }, own);
  expect(body.didEnabled).toBe(false);
});

test('an application may require step-up even if the organisation doesn’t', async () => {
  const { id } = beginApp(true);
  const started = await begin('QID', id);
  expect(started.matchNumber).toMatch(/^\d\d$/);
  const { body } = await approve(started);
  expect((await complete(body, id)).body.resultCode).toBe(0);
});

test('a sign-in to an application expires after 15 minutes and is unknown to other organisations', async () => {
  const body = { orgCode: 'globex', mode: 'QID' as const, appLoginId: begun.id };
  const elsewhere = await portal.call(login, { body }, own);
  expect(elsewhere.body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
  portal.clock.advance(15 * 60);
  expect(await begin('QID', begun.id)).toMatchObject({ resultName: 'EXPIRED' });
  const late = await portal.call(getAppLogin, { params: { appLoginId: begun.id } }, own);
  expect({ status: late.status, code: late.body.resultCode }).toEqual({ status: 200, code: 10 });
});
