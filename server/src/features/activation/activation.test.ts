import {
  type AppType,
  activate,
  emailActivationCode,
  getActivationCode,
  getUser,
  readOutbox,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { createDeviceKey, publicKeyOf, signDeviceJws } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, outcomeOfCall, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const NEWCOMER = 'mara.lindholm@acme.test';
const OTHER_NEWCOMER = 'amara.okafor@acme.test';
const PHONE = { name: 'First phone', type: 'mobile' as const, platform: 'Android 16' };
const LAPTOP = { name: 'First laptop', type: 'desktop' as const, platform: 'Windows 11' };

const issuing = async (email: string, type: AppType = 'mobile', sendEmail = false, by = 'super.admin@acme.test') => {
  const { token } = await portal.signIn(by);
  const { primaryAttr } = memberByEmail(portal, 'acme', email);
  return portal.call(regenerateActivationCode, { body: { email, primaryAttr, type, sendEmail } }, { token });
};
const issue = async (email: string, type?: AppType) => (await issuing(email, type)).body.activationCode;
const activating = (email: string, activationCode: string, device: typeof PHONE | typeof LAPTOP = PHONE) =>
  outcomeOfCall(portal.authenticator.activate({ orgCode: 'acme', email, activationCode, device }));
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');

test('registers a new member’s first device with a code, activates them and lets them sign in', async () => {
  const code = await issue(NEWCOMER);
  expect(code).toMatch(/^\d{6}$/);
  const { device, profile } = await portal.authenticator.activate({
    orgCode: 'acme',
    email: NEWCOMER.toUpperCase(),
    activationCode: `${code.slice(0, 3)} ${code.slice(3)}`,
    device: PHONE,
  });
  expect(profile).toMatchObject({
    email: NEWCOMER,
    active: true,
    zid: device.zid,
    roleName: 'Org User',
    orgId: 'acme',
  });
  expect(device).toMatchObject({ orgName: 'Acme Corporation', suid: profile.suid });
  expect(await portal.authenticator.pending(device)).toEqual([]);
  expect(memberByEmail(portal, 'acme', NEWCOMER).accountStatus).toBe('active');
  const { messages } = (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body;
  expect(messages[0]).toMatchObject({ subject: 'New device: First phone' });
});

// covers: security 6.5.1
test('accepts a code only once (ACTIVATION_CODE_NOT_FOUND)', async () => {
  const code = await issue(NEWCOMER);
  expect(await activating(NEWCOMER, code)).toBe('SUCCESS');
  expect(await activating(NEWCOMER, code)).toBe('ACTIVATION_CODE_NOT_FOUND');
});

// covers: security 2.3.4
test('registers exactly one device when a code is used in five concurrent activations', async () => {
  const code = await issue(NEWCOMER);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => activating(NEWCOMER, code)));
  expect(outcomes.filter((outcome) => outcome === 'SUCCESS')).toHaveLength(1);
});

// covers: spec 1.7.12, security 6.4.1
test('replaces the previous code with a new code that is valid for a day (EXPIRED)', async () => {
  const first = await issue(NEWCOMER);
  const second = await issue(NEWCOMER);
  if (first !== second) expect(await activating(NEWCOMER, first)).toBe('ACTIVATION_CODE_MISMATCH');
  portal.clock.advance(24 * 3_600 - 1);
  expect(await activating(NEWCOMER, wrongFor(second))).toBe('ACTIVATION_CODE_MISMATCH');
  portal.clock.advance(1);
  expect(await activating(NEWCOMER, second)).toBe('EXPIRED');
});

// covers: spec 1.4.30, spec 2.8.19
test('locks the code after five wrong attempts (ACCOUNT_LOCKED) until a new code is issued', async () => {
  const code = await issue(NEWCOMER);
  for (let tries = 0; tries < 5; tries++) {
    expect(await activating(NEWCOMER, wrongFor(code))).toBe('ACTIVATION_CODE_MISMATCH');
  }
  expect(await activating(NEWCOMER, code)).toBe('ACCOUNT_LOCKED');
  portal.clock.advance(25 * 3_600);
  expect(await activating(NEWCOMER, code)).toBe('ACCOUNT_LOCKED');
  expect(await activating(NEWCOMER, await issue(NEWCOMER))).toBe('SUCCESS');
});

test('counts five of ten concurrent wrong codes and refuses the other five as locked', async () => {
  const code = await issue(NEWCOMER);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => activating(NEWCOMER, wrongFor(code))));
  expect(outcomes.filter((outcome) => outcome === 'ACTIVATION_CODE_MISMATCH')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'ACCOUNT_LOCKED')).toHaveLength(5);
});

