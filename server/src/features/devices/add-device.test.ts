import {
  type AppType,
  addDevice,
  addDeviceLive,
  type CodeKind,
  codeOf,
  deleteDevice,
  getUser,
  manageDevice,
  pair,
  pairStatus,
  readOutbox,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { createDeviceKey, type Pairing, publicKeyOf, signDeviceJws } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, outcomeOfCall, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const TABLET = { name: 'Galaxy Tab', type: 'mobile' as const, platform: 'Android 16' };
const LAPTOP = { name: 'New laptop', type: 'desktop' as const, platform: 'Windows 11' };

async function adding(email = 'user@acme.test') {
  const { token, profile } = await portal.signIn(email);
  const { suid, orgId: orgCode } = profile;
  const code = (type: CodeKind, mode: AppType = 'mobile') =>
    portal.call(addDevice, { body: { suid, type, mode } }, { token });
  const begin = async (type: CodeKind, mode: AppType = 'mobile') => {
    const { aid } = (await code(type, mode)).body;
    const live = await portal.open(addDeviceLive, { suid, aid }, { token });
    expect(await live.next()).toMatchObject({ op: 'add-device', respType: 'start', resultCode: 0 });
    const sendConfirmation = (confirm: 'yes' | 'no', validationCode?: string) =>
      live.send({ action: 'add-device', type: 'confirm', aid, confirm, ...(validationCode && { validationCode }) });
    return { aid, live, sendConfirmation };
  };
  const connect = (aid: string, device: typeof TABLET | typeof LAPTOP = TABLET) =>
    portal.authenticator.pair({ orgCode, aid, device });
  return { token, suid, code, begin, connect };
}

const progress = (pairing: Pairing) => portal.authenticator.pairStatus(pairing);
const connecting = (orgCode: string, aid: string, device: typeof TABLET | typeof LAPTOP = TABLET) =>
  outcomeOfCall(portal.authenticator.pair({ orgCode, aid, device }));

// covers: spec 1.4.8
test('adds a device that scanned the code, and emails its owner', async () => {
  const { begin, connect, token } = await adding();
  const { aid, live, sendConfirmation } = await begin('QID');
  const pairing = await connect(aid);
  expect(pairing.verificationCode).toBeUndefined();
  expect(await live.next()).toMatchObject({ respType: 'notify', resultCode: 0, deviceName: 'Galaxy Tab' });
  expect(await progress(pairing)).toMatchObject({ status: 'notify' });
  sendConfirmation('yes');
  expect(await live.next()).toMatchObject({ respType: 'complete', resultCode: 0, deviceName: 'Galaxy Tab' });
  const { status, device } = await progress(pairing);
  expect(status).toBe('complete');
  if (!device) throw new Error('A complete pairing has a device.');
  expect(await portal.authenticator.pending(device)).toEqual([]);
  const { devices } = (await portal.call(getUser, { query: {} }, { token })).body;
  expect(devices.map(({ name, status }) => [name, status])).toEqual([
    ['Galaxy Tab', 'active'],
    ['Pixel 9a', 'active'],
  ]);
  const { messages } = (await portal.call(readOutbox, { query: { to: 'user@acme.test' } })).body;
  expect(messages[0]).toMatchObject({ subject: 'New device: Galaxy Tab' });
});

// covers: spec 1.7.28
test('requires the two characters displayed on the device after a typed code', async () => {
  const { begin, connect } = await adding();
  const { aid, live, sendConfirmation } = await begin('DID');
  expect(aid).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
  const pairing = await connect(`${aid.slice(0, 4).toLowerCase()} ${aid.slice(4)}`);
  expect(pairing.verificationCode).toMatch(/^[2-9A-HJKMNP-Z]{2}$/);
  expect(await live.next()).toMatchObject({ respType: 'notify' });
  sendConfirmation('yes', pairing.verificationCode?.toLowerCase());
  expect(await live.next()).toMatchObject({ respType: 'complete' });
  expect(await progress(pairing)).toMatchObject({ status: 'complete', resultCode: 0 });
});

// covers: spec 2.8.22
test('ends the attempt after one wrong code (INVALID_VALIDATION_CODE)', async () => {
  const { begin, connect } = await adding();
  const { aid, live, sendConfirmation } = await begin('DID');
  const pairing = await connect(aid);
  await live.next();
  sendConfirmation('yes', pairing.verificationCode === 'AA' ? 'BB' : 'AA');
  expect(await live.next()).toMatchObject({ respType: 'confirm', resultCode: codeOf('INVALID_VALIDATION_CODE') });
  sendConfirmation('yes', pairing.verificationCode);
  expect(await live.next()).toMatchObject({ respType: 'confirm', resultCode: codeOf('INVALID_VALIDATION_CODE') });
  expect(await progress(pairing)).toMatchObject({ status: 'denied', resultCode: codeOf('INVALID_VALIDATION_CODE') });
  expect(await connecting('acme', aid)).toBe('EXPIRED');
});

// covers: spec 2.8.22
test('ends the attempt on cancel (ADD_DEVICE_NO_CONSENT), and a new code starts another', async () => {
  const { begin, connect } = await adding();
  const { aid, live, sendConfirmation } = await begin('QID');
  const pairing = await connect(aid);
  await live.next();
  sendConfirmation('no');
  expect(await live.next()).toMatchObject({ respType: 'confirm', resultCode: codeOf('ADD_DEVICE_NO_CONSENT') });
  expect(await progress(pairing)).toMatchObject({ status: 'denied', resultCode: codeOf('ADD_DEVICE_NO_CONSENT') });
  const again = await begin('QID');
  expect(again.aid).not.toBe(aid);
  expect(await connecting('acme', again.aid)).toBe('SUCCESS');
});

// covers: spec 2.8.22
test('reports a confirmation as too early if no device has connected (VCODE_NOT_FOUND)', async () => {
  const { begin, connect } = await adding();
  const { aid, live, sendConfirmation } = await begin('DID');
  sendConfirmation('yes', 'AB');
  expect(await live.next()).toMatchObject({ respType: 'start', resultCode: codeOf('VCODE_NOT_FOUND') });
  const pairing = await connect(aid);
  expect(await live.next()).toMatchObject({ respType: 'notify', resultCode: 0 });
  sendConfirmation('yes', pairing.verificationCode);
  expect(await live.next()).toMatchObject({ respType: 'complete' });
});

// covers: spec 1.4.9
test('reports an expired code, whether unused or waiting for its second code', async () => {
  const { begin, connect } = await adding();
  const unused = await begin('QID');
  portal.clock.advance(119);
  const typed = await begin('DID');
  const pairing = await connect(typed.aid);
  await typed.live.next();
  portal.clock.advance(1);
  expect(await unused.live.next()).toMatchObject({ respType: 'code-expired', resultCode: codeOf('EXPIRED') });
  portal.clock.advance(58);
  typed.sendConfirmation('no');
  expect(await typed.live.next()).toMatchObject({ respType: 'confirm', resultCode: codeOf('ADD_DEVICE_NO_CONSENT') });
  const late = await begin('DID');
  const latePairing = await connect(late.aid);
  await late.live.next();
  portal.clock.advance(60);
  expect(await late.live.next()).toMatchObject({ respType: 'code-expired', resultCode: codeOf('EXPIRED') });
  late.sendConfirmation('yes', latePairing.verificationCode);
  expect(await late.live.next()).toMatchObject({ respType: 'code-expired', resultCode: codeOf('EXPIRED') });
  expect(await progress(latePairing)).toMatchObject({ status: 'expired', resultCode: codeOf('EXPIRED') });
  expect(await progress(pairing)).toMatchObject({ status: 'denied', resultCode: codeOf('ADD_DEVICE_NO_CONSENT') });
});

// covers: spec 1.7.18
test('replaces only the previous code of the same type', async () => {
  const { begin } = await adding();
  const scanned = await begin('QID');
  const typed = await begin('DID');
  await begin('QID', 'desktop');
  expect(await scanned.live.next()).toMatchObject({ respType: 'code-expired', resultCode: codeOf('EXPIRED') });
  expect(await connecting('acme', scanned.aid)).toBe('EXPIRED');
  expect(await connecting('acme', typed.aid)).toBe('SUCCESS');
});

test('reserves the code for the first device, which can retry, and rejects a second (EXPIRED)', async () => {
  const { begin, connect } = await adding();
  const { aid } = await begin('QID');
  const key = createDeviceKey();
  const proof = (jti: string) =>
    signDeviceJws({ aud: 'acme', iat: Math.floor(portal.clock.now() / 1_000), jti, aid }, key);
  const request = { orgCode: 'acme', aid, device: TABLET, publicKey: publicKeyOf(key) };
  const first = await portal.call(pair, { body: { ...request, proof: proof('one') } });
  const again = await portal.call(pair, { body: { ...request, proof: proof('two') } });
  expect(again.body).toEqual(first.body);
  expect(await outcomeOfCall(connect(aid))).toBe('EXPIRED');
});

// covers: spec 1.4.11
test('sends the whole state in the first message after a reconnect', async () => {
  const { begin, connect, suid, token } = await adding();
  const { aid, live } = await begin('QID');
  live.close();
  await live.closed;
  await connect(aid);
  const after = await portal.open(addDeviceLive, { suid, aid }, { token });
  expect(await after.next()).toMatchObject({ respType: 'notify', deviceName: 'Galaxy Tab' });
});

test('opens no channel for unknown codes or other members’ codes (404)', async () => {
  const { suid, begin } = await adding();
  const { aid } = await begin('QID');
  const other = await adding('manager@acme.test');
  const foreign = await adding('admin@globex.test');
  for (const [query, token] of [
    [{ suid, aid: 'unknown' }, other.token],
    [{ suid: other.suid, aid }, other.token],
    [{ suid, aid }, other.token],
    [{ suid: foreign.suid, aid }, foreign.token],
  ] as const) {
    await expect(portal.open(addDeviceLive, query, { token })).rejects.toMatchObject({ status: 404 });
  }
  await expect(portal.open(addDeviceLive, { suid, aid })).rejects.toMatchObject({ status: 401 });
});

test('closes the channel, but doesn’t end the attempt, on a malformed or mismatched message', async () => {
  const { begin, connect, suid, token } = await adding();
  const { aid, live } = await begin('QID');
  const rude = await portal.open(addDeviceLive, { suid, aid }, { token });
  rude.sendRaw('{"action":"add-device","confirm":"maybe"}');
  expect(await rude.closed).toMatchObject({ code: 1008 });
  const mistaken = await portal.open(addDeviceLive, { suid, aid }, { token });
  mistaken.send({ action: 'add-device', type: 'confirm', aid: 'another', confirm: 'no' });
  expect(await mistaken.closed).toMatchObject({ code: 1008 });
  await connect(aid);
  expect(await live.next()).toMatchObject({ respType: 'notify' });
});

test('adds one device for two concurrent confirmations', async () => {
  const { begin, connect, suid, token } = await adding();
  const { aid, live, sendConfirmation } = await begin('QID');
  const second = await portal.open(addDeviceLive, { suid, aid }, { token });
  await connect(aid);
  await live.next();
  sendConfirmation('yes');
  second.send({ action: 'add-device', type: 'confirm', aid, confirm: 'yes' });
  expect(await live.next()).toMatchObject({ respType: 'complete' });
  const { devices } = (await portal.call(getUser, { query: {} }, { token })).body;
  expect(devices).toHaveLength(2);
});

// covers: spec 2.8.22, security 2.3.2
test('counts paused devices towards the limit at every step (DEVICE_ADD_LIMIT_REACHED)', async () => {
  const full = await adding('security.admin@acme.test');
  expect((await full.code('QID')).body.resultCode).toBe(codeOf('DEVICE_ADD_LIMIT_REACHED'));
  setOrganisation(portal, 'acme', { deviceLimit: 3 });
  const { begin, connect } = await adding('user@acme.test');
  const first = await begin('QID');
  const second = await begin('DID');
  const pairing = await connect(second.aid);
  await second.live.next();
  setOrganisation(portal, 'acme', { deviceLimit: 1 });
  expect(await connecting('acme', first.aid)).toBe('DEVICE_ADD_LIMIT_REACHED');
  second.sendConfirmation('yes', pairing.verificationCode);
  expect(await second.live.next()).toMatchObject({
    respType: 'limit-reached',
    resultCode: codeOf('DEVICE_ADD_LIMIT_REACHED'),
  });
  expect(await progress(pairing)).toMatchObject({ status: 'denied', resultCode: codeOf('DEVICE_ADD_LIMIT_REACHED') });
});

// covers: spec 1.7.31
test('issues no code for an app that is disabled for the member or the organisation', async () => {
  const { code, suid } = await adding();
  setMember(portal, suid, { hasPermissionForMobileApp: 0, hasPermissionForWindowsApp: 0 });
  expect((await code('QID', 'mobile')).body.resultName).toBe('MOBILE_APP_NOT_ENABLED');
  expect((await code('DID', 'desktop')).body.resultName).toBe('DESKTOP_APP_NOT_ENABLED');
  setMember(portal, suid, { hasPermissionForMobileApp: 1, hasPermissionForWindowsApp: 1 });
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0, desktopAppEnabled: 0 });
  expect((await code('QID', 'mobile')).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
  expect((await code('DID', 'desktop')).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
});

test('rejects the device if a permission was removed after the code was created', async () => {
  const { begin, suid } = await adding();
  const { aid } = await begin('QID');
  setMember(portal, suid, { hasPermissionForMobileApp: 0 });
  expect(await connecting('acme', aid)).toBe('MOBILE_APP_NOT_ENABLED');
  setMember(portal, suid, { hasPermissionForMobileApp: 1 });
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect(await connecting('acme', aid)).toBe('AUTHENTICATOR_DISALLOWED');
  setOrganisation(portal, 'acme', { mobileAppEnabled: 1 });
  setMember(portal, suid, { accountStatus: 'inactive' });
  expect(await connecting('acme', aid)).toBe('USER_INACTIVE');
  const desktop = await adding('manager@acme.test');
  const code = await desktop.begin('QID', 'desktop');
  setMember(portal, desktop.suid, { hasPermissionForWindowsApp: 0 });
  expect(await connecting('acme', code.aid, LAPTOP)).toBe('DESKTOP_APP_NOT_ENABLED');
});

test('doesn’t add a desktop with a phone code (AUTHENTICATOR_DISALLOWED)', async () => {
  const { begin } = await adding();
  expect(await connecting('acme', (await begin('QID', 'mobile')).aid, LAPTOP)).toBe('AUTHENTICATOR_DISALLOWED');
  expect(await connecting('acme', (await begin('QID', 'desktop')).aid, LAPTOP)).toBe('SUCCESS');
});

test('rejects a key that is already active in the organisation (ORG_ALREADY_ENABLED)', async () => {
  const { begin } = await adding();
  const { aid } = await begin('QID');
  const { privateKeyJwk: key } = portal.device('manager@acme.test');
  const claims = { aud: 'acme', iat: Math.floor(portal.clock.now() / 1_000), jti: 'again', aid };
  const body = { orgCode: 'acme', aid, device: TABLET, publicKey: publicKeyOf(key), proof: signDeviceJws(claims, key) };
  expect((await portal.call(pair, { body })).body.resultName).toBe('ORG_ALREADY_ENABLED');
});

test('adds one device for one key connected with two codes', async () => {
  const { begin } = await adding();
  const key = createDeviceKey();
  const connectTo = async ({ aid, live }: Awaited<ReturnType<typeof begin>>) => {
    const claims = { aud: 'acme', iat: Math.floor(portal.clock.now() / 1_000), jti: aid, aid };
    const body = {
      orgCode: 'acme',
      aid,
      device: TABLET,
      publicKey: publicKeyOf(key),
      proof: signDeviceJws(claims, key),
    };
    const { verificationCode } = (await portal.call(pair, { body })).body;
    await live.next();
    return verificationCode;
  };
  const scanned = await begin('QID');
  const typed = await begin('DID');
  await connectTo(scanned);
  const verificationCode = await connectTo(typed);
  scanned.sendConfirmation('yes');
  expect(await scanned.live.next()).toMatchObject({ respType: 'complete' });
  typed.sendConfirmation('yes', verificationCode);
  expect(await typed.live.next()).toMatchObject({ respType: 'confirm', resultCode: codeOf('ORG_ALREADY_ENABLED') });
});

test('lets a removed device be added again as a new device', async () => {
  const { begin, token, suid } = await adding('manager@acme.test');
  const { zid, privateKeyJwk: key } = portal.device('manager@acme.test', 'desktop');
  await portal.call(deleteDevice, { body: { zid, suid } }, { token });
  const { aid, live, sendConfirmation } = await begin('QID', 'desktop');
  const claims = { aud: 'acme', iat: Math.floor(portal.clock.now() / 1_000), jti: 'again', aid };
  const body = { orgCode: 'acme', aid, device: LAPTOP, publicKey: publicKeyOf(key), proof: signDeviceJws(claims, key) };
  expect((await portal.call(pair, { body })).body.resultCode).toBe(0);
  await live.next();
  sendConfirmation('yes');
  expect(await live.next()).toMatchObject({ respType: 'complete' });
});

// covers: spec 2.8.15
test('requires a code (AID_MISSING) and a recent signature by the device key (EXPIRED)', async () => {
  const { begin } = await adding();
  const { aid } = await begin('QID');
  const key = createDeviceKey();
  const iat = Math.floor(portal.clock.now() / 1_000);
  const resultOf = async (claims: object, signer = key, orgCode = 'acme') => {
    const proof = signDeviceJws({ aud: 'acme', iat, jti: crypto.randomUUID(), aid, ...claims }, signer);
    return (await portal.call(pair, { body: { orgCode, aid, device: TABLET, publicKey: publicKeyOf(key), proof } }))
      .body.resultCode;
  };
  expect(await resultOf({}, createDeviceKey())).toBe(4);
  expect(await resultOf({ aud: 'globex' })).toBe(4);
  expect(await resultOf({ aid: 'another' })).toBe(4);
  expect(await resultOf({ iat: iat - 61 })).toBe(10);
  expect(await resultOf({}, key, 'nowhere')).toBe(18);
  expect(await resultOf({ aud: 'globex' }, key, 'globex')).toBe(10);
  expect(await resultOf({})).toBe(0);
  const { body } = await portal.http.post(`/api${pair.path}`).send({ orgCode: 'acme', device: TABLET });
  expect(body).toMatchObject({ resultName: 'AID_MISSING' });
});

test('discloses the pairing state only to the pairing key (SIGNATURE_MISMATCH)', async () => {
  const { begin, connect } = await adding();
  const pairing = await connect((await begin('QID')).aid);
  const outsider = { ...pairing, privateKeyJwk: createDeviceKey() };
  expect(await outcomeOfCall(progress(outsider))).toBe('SIGNATURE_MISMATCH');
  expect(await outcomeOfCall(progress({ ...pairing, pairingId: 'unknown' }))).toBe('ID_DOESNOT_EXIST');
  const claims = { aud: 'acme', iat: Math.floor(portal.clock.now() / 1_000), jti: 'one', pairingId: 'another' };
  const body = { pairingId: pairing.pairingId, jws: signDeviceJws(claims, pairing.privateKeyJwk) };
  expect((await portal.call(pairStatus, { body })).body.resultName).toBe('SIGNATURE_MISMATCH');
});

test('lets the member pause the old phone once a new phone is added', async () => {
  const { begin, connect, suid } = await adding();
  const { aid, live, sendConfirmation } = await begin('QID');
  await connect(aid);
  await live.next();
  sendConfirmation('yes');
  await live.next();
  const admin = await portal.signIn('super.admin@acme.test');
  const body = { zid: portal.device('user@acme.test').zid, suid, action: 'pause' as const };
  expect((await portal.call(manageDevice, { body }, { token: admin.token })).body.resultCode).toBe(0);
});

// covers: spec 1.3.13
test('returns the valid activation code with a desktop’s add-device code', async () => {
  const { code, token } = await adding();
  expect((await code('QID', 'desktop')).body.activationCode).toBeUndefined();
  const { primaryAttr } = memberByEmail(portal, 'acme', 'user@acme.test');
  const body = { email: 'user@acme.test', primaryAttr, type: 'desktop' as const };
  const { activationCode } = (await portal.call(regenerateActivationCode, { body }, { token })).body;
  expect((await code('QID', 'desktop')).body.activationCode).toBe(activationCode);
  expect((await code('QID', 'mobile')).body.activationCode).toBeUndefined();
});

test('refuses to create codes for other members’ devices (INVALID_PERMISSIONS)', async () => {
  const { token } = await adding('super.admin@acme.test');
  const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
  const refused = await portal.call(addDevice, { body: { suid, type: 'QID', mode: 'mobile' } }, { token });
  expect(refused).toMatchObject({ status: 403, body: { resultName: 'INVALID_PERMISSIONS' } });
});
