import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { deviceRepo, virtualDeviceRepo } from '@orchestrate/db';
import { codeOf, deleteDevice, HOUR, manageDevice, pending, resolve, SECOND } from '@orchestrate/shared';
import { createDeviceKey, type DeviceState, signDeviceJws } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, outcomeOfCall, setMember, signedCallBody } from '#testing/device.ts';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const ask = (body: { zid?: string; jws: string }) => portal.call(pending, { body });
const seconds = () => Math.floor(portal.clock.now() / 1_000);

test('resolves a sign-in on a device that signs with the platform key store', async () => {
  const { zid, orgCode, privateKeyJwk } = portal.device('user@acme.test');
  const { qid } = await beginQr(portal);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ typ: 'device+jwt', kid: zid, alg: 'ES256' });
  const payload = part({ code: qid, jti: randomUUID(), iat: seconds(), aud: orgCode });
  const key = createPrivateKey({ key: privateKeyJwk, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' });
  const jws = `${header}.${payload}.${signature.toString('base64url')}`;
  const { body } = await portal.call(resolve, { body: { zid, jws } });
  expect(body).toMatchObject({ resultCode: 0, challenge: { kind: 'login', orgName: 'Acme Corporation' } });
});

// covers: spec 2.8.21
test('rejects a call with a missing (REQUESTER_ZID_MISSING) or unknown zid (DEVICE_NOT_TRUSTED)', async () => {
  const phone = portal.device('user@acme.test');
  const { jws } = signedCallBody(portal, phone);
  expect(await ask({ jws })).toMatchObject({ status: 400, body: { resultName: 'REQUESTER_ZID_MISSING' } });
  expect((await ask({ zid: 'unknown', jws })).body.resultName).toBe('DEVICE_NOT_TRUSTED');
});

// covers: security 9.1.2
test('rejects another key, another device’s zid or another organisation (SIGNATURE_MISMATCH)', async () => {
  const phone = portal.device('user@acme.test');
  const other = portal.device('manager@acme.test');
  const forged = { ...phone, privateKeyJwk: createDeviceKey() };
  expect((await ask(signedCallBody(portal, forged))).body.resultName).toBe('SIGNATURE_MISMATCH');
  expect((await ask({ ...signedCallBody(portal, phone), zid: other.zid })).body.resultName).toBe('SIGNATURE_MISMATCH');
  expect((await ask(signedCallBody(portal, { ...phone, zid: other.zid }))).body.resultName).toBe('SIGNATURE_MISMATCH');
  expect((await ask(signedCallBody(portal, phone, {}, { aud: 'globex' }))).body.resultName).toBe('SIGNATURE_MISMATCH');
});

// covers: spec 2.8.15
test('accepts each signature only once, for any command (SIGNATURE_MISMATCH)', async () => {
  const phone = portal.device('user@acme.test');
  const call = signedCallBody(portal, phone);
  expect((await ask(call)).body.resultCode).toBe(0);
  expect((await ask(call)).body.resultName).toBe('SIGNATURE_MISMATCH');
  expect((await ask(signedCallBody(portal, phone, {}, { jti: 'chosen' }))).body.resultCode).toBe(0);
  const again = signedCallBody(portal, phone, { code: 'else' }, { jti: 'chosen' });
  expect((await portal.call(resolve, { body: again })).body.resultName).toBe('SIGNATURE_MISMATCH');
});

test('accepts only one of ten concurrent replays', async () => {
  const call = signedCallBody(portal, portal.device('user@acme.test'));
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(call)));
  expect(answers.filter(({ body }) => body.resultCode === 0)).toHaveLength(1);
});

test('lets two devices use the same jti', async () => {
  for (const email of ['user@acme.test', 'manager@acme.test']) {
    const call = signedCallBody(portal, portal.device(email), {}, { jti: 'same' });
    expect((await ask(call)).body.resultCode).toBe(0);
  }
});

test('accepts a clock that is off by up to a minute, but no more (EXPIRED)', async () => {
  const phone = portal.device('user@acme.test');
  for (const [skew, result] of [
    [-61, 'EXPIRED'],
    [-60, 'SUCCESS'],
    [60, 'SUCCESS'],
    [61, 'EXPIRED'],
  ] as const) {
    const call = signedCallBody(portal, phone, {}, { iat: seconds() + skew });
    expect((await ask(call)).body.resultCode).toBe(codeOf(result));
  }
});