test('counts another person’s code as a wrong attempt (ACTIVATION_CODE_MISMATCH)', async () => {
  await issue(NEWCOMER);
  const others = await issue(OTHER_NEWCOMER);
  for (let tries = 0; tries < 5; tries++) expect(await activating(NEWCOMER, others)).toBe('ACTIVATION_CODE_MISMATCH');
  expect(await activating(NEWCOMER, others)).toBe('ACCOUNT_LOCKED');
  expect(await activating(OTHER_NEWCOMER, others)).toBe('SUCCESS');
});

// covers: spec 2.8.16
test('refuses to issue a code if the address isn’t the member’s (EMAIL_OR_CODE_MISMATCH)', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const mailed = async () => (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body.messages.length;
  const before = await mailed();
  for (const entry of [regenerateActivationCode, emailActivationCode]) {
    const ask = (email: string) =>
      portal.call(entry, { body: { email, primaryAttr, type: 'mobile', sendEmail: true } }, { token });
    expect((await ask(OTHER_NEWCOMER)).body.resultName).toBe('EMAIL_OR_CODE_MISMATCH');
    expect((await ask('mara.before@acme.test')).body.resultName).toBe('EMAIL_OR_CODE_MISMATCH');
    const unnamed = await portal.http
      .post(`/api${entry.path}`)
      .auth(token, { type: 'bearer' })
      .send({ primaryAttr, type: 'mobile', sendEmail: true });
    expect(unnamed.body).toMatchObject({ resultName: 'ORG_EMAIL_NOT_PROVIDED', issues: [{ path: 'email' }] });
  }
  expect(await mailed()).toBe(before);
  const body = { email: NEWCOMER.toUpperCase(), primaryAttr, type: 'mobile' as const };
  expect((await portal.call(regenerateActivationCode, { body }, { token })).body.resultCode).toBe(0);
});

// covers: spec 2.8.16
test('refuses unknown members, codes (ACTIVATION_CODE_NOT_FOUND) and organisations', async () => {
  expect(await activating('nobody@acme.test', '123456')).toBe('ORG_EMAIL_NOT_FOUND');
  expect(await activating('admin@globex.test', '123456')).toBe('ORG_EMAIL_NOT_FOUND');
  expect(await activating('margot.ito@acme.test', '123456')).toBe('ORG_EMAIL_NOT_FOUND');
  expect(await activating('user@acme.test', '123456')).toBe('ACTIVATION_CODE_NOT_FOUND');
  const elsewhere = portal.authenticator.activate({
    orgCode: 'nowhere',
    email: NEWCOMER,
    activationCode: '123456',
    device: PHONE,
  });
  expect(await outcomeOfCall(elsewhere)).toBe('ORG_CODE_NOT_FOUND');
});

// covers: spec 2.8.19
test('refuses a missing address (ORG_EMAIL_NOT_PROVIDED) or code (ACTIVATION_CODE_NOT_PROVIDED)', async () => {
  const post = async (body: object) => (await portal.http.post(`/api${activate.path}`).send(body)).body;
  expect(await post({ orgCode: 'acme', activationCode: '123456' })).toMatchObject({
    resultName: 'ORG_EMAIL_NOT_PROVIDED',
  });
  expect(await post({ orgCode: 'acme', email: NEWCOMER })).toMatchObject({
    resultName: 'ACTIVATION_CODE_NOT_PROVIDED',
  });
  expect(await post({ email: NEWCOMER, activationCode: '123456' })).toMatchObject({ resultName: 'ORG_MISSING' });
});

test('does not use up the code if the device is refused', async () => {
  const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
  const code = await issue(NEWCOMER);
  const blocked = (member: object, organisation: object = {}) => {
    setMember(portal, suid, { hasPermissionForMobileApp: 1, accountStatus: 'unregistered', ...member });
    setOrganisation(portal, 'acme', { mobileAppEnabled: 1, deviceLimit: 5, ...organisation });
    return activating(NEWCOMER, code);
  };
  expect(await blocked({ hasPermissionForMobileApp: 0 })).toBe('MOBILE_APP_NOT_ENABLED');
  expect(await blocked({}, { mobileAppEnabled: 0 })).toBe('AUTHENTICATOR_DISALLOWED');
  expect(await blocked({}, { deviceLimit: 0 })).toBe('DEVICE_ADD_LIMIT_REACHED');
  expect(await blocked({ accountStatus: 'unverified' })).toBe('MOBILE_UNVERIFIED');
  expect(await blocked({ accountStatus: 'inactive' })).toBe('USER_INACTIVE');
  expect(await blocked({})).toBe('SUCCESS');
});

