import {
  approveByPasskey,
  codeOf,
  completeAppLogin,
  deleteDevice,
  getLoginHistory,
  login,
  loginLive,
  loginState,
  manageDevice,
  updateApp,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAppSignIn, startAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import { createRecognisedBrowser } from '#testing/browser.ts';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import {
  type AnswerOverrides,
  beginByPasskey,
  disablePasskeys,
  registerPasskey,
  type SoftwarePasskey,
} from '#testing/passkey.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';

let portal: TestPortal;
let token: string;
let passkey: SoftwarePasskey;
let zid: string;
beforeEach(async () => {
  portal = await testPortal();
  for (const orgCode of ['acme', 'globex']) setOrganisation(portal, orgCode, { webAuthnEnabled: 1 });
  ({ token } = await portal.signIn(USER));
  ({ passkey, zid } = await registerPasskey(portal, token));
});
afterEach(() => portal.close());

type Begun = Awaited<ReturnType<typeof beginByPasskey>>;

const approve = async ({ loginId, options }: Begun, overrides: AnswerOverrides = {}, cookie?: string) =>
  portal.call(
    approveByPasskey,
    { body: { loginId, credential: passkey.use(options, overrides) } },
    cookie === undefined ? {} : { cookie },
  );

const approveNew = async (overrides: AnswerOverrides = {}) => approve(await beginByPasskey(portal), overrides);

test('signs in to the portal with a passkey and its device', async () => {
  const started = await beginByPasskey(portal);
  expect(started.options).toMatchObject({
    challenge: started.loginId,
    rpId: 'localhost',
    userVerification: 'required',
  });
  const { loginId } = started;
  expect((await portal.call(loginState, { params: { loginId } })).body).toMatchObject({
    state: 'init',
    resultCode: codeOf('LOGIN_INIT'),
  });
  const channel = await portal.open(loginLive, { loginId });
  expect(await channel.next()).toMatchObject({ state: 'init' });
  portal.clock.advance(1);
  const { body } = await approve(started);
  expect(body).toMatchObject({ resultCode: codeOf('LOGIN_SUCCESS'), deviceName: 'Security key' });
  const { exchangeToken } = body;
  expect(await channel.next()).toMatchObject({ state: 'success', exchangeToken });
  const auth = await portal.call(login, { body: { loginId, exchangeToken } });
  expect(auth.body).toMatchObject({ resultCode: 0, profile: { email: USER, zid } });
  const history = await portal.call(getLoginHistory, { query: { count: 1 } }, { token });
  expect(history.body.records).toMatchObject([
    { device: 'Security key', deviceType: 'webauthn', mode: 'WEBAUTHN', loginStatus: 'Success', appName: 'Portal' },
  ]);
});

test('signs in only to the application for which the sign-in was started', async () => {
  const { browser, cookie } = createRecognisedBrowser(portal);
  const request = { protocol: 'oidc' as const, request: '', loginHint: '', needsStepUp: true, browser };
  const { id: appLoginId } = startAppSignIn(portal.deps, { orgCode: 'acme', appId: 'payroll', ...request });
  const started = await beginByPasskey(portal, { appLoginId, cookie });
  const another = createRecognisedBrowser(portal);
  expect((await approve(started, {}, another.cookie)).body.resultName).toBe('ID_DOESNOT_EXIST');
  const { exchangeToken } = (await approve(started, {}, cookie)).body;
  const body = { loginId: started.loginId, exchangeToken };
  expect((await portal.call(login, { body })).body.resultName).toBe('EXPIRED');
  expect((await portal.call(completeAppLogin, { params: { appLoginId }, body }, { cookie })).body.resultCode).toBe(0);
  expect(claimAppSignIn(portal.deps, 'acme', { id: appLoginId, browser })).toMatchObject({ zid });
});

test.each<[string, AnswerOverrides]>([
  ['for another origin', { origin: 'http://localhost.evil.test' }],
  ['for another host', { rpId: 'evil.test' }],
  ['for another challenge', { challenge: 'b3RoZXI' }],
  ['with the type of a registration', { type: 'webauthn.create' }],
  ['whose owner was not verified', { isVerified: false }],
  ['created in a frame on another site', { crossOrigin: true }],
  ['created in a frame on a named site', { crossOrigin: true, topOrigin: 'https://evil.test' }],
  ['that names the embedding page', { topOrigin: 'https://evil.test' }],
  ['that is backed up but not eligible', { backup: { eligible: false, state: true } }],
  ['whose backup eligibility has changed', { backup: { eligible: true, state: false } }],
  ['with another member’s user handle', { userHandle: 'c29tZWJvZHk' }],
])('rejects an assertion %s (SIGNATURE_MISMATCH)', async (_, overrides) => {
  expect(await approveNew(overrides)).toMatchObject({ status: 400, body: { resultName: 'SIGNATURE_MISMATCH' } });
});

test('rejects a change in backup eligibility but not in backup state (SIGNATURE_MISMATCH)', async () => {
  // Simulate a passkey from before the portal stored backup eligibility.
  portal.deps.db.$client.prepare('UPDATE passkeys SET backupEligible = NULL').run();
  const backup = (eligible: boolean, state: boolean) => approveNew({ counter: 0, backup: { eligible, state } });
  expect((await backup(true, false)).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
  expect((await backup(true, true)).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
  expect((await backup(true, false)).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
  expect((await backup(false, false)).body.resultName).toBe('SIGNATURE_MISMATCH');
});

test('rejects an assertion with a wrong signature (SIGNATURE_MISMATCH)', async () => {
  const { loginId, options } = await beginByPasskey(portal);
  const credential = passkey.use(options);
  const other = passkey.use({ ...options, challenge: 'b3RoZXI' });
  const forged = { ...credential, response: { ...credential.response, signature: other.response.signature } };
  expect((await portal.call(approveByPasskey, { body: { loginId, credential: forged } })).body.resultName).toBe(
    'SIGNATURE_MISMATCH',
  );
});

test('detects a copied passkey by its lower counter (SIGNATURE_MISMATCH)', async () => {
  expect((await approveNew({ counter: 7 })).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
  portal.clock.advance(1);
  const started = await beginByPasskey(portal);
  expect((await approve(started, { counter: 7 })).body.resultName).toBe('SIGNATURE_MISMATCH');
  const { loginId } = started;
  expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('rejected');
  expect((await approve(started, { counter: 8 })).body.resultName).toBe('EXPIRED');
  const history = await portal.call(getLoginHistory, { query: { count: 1 } }, { token });
  expect(history.body.records).toMatchObject([{ mode: 'WEBAUTHN', loginStatus: 'Failed' }]);
  expect((await approveNew({ counter: 0 })).body.resultName).toBe('SIGNATURE_MISMATCH');
  expect((await approveNew({ counter: 8 })).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
});

test('accepts repeated sign-ins from a passkey without a counter', async () => {
  for (let round = 0; round < 2; round += 1)
    expect((await approveNew({ counter: 0 })).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
});

test('accepts an assertion once, only for its own sign-in and within two minutes (EXPIRED)', async () => {
  const started = await beginByPasskey(portal);
  const body = { loginId: started.loginId, credential: passkey.use(started.options) };
  expect((await portal.call(approveByPasskey, { body })).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
  expect((await portal.call(approveByPasskey, { body })).body.resultName).toBe('EXPIRED');
  const other = await beginByPasskey(portal);
  const replayed = { ...body, loginId: other.loginId };
  expect((await portal.call(approveByPasskey, { body: replayed })).body.resultName).toBe('SIGNATURE_MISMATCH');
  portal.clock.advance(120);
  expect((await approve(other)).body.resultName).toBe('EXPIRED');
});

test('accepts exactly one of ten concurrent assertions for a sign-in', async () => {
  const started = await beginByPasskey(portal);
  const answers = await Promise.all(Array.from({ length: 10 }, () => approve(started)));
  expect(answers.filter(({ body }) => body.resultCode === codeOf('LOGIN_SUCCESS'))).toHaveLength(1);
});

test('rejects paused (DEVICE_INACTIVE), deleted and lost passkeys (DEVICE_NOT_TRUSTED)', async () => {
  const { suid } = portal.device(USER);
  const manage = (action: 'pause' | 'enable') => portal.call(manageDevice, { body: { zid, suid, action } }, { token });
  await manage('pause');
  expect((await approveNew()).body.resultName).toBe('DEVICE_INACTIVE');
  await manage('enable');
  expect((await approveNew()).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
  await portal.call(deleteDevice, { body: { zid, suid } }, { token });
  expect((await approveNew()).body.resultName).toBe('DEVICE_NOT_TRUSTED');
  ({ passkey, zid } = await registerPasskey(portal, token));
  await portal.call(deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, { token });
  expect((await approveNew()).body.resultName).toBe('DEVICE_NOT_TRUSTED');
});

test('discloses a passkey’s status only to its holder', async () => {
  await portal.call(manageDevice, { body: { zid, suid: portal.device(USER).suid, action: 'pause' } }, { token });
  expect((await approveNew({ isVerified: false })).body.resultName).toBe('SIGNATURE_MISMATCH');
});

test('rejects a disabled member (USER_INACTIVE)', async () => {
  setMember(portal, memberByEmail(portal, 'acme', USER).suid, { accountStatus: 'inactive' });
  expect((await approveNew()).body.resultName).toBe('USER_INACTIVE');
});

test('rejects passkeys that are unregistered or from another organisation (DEVICE_NOT_TRUSTED)', async () => {
  expect((await approve(await beginByPasskey(portal, { orgCode: 'globex' }))).body.resultName).toBe(
    'DEVICE_NOT_TRUSTED',
  );
  const { loginId, options } = await beginByPasskey(portal);
  const credential = { ...passkey.use(options), id: 'bm9ib2R5cw', rawId: 'bm9ib2R5cw' };
  expect((await portal.call(approveByPasskey, { body: { loginId, credential } })).body.resultName).toBe(
    'DEVICE_NOT_TRUSTED',
  );
});

test('refuses to approve a sign-in by another method with a passkey (ID_DOESNOT_EXIST)', async () => {
  const { loginId = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
  const { options } = await beginByPasskey(portal);
  const answer = await approve({ loginId, options });
  expect(answer).toMatchObject({ status: 400, body: { resultName: 'ID_DOESNOT_EXIST' } });
});

// covers: spec 2.8.37
test('rejects starting or continuing a sign-in if passkeys are disabled (WEBAUTHN_NOT_ENABLED)', async () => {
  const started = await beginByPasskey(portal);
  await disablePasskeys(portal);
  const refused = { status: 400, body: { resultName: 'WEBAUTHN_NOT_ENABLED' } };
  expect(await portal.call(login, { body: { orgCode: 'acme', mode: 'WEBAUTHN' } })).toMatchObject(refused);
  expect(await approve(started)).toMatchObject(refused);
});

test('rejects passkeys if only the application disallows them (WEBAUTHN_NOT_ENABLED)', async () => {
  const admin = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme', appId: 'payroll' };
  await portal.call(updateApp, { params, body: { webAuthnEnabled: false } }, { token: admin.token });
  const { browser, cookie } = createRecognisedBrowser(portal);
  const request = { protocol: 'oidc' as const, request: '', loginHint: '', needsStepUp: false, browser };
  const { id: appLoginId } = startAppSignIn(portal.deps, { orgCode: 'acme', appId: 'payroll', ...request });
  const body = { orgCode: 'acme', mode: 'WEBAUTHN' as const, appLoginId };
  expect((await portal.call(login, { body }, { cookie })).body.resultName).toBe('WEBAUTHN_NOT_ENABLED');
  expect((await approveNew()).body.resultCode).toBe(codeOf('LOGIN_SUCCESS'));
});