test('remembers a signature until it would be rejected as expired (EXPIRED)', async () => {
  const phone = portal.device('user@acme.test');
  const call = signedCallBody(portal, phone, {}, { iat: seconds() + 60 });
  expect((await ask(call)).body.resultCode).toBe(0);
  portal.clock.advance(120);
  expect((await ask(call)).body.resultName).toBe('SIGNATURE_MISMATCH');
  portal.clock.advance(1);
  expect((await ask(call)).body.resultName).toBe('EXPIRED');
  const countOfRecords = () => portal.deps.db.$client.prepare('SELECT count(*) FROM device_signatures').pluck().get();
  expect(countOfRecords()).toBe(1);
  portal.clock.advance(HOUR / SECOND);
  expect(countOfRecords()).toBe(0);
});

test('rejects missing or malformed claims (INVALID_REQUEST)', async () => {
  const phone = portal.device('user@acme.test');
  const { zid, privateKeyJwk, orgCode } = phone;
  for (const claims of [
    { aud: orgCode, iat: seconds(), jti: '' },
    { aud: orgCode, iat: seconds() + 0.5, jti: randomUUID() },
    { aud: orgCode, iat: seconds(), jti: 'x'.repeat(65) },
  ]) {
    const answer = await ask({ zid, jws: signDeviceJws(claims, privateKeyJwk, zid) });
    expect(answer).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
  }
  const noCode = await portal.call(resolve, { body: signedCallBody(portal, phone) });
  expect(noCode).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
});

/** Signs the manager in with their first phone, and returns their second phone and laptop. */
async function managed() {
  const { token, profile } = await portal.signIn('manager@acme.test');
  const devices = deviceRepo.listRegisteredDevices(portal.deps.db, 'acme', profile.suid);
  const second = devices.find(({ zid, type }) => zid !== profile.zid && type === 'mobile');
  return {
    token,
    suid: profile.suid,
    secondZid: second?.zid ?? '',
    laptop: portal.device('manager@acme.test', 'desktop'),
  };
}

const withZid = (device: DeviceState, zid: string): DeviceState => {
  const found = virtualDeviceRepo.listVirtualDevices(portal.deps.db).find((other) => other.device.zid === zid);
  if (!found) throw new Error(`There is no active device ${zid}.`);
  return { ...device, zid, privateKeyJwk: found.privateKey };
};

// covers: spec 2.8.21
test('rejects paused (DEVICE_INACTIVE), lost and deleted devices (DEVICE_NOT_TRUSTED)', async () => {
  const { token, suid, secondZid, laptop } = await managed();
  const second = withZid(portal.device('manager@acme.test'), secondZid);
  const outcome = (device: DeviceState) => outcomeOfCall(portal.authenticator.pending(device));
  expect(await outcome(second)).toBe('SUCCESS');
  await portal.call(manageDevice, { body: { zid: secondZid, suid, action: 'pause' } }, { token });
  expect(await outcome(second)).toBe('DEVICE_INACTIVE');
  await portal.call(manageDevice, { body: { zid: secondZid, suid, action: 'enable' } }, { token });
  expect(await outcome(second)).toBe('SUCCESS');
  await portal.call(deleteDevice, { body: { zid: secondZid, suid } }, { token });
  expect(await outcome(second)).toBe('DEVICE_NOT_TRUSTED');
  await portal.call(deleteDevice, { body: { zid: laptop.zid, suid } }, { token });
  expect(await outcome(laptop)).toBe('DESKTOP_APP_REMOVED');
  const phone = portal.device('manager@acme.test');
  await portal.call(deleteDevice, { body: { zid: phone.zid, suid, action: 'LOST_DEVICE' } }, { token });
  expect(await outcome(phone)).toBe('DEVICE_NOT_TRUSTED');
});

test('discloses a device’s status only to the key holder', async () => {
  const { token, suid, secondZid } = await managed();
  await portal.call(manageDevice, { body: { zid: secondZid, suid, action: 'pause' } }, { token });
  const forged = { ...portal.device('manager@acme.test'), zid: secondZid, privateKeyJwk: createDeviceKey() };
  expect(await outcomeOfCall(portal.authenticator.pending(forged))).toBe('SIGNATURE_MISMATCH');
});

// covers: spec 2.8.21
test('rejects a disabled member’s device (USER_INACTIVE)', async () => {
  setMember(portal, memberByEmail(portal, 'acme', 'user@acme.test').suid, { accountStatus: 'inactive' });
  const outcome = await outcomeOfCall(portal.authenticator.pending(portal.device('user@acme.test')));
  expect(outcome).toBe('USER_INACTIVE');
});