test('issues no code for an app that is switched off (AUTHENTICATOR_DISALLOWED)', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const mailed = async () => (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body.messages.length;
  const before = await mailed();
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0, desktopAppEnabled: 0 });
  for (const entry of [regenerateActivationCode, emailActivationCode]) {
    for (const type of ['mobile', 'desktop'] as const) {
      const body = { email: NEWCOMER, primaryAttr, type, sendEmail: true };
      expect((await portal.call(entry, { body }, { token })).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
    }
  }
  expect(await mailed()).toBe(before);
});

// covers: spec 2.8.20
test('activates a desktop with a desktop code, if permitted (DESKTOP_APP_NOT_ENABLED)', async () => {
  const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
  const code = await issue(NEWCOMER, 'desktop');
  expect(await activating(NEWCOMER, code, PHONE)).not.toBe('SUCCESS');
  setMember(portal, suid, { hasPermissionForWindowsApp: 0 });
  expect(await activating(NEWCOMER, code, LAPTOP)).toBe('DESKTOP_APP_NOT_ENABLED');
  setMember(portal, suid, { hasPermissionForWindowsApp: 1 });
  expect(await activating(NEWCOMER, code, LAPTOP)).toBe('SUCCESS');
});

// covers: spec 2.8.20, security 9.2.3, security 9.2.4
test('requires an unused key (ORG_ALREADY_ENABLED) and a recent, matching proof (EXPIRED)', async () => {
  const activationCode = await issue(NEWCOMER);
  const iat = Math.floor(portal.clock.now() / 1_000);
  const resultOf = async (claims: object, key = createDeviceKey(), signer = key) => {
    const proof = signDeviceJws({ aud: 'acme', iat, jti: crypto.randomUUID(), email: NEWCOMER, ...claims }, signer);
    const publicKey = publicKeyOf(key);
    const body = { orgCode: 'acme', email: NEWCOMER, activationCode, device: PHONE, publicKey, proof };
    return (await portal.call(activate, { body })).body.resultCode;
  };
  expect(await resultOf({}, portal.device('user@acme.test').privateKeyJwk)).toBe(17);
  expect(await resultOf({}, createDeviceKey(), createDeviceKey())).toBe(4);
  expect(await resultOf({ aud: 'globex' })).toBe(4);
  expect(await resultOf({ email: 'somebody@acme.test' })).toBe(4);
  expect(await resultOf({ iat: iat + 61 })).toBe(10);
  const key = createDeviceKey();
  expect(await resultOf({ jti: 'one', email: 'somebody@acme.test' }, key)).toBe(4);
  expect(await resultOf({ jti: 'one' }, key)).toBe(4);
  expect(await resultOf({}, key)).toBe(0);
});

// covers: security 11.6.1
test('refuses key coordinates that aren’t on the curve (SIGNATURE_MISMATCH)', async () => {
  const key = createDeviceKey();
  const claims = { aud: 'acme', iat: Math.floor(portal.clock.now() / 1_000), jti: 'one', email: NEWCOMER };
  const publicKey = { ...publicKeyOf(key), y: key.x };
  const body = {
    orgCode: 'acme',
    email: NEWCOMER,
    activationCode: '123456',
    device: PHONE,
    publicKey,
    proof: signDeviceJws(claims, key),
  };
  expect((await portal.call(activate, { body })).body.resultName).toBe('SIGNATURE_MISMATCH');
});

// covers: spec 2.8.19
test('refuses codes for members who are disabled (USER_INACTIVE) or active (USER_ALREADY_ACTIVE)', async () => {
  expect((await issuing('user@acme.test')).body.resultName).toBe('USER_ALREADY_ACTIVE');
  expect((await issuing('user@acme.test', 'desktop')).body.resultCode).toBe(0);
  expect((await issuing('omar.hassan@acme.test')).body.resultName).toBe('USER_INACTIVE');
  expect(await issuing('margot.ito@acme.test')).toMatchObject({
    status: 404,
    body: { resultName: 'ID_DOESNOT_EXIST' },
  });
  const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
  setMember(portal, suid, { hasPermissionForMobileApp: 0, hasPermissionForWindowsApp: 0 });
  expect((await issuing(NEWCOMER, 'mobile')).body.resultName).toBe('MOBILE_APP_NOT_ENABLED');
  expect((await issuing(NEWCOMER, 'desktop')).body.resultName).toBe('DESKTOP_APP_NOT_ENABLED');
});

