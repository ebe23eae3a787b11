import {
  addDevice,
  codeOf,
  configureSession,
  createApp,
  getOrgSettings,
  getSessionSettings,
  login,
  loginState,
  resetLab,
  restoreSnapshot,
  type SessionSettings,
  takeSnapshot,
  updateApp,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPush } from '#testing/device.ts';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const USER = 'user@acme.test';
const begin = async (mode: 'QID' | 'DID' | 'COOKIE' | 'WEBAUTHN') =>
  (await portal.call(login, { body: { orgCode: 'acme', mode } })).body;
const state = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body;

/** Changes some of the organisation's login options and keeps the rest. */
async function setOrganisation(change: Partial<SessionSettings>): Promise<void> {
  const { body } = await portal.call(getSessionSettings, {}, { token });
  const answer = await portal.call(configureSession, { body: { ...body, ...change } }, { token });
  expect(answer.body.resultCode).toBe(0);
}

const OPEN = { didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: false };

/** Changes some of the portal application's login options. */
async function setApplication(change: Partial<typeof OPEN & { maxCookieLife: number }>): Promise<void> {
  const params = { orgCode: 'acme', appId: 'portal' };
  const body = { ...OPEN, maxCookieLife: 28_800, ...change };
  expect((await portal.call(updateApp, { params, body }, { token })).body.resultCode).toBe(0);
}

const levels = { organisation: setOrganisation, application: setApplication };

// covers: spec 2.1.4
test.each(['organisation', 'application'] as const)('disables typed codes for the %s immediately', async (level) => {
  const phone = portal.device(USER);
  const started = await begin('DID');
  await levels[level]({ didEnabled: false });
  const { body: settings } = await portal.call(getOrgSettings, { query: { code: 'acme' } });
  expect(settings.didEnabled).toBe(false);
  const message = `Typing a code is switched off for this ${level}.`;
  expect(await begin('DID')).toMatchObject({ resultName: 'DID_NOT_ENABLED', message });
  // Codes that are already displayed stop working, too.
  await expect(portal.authenticator.resolve(phone, started.did ?? '')).rejects.toMatchObject({
    resultName: 'DID_NOT_ENABLED',
  });
  const scanned = await beginQr(portal);
  expect((await portal.authenticator.resolve(phone, scanned.qid)).resultCode).toBe(0);
});

test.each(['organisation', 'application'] as const)(
  'rejects approvals from desktop apps disabled for the %s',
  async (level) => {
    const desktop = portal.device('super.admin@acme.test', 'desktop');
    const opened = await beginQr(portal);
    await portal.authenticator.resolve(desktop, opened.qid);
    await levels[level]({ desktopAppEnabled: false });
    await expect(
      portal.authenticator.respond(desktop, { challengeId: opened.loginId, decision: 'approve' }),
    ).rejects.toMatchObject({ resultName: 'AUTHENTICATOR_DISALLOWED' });
    const { qid } = await beginQr(portal);
    await expect(portal.authenticator.resolve(desktop, qid)).rejects.toMatchObject({
      resultName: 'AUTHENTICATOR_DISALLOWED',
    });
  },
);

test('refuses to add desktop apps disabled for the organisation', async () => {
  const { profile } = await portal.signIn(USER);
  await setOrganisation({ desktopAppEnabled: false });
  const { token: own } = await portal.signIn(USER);
  const { suid } = profile;
  const added = await portal.call(addDevice, { body: { suid, type: 'QID', mode: 'desktop' } }, { token: own });
  expect(added.body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
});

// covers: security 6.3.3
test('requires the number from the browser for scanned and typed codes with step-up', async () => {
  await setOrganisation({ stepUpAuthEnabled: true });
  const phone = portal.device(USER);
  const { loginId = '', did = '', matchNumber = '' } = await begin('DID');
  expect(matchNumber).toMatch(/^\d\d$/);
  const { challenge } = await portal.authenticator.resolve(phone, did);
  expect(challenge.numberChoices).toContain(matchNumber);
  await portal.authenticator.respond(phone, { challengeId: loginId, decision: 'approve', number: matchNumber });
  expect(await state(loginId)).toMatchObject({ state: 'success' });

  const scanned = await beginQr(portal);
  await portal.authenticator.resolve(phone, scanned.qid);
  const without = portal.authenticator.respond(phone, { challengeId: scanned.loginId, decision: 'approve' });
  await expect(without).rejects.toMatchObject({ resultName: 'INVALID_VALIDATION_CODE' });
  expect(await state(scanned.loginId)).toMatchObject({ state: 'rejected' });
});

test('doesn’t require a number for a scan without step-up', async () => {
  const started = await begin('QID');
  expect(started.matchNumber).toBeUndefined();
});

test('includes the app lock setting in each request to the device', async () => {
  const phone = portal.device(USER);
  await beginPush(portal, USER);
  expect(await portal.authenticator.pending(phone)).toMatchObject([{ appLock: false }]);
  await setOrganisation({ appLockEnabled: true });
  expect(await portal.authenticator.pending(phone)).toMatchObject([{ appLock: true }]);
});

test('remembers a browser only if both organisation and application allow it', async () => {
  await setOrganisation({ maxCookieLife: 60 });
  await setApplication({ maxCookieLife: 3_600 });
  expect((await begin('COOKIE')).resultName).toBe('COOKIE_ABSENT');
  await setApplication({ maxCookieLife: 0 });
  expect((await begin('COOKIE')).resultName).toBe('COOKIE_LOGIN_DISABLED');
  await setApplication({ maxCookieLife: 3_600, forceAuthnEnabled: true });
  expect((await begin('COOKIE')).resultName).toBe('COOKIE_LOGIN_DISABLED');
  await setApplication({});
  await setOrganisation({ forceAuthnEnabled: true });
  expect((await begin('COOKIE')).resultName).toBe('COOKIE_LOGIN_DISABLED');
  await setOrganisation({ forceAuthnEnabled: false, maxCookieLife: 0 });
  expect((await begin('COOKIE')).resultName).toBe('COOKIE_LOGIN_DISABLED');
});

test('ignores other portal applications when signing in to the portal', async () => {
  const body = { orgCode: 'acme', integrationType: 'portal', name: 'Second portal' } as const;
  const created = await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
  const { appId } = created.body.app;
  await portal.call(updateApp, { params: { orgCode: 'acme', appId }, body: { didEnabled: false } }, { token });
  expect((await begin('DID')).resultCode).toBe(codeOf('LOGIN_INIT'));
});

test.each([
  ['a restored snapshot', async (snapshotId: string) => portal.call(restoreSnapshot, { params: { snapshotId } })],
  ['a reset', async () => portal.call(resetLab, { body: {} })],
])('applies the login options of %s to the next sign-in', async (_name, restore) => {
  const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
  for (const setOptions of [setOrganisation, setApplication]) {
    ({ token } = await portal.signIn('super.admin@acme.test'));
    expect((await begin('DID')).resultCode).toBe(codeOf('LOGIN_INIT'));
    await setOptions({ didEnabled: false });
    expect((await begin('DID')).resultName).toBe('DID_NOT_ENABLED');
    expect((await restore(snapshotId)).status).toBe(200);
    expect((await begin('DID')).resultCode).toBe(codeOf('LOGIN_INIT'));
  }
});
