import {
  configureSession,
  getOrgLoginOptions,
  getOrgSettings,
  getProfile,
  getSessionSettings,
  logout,
  refresh,
  type SessionEdit,
  type SessionSettings,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'security.admin@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => portal.close());

const SETTINGS: SessionSettings = {
  sessionTimeout: 60,
  maxCookieLife: 1_440,
  didEnabled: false,
  webAuthnEnabled: true,
  desktopAppEnabled: false,
  forceAuthnEnabled: true,
  stepUpAuthEnabled: true,
  appLockEnabled: true,
  logoutTogether: true,
};

const read = async () => (await portal.call(getSessionSettings, {}, { token })).body;
const configure = (body: SessionEdit) => portal.call(configureSession, { body }, { token });

test('returns the stored session settings and login options', async () => {
  expect(await read()).toMatchObject({ resultCode: 0, sessionTimeout: 720, maxCookieLife: 480, didEnabled: true });
});

// covers: spec 2.3.7, spec 2.7.15
test('saves settings and sends them to the sign-in page', async () => {
  expect((await configure(SETTINGS)).body).toEqual({ resultCode: 0, ...SETTINGS });
  expect(await read()).toEqual({ resultCode: 0, ...SETTINGS });
  const { body } = await portal.call(getOrgSettings, { query: { code: 'acme' } });
  expect(body).toMatchObject({
    didEnabled: false,
    webAuthnEnabled: true,
    desktopAppEnabled: false,
    stepUpAuthEnabled: true,
    appLockEnabled: true,
  });
});

test('lets every signed-in member read only the organisation-wide settings', async () => {
  const { token: theirs } = await portal.signIn('manager@acme.test');
  await configure(SETTINGS);
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect((await portal.call(getSessionSettings, {}, { token: theirs })).status).toBe(403);
  expect((await portal.call(getOrgLoginOptions, {}, { token: theirs })).body).toEqual({
    resultCode: 0,
    maxCookieLife: 1_440,
    didEnabled: false,
    webAuthnEnabled: true,
    mobileAppEnabled: false,
    desktopAppEnabled: false,
    forceAuthnEnabled: true,
  });
});

test('leaves step-up and app lock unchanged if they are omitted', async () => {
  await configure(SETTINGS);
  const { stepUpAuthEnabled, appLockEnabled, ...required } = SETTINGS;
  expect((await configure({ ...required, sessionTimeout: 90 })).body).toEqual({
    resultCode: 0,
    ...required,
    sessionTimeout: 90,
    stepUpAuthEnabled,
    appLockEnabled,
  });
});

test('leaves another organisation’s settings unchanged', async () => {
  await configure(SETTINGS);
  const { body } = await portal.call(getOrgSettings, { query: { code: 'globex' } });
  expect(body).toMatchObject({ didEnabled: true, appLockEnabled: false });
});

const isSignedIn = async (accessToken: string) =>
  (await portal.call(getProfile, {}, { token: accessToken })).status === 200;

// covers: spec 2.1.4
test('ends running sessions sooner when the timeout is shortened', async () => {
  const old = await portal.signIn('user@acme.test');
  portal.clock.advance(5 * 60);
  ({ token } = await portal.signIn(ADMIN));
  const young = await portal.signIn('manager@acme.test');
  await configure({ ...SETTINGS, sessionTimeout: 5 });
  expect(await isSignedIn(old.token)).toBe(false);
  const renewed = await portal.call(refresh, { body: { refreshToken: old.refreshToken } });
  expect(renewed.body.resultName).toBe('INVALID_SESSION');
  expect(await isSignedIn(young.token)).toBe(true);
  portal.clock.advance(5 * 60);
  expect(await isSignedIn(young.token)).toBe(false);
});

test('extends only this organisation’s running sessions when the timeout is raised', async () => {
  await configure({ ...SETTINGS, sessionTimeout: 5 });
  const running = await portal.signIn('user@acme.test');
  const ended = await portal.signIn('manager@acme.test');
  const elsewhere = await portal.signIn('admin@globex.test');
  await portal.call(logout, { body: {} }, { token: ended.token });
  portal.clock.advance(4 * 60);
  await configure({ ...SETTINGS, sessionTimeout: 500 });
  portal.clock.advance(2 * 60);
  const renewed = await portal.call(refresh, { body: { refreshToken: running.refreshToken } });
  expect(renewed.body.resultCode).toBe(0);
  expect(await isSignedIn(renewed.body.token)).toBe(true);
  expect(await isSignedIn(ended.token)).toBe(false);
  expect(await isSignedIn(elsewhere.token)).toBe(true);
  portal.clock.advance(494 * 60);
  expect((await portal.call(refresh, { body: { refreshToken: running.refreshToken } })).body.resultCode).not.toBe(0);
});

test('keeps an ended session ended when the timeout is raised', async () => {
  await configure({ ...SETTINGS, sessionTimeout: 5 });
  const over = await portal.signIn('user@acme.test');
  portal.clock.advance(5 * 60);
  ({ token } = await portal.signIn(ADMIN));
  await configure({ ...SETTINGS, sessionTimeout: 500 });
  expect((await portal.call(refresh, { body: { refreshToken: over.refreshToken } })).body.resultCode).not.toBe(0);
});

test('treats 0 minutes as no timeout', async () => {
  await configure({ ...SETTINGS, sessionTimeout: 0 });
  const auth = await portal.signIn('user@acme.test');
  portal.clock.advance(400 * 24 * 3_600);
  const renewed = await portal.call(refresh, { body: { refreshToken: auth.refreshToken } });
  expect(await isSignedIn(renewed.body.token)).toBe(true);
});

// covers: spec 2.5.7
test.each([-1, 1.5, 5_256_001, 1e15, '60', 'soon', null])(
  'rejects %s minutes and reports the field',
  async (minutes) => {
    for (const field of ['sessionTimeout', 'maxCookieLife']) {
      const body = { ...SETTINGS, [field]: minutes };
      expect(await configure(body)).toMatchObject({
        status: 400,
        body: { resultName: 'INVALID_REQUEST', issues: [{ path: field, message: expect.any(String) }] },
      });
    }
    expect(await read()).toMatchObject({ sessionTimeout: 720, maxCookieLife: 480, didEnabled: true });
  },
);