// covers: spec 1.1.8
test('displays an issued code, which is valid for a day, and emails it only on request', async () => {
  const { messages: before } = (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body;
  const { body } = await issuing(NEWCOMER);
  expect(body).toEqual({
    resultCode: 0,
    activationCode: expect.stringMatching(/^\d{6}$/),
    activationExpiry: portal.clock.iso(portal.clock.now() + 24 * 3_600_000),
    activationExpired: false,
    activationLocked: false,
  });
  // Compare only the IDs. The earlier email's stored text no longer contains its code, which is now invalid. The new
  // code isn't emailed.
  const { messages: after } = (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body;
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const mailed = (await issuing(NEWCOMER, 'mobile', true)).body.activationCode;
  const { messages } = (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body;
  expect(messages).toHaveLength(before.length + 1);
  expect(messages[0]).toMatchObject({ subject: 'Your activation code for Acme Corporation', code: mailed });
  expect(messages[0]?.text).toContain(mailed);
  expect(messages[0]?.html).toContain(mailed);
});

// covers: spec 1.6.9, security 6.4.3, security 6.4.4
test('requires permissions to issue and email codes, except for a member’s own desktop code', async () => {
  const callCenter = 'callcenter.admin@acme.test';
  expect((await issuing(NEWCOMER, 'mobile', true, callCenter)).body.resultCode).toBe(0);
  expect((await issuing(NEWCOMER, 'desktop', false, callCenter)).status).toBe(403);
  expect((await issuing(NEWCOMER, 'mobile', false, 'security.admin@acme.test')).status).toBe(403);
  expect((await issuing('user@acme.test', 'mobile', false, 'user@acme.test')).status).toBe(403);
  expect((await issuing('user@acme.test', 'desktop', false, 'user@acme.test')).body.resultCode).toBe(0);
  const mailed = await issuing('user@acme.test', 'desktop', true, 'user@acme.test');
  expect(mailed).toMatchObject({ status: 403, body: { resultName: 'INVALID_PERMISSIONS' } });
});

test('hides codes of members with more permissions, even if emailed (INVALID_PERMISSIONS)', async () => {
  const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
  setMember(portal, suid, { roleCode: 'SUPER_ADMIN' });
  const callCenter = 'callcenter.admin@acme.test';
  expect(await issuing(NEWCOMER, 'mobile', false, callCenter)).toMatchObject({
    status: 403,
    body: { resultName: 'INVALID_PERMISSIONS' },
  });
  expect((await issuing(NEWCOMER, 'mobile', true, callCenter)).body).toMatchObject({
    resultCode: 0,
    activationCode: '',
    activationExpired: false,
  });
  const { messages } = (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body;
  expect(await activating(NEWCOMER, messages[0]?.code ?? '')).toBe('SUCCESS');
  expect((await issuing(NEWCOMER, 'desktop')).body.activationCode).toMatch(/^\d{6}$/);
});

test('treats a member of another organisation as unknown', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail(portal, 'globex', 'hugo.lemaitre@globex.test');
  const body = { email: 'hugo.lemaitre@globex.test', primaryAttr, type: 'mobile' as const };
  const answer = await portal.call(regenerateActivationCode, { body }, { token });
  expect(answer).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
});

// covers: spec 1.3.10, spec 1.7.14
test('lets members read their own desktop activation data: none, valid, locked, used', async () => {
  const { token } = await portal.signIn('user@acme.test');
  const own = async () => (await portal.call(getActivationCode, {}, { token })).body;
  const none = { activationCode: '', activationExpiry: null, activationExpired: true, activationLocked: false };
  expect(await own()).toMatchObject(none);
  const code = await issue('user@acme.test', 'desktop');
  expect(await own()).toMatchObject({ activationCode: code, activationExpired: false, activationLocked: false });
  for (let tries = 0; tries < 5; tries++) await activating('user@acme.test', wrongFor(code), LAPTOP);
  expect(await own()).toMatchObject({ activationLocked: true });
  const next = await issue('user@acme.test', 'desktop');
  expect(await activating('user@acme.test', next, LAPTOP)).toBe('SUCCESS');
  expect(await own()).toMatchObject(none);
  const { profile } = (await portal.call(getUser, { query: {} }, { token })).body;
  expect(profile.deviceCount).toBe(2);
});
