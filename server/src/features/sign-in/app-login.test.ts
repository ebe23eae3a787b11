import { completeAppLogin, getAppLogin, getLoginHistory, login, loginState, updateApp } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAppSignIn, type StartedAppSignIn, startAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import { createRecognisedBrowser } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const APP = 'payroll';

let portal: TestPortal;
let appSignIn: StartedAppSignIn;
/** Browser in which the application was opened. */
let own: ReturnType<typeof createRecognisedBrowser>;
beforeEach(async () => {
  portal = await testPortal();
  own = createRecognisedBrowser(portal);
  appSignIn = beginApp();
});
afterEach(() => portal.close());

/** Starts an application sign-in the way a protocol handler does. */
function beginApp(needsStepUp = false): StartedAppSignIn {
  const request = { protocol: 'oidc' as const, request: '', loginHint: '', needsStepUp, browser: own.browser };
  return startAppSignIn(portal.deps, { orgCode: 'acme', appId: APP, ...request });
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

const complete = (body: { loginId: string; exchangeToken: string }, appLoginId = appSignIn.id) =>
  portal.call(completeAppLogin, { params: { appLoginId }, body }, own);

test('returns the application of a sign-in to the sign-in page', async () => {
  expect(appSignIn.path).toBe(`/acme/sign-in?app=${appSignIn.id}`);
  const { body } = await portal.call(getAppLogin, { params: { appLoginId: appSignIn.id } }, own);
  expect(body).toMatchObject({ resultCode: 0, orgCode: 'acme', appName: 'Payroll', didEnabled: true });
});

test('returns an approved sign-in to the protocol, where its browser can continue it once', async () => {
  const { challenge, body } = await approve(await begin('QID', appSignIn.id));
  expect(challenge).toMatchObject({ kind: 'app-login', appName: 'Payroll' });
  expect((await complete(body)).body).toMatchObject({ redirectTo: `/oidc/acme/continue?id=${appSignIn.id}` });
  const mine = { id: appSignIn.id, browser: own.browser };
  const { browser: another } = createRecognisedBrowser(portal);
  expect(claimAppSignIn(portal.deps, 'acme', { ...mine, browser: another })).toBeUndefined();
  expect(claimAppSignIn(portal.deps, 'globex', mine)).toBeUndefined();
  expect(claimAppSignIn(portal.deps, 'acme', mine)).toMatchObject({ suid: portal.device(USER).suid });
  expect(claimAppSignIn(portal.deps, 'acme', mine)).toBeUndefined();
  portal.clock.advance(1);
  const { token } = await portal.signIn(USER);
  const history = await portal.call(getLoginHistory, { query: { count: 2 } }, { token });
  expect(history.body.records.map(({ appName }) => appName)).toEqual(['Portal', 'Payroll']);
});

test('accepts an approval once, only for its own sign-in and not for the portal', async () => {
  const { body } = await approve(await begin('QID', appSignIn.id));
  expect((await portal.call(login, { body })).body).toMatchObject({ resultName: 'EXPIRED' });
  expect((await complete(body, beginApp().id)).body).toMatchObject({ resultName: 'EXPIRED' });
  expect((await complete(body)).body).toMatchObject({ resultCode: 0 });
  expect((await complete(body)).body).toMatchObject({ resultName: 'EXPIRED' });
});

test('refuses to continue before approval', async () => {
  const { loginId = '' } = await begin('QID', appSignIn.id);
  expect((await complete({ loginId, exchangeToken: 'guessed' })).body).toMatchObject({
    resultName: 'AUTHENTICATION_INCOMPLETE',
  });
  expect(claimAppSignIn(portal.deps, 'acme', { id: appSignIn.id, browser: own.browser })).toBeUndefined();
});

test('refuses sign-in methods that the application doesn’t allow', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme', appId: APP };
  await portal.call(updateApp, { params, body: { didEnabled: false } }, { token });
  expect(await begin('DID', appSignIn.id)).toMatchObject({ resultName: 'DID_NOT_ENABLED' });
  const { body } = await portal.call(getAppLogin, { params: { appLoginId: appSignIn.id } }, own);
  expect(body.didEnabled).toBe(false);
});

test('requires step-up for an application even if the organisation doesn’t', async () => {
  const { id } = beginApp(true);
  const started = await begin('QID', id);
  expect(started.matchNumber).toMatch(/^\d\d$/);
  const { body } = await approve(started);
  expect((await complete(body, id)).body.resultCode).toBe(0);
});

test('expires application sign-ins after 15 minutes and hides them from other organisations', async () => {
  const body = { orgCode: 'globex', mode: 'QID' as const, appLoginId: appSignIn.id };
  const elsewhere = await portal.call(login, { body }, own);
  expect(elsewhere.body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
  portal.clock.advance(15 * 60);
  expect(await begin('QID', appSignIn.id)).toMatchObject({ resultName: 'EXPIRED' });
  const late = await portal.call(getAppLogin, { params: { appLoginId: appSignIn.id } }, own);
  expect({ status: late.status, code: late.body.resultCode }).toEqual({ status: 200, code: 10 });
});
