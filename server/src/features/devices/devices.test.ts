import { deviceRepo } from '@orchestrate/db';
import {
  codeOf,
  deleteDevice,
  getProfile,
  getUser,
  manageDevice,
  nameDevice,
  readOutbox,
  refresh,
  replaceDevice,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

type Action = 'pause' | 'enable' | 'delete' | 'lose';

/** Signs a member in and returns helpers that manage the devices of `of`. */
async function signedIn(email: string, of = email) {
  const { token, refreshToken, profile } = await portal.signIn(email);
  const { suid, orgCode } = memberByEmail(portal, profile.orgId, of);
  const devices = () => deviceRepo.listRegisteredDevices(portal.deps.db, orgCode, suid);
  const zidOf = (name: string) => devices().find((device) => device.name === name)?.zid ?? '';
  const act = async (action: Action, zid: string) => {
    const remove = { zid, suid, ...(action === 'lose' && { action: 'LOST_DEVICE' as const }) };
    const answer =
      action === 'pause' || action === 'enable'
        ? await portal.call(manageDevice, { body: { zid, suid, action } }, { token })
        : await portal.call(deleteDevice, { body: remove }, { token });
    return { status: answer.status, resultCode: answer.body.resultCode };
  };
  const statusOf = (zid: string) => devices().find((device) => device.zid === zid)?.status;
  return { token, refreshToken, suid, signInZid: profile.zid, devices, zidOf, statusOf, act };
}

const OK = { status: 200, resultCode: 0 };
const REFUSED = { status: 403, resultCode: codeOf('INVALID_PERMISSIONS') };

// covers: spec 1.7.17
test('pauses, enables and deletes a device', async () => {
  const { act, zidOf, statusOf, devices } = await signedIn('manager@acme.test');
  const laptop = zidOf('MacBook Pro');
  expect(await act('pause', laptop)).toEqual(OK);
  expect(await act('pause', laptop)).toEqual(OK);
  expect(statusOf(laptop)).toBe('paused');
  expect(await act('enable', laptop)).toEqual(OK);
  expect(await act('enable', laptop)).toEqual(OK);
  expect(statusOf(laptop)).toBe('active');
  expect(await act('delete', laptop)).toEqual(OK);
  expect(devices().map(({ name }) => name)).not.toContain('MacBook Pro');
});

// covers: spec 2.8.23
test('refuses to pause or delete the session’s device (FORBIDDEN, HTTP 200)', async () => {
  const { act, signInZid, statusOf } = await signedIn('manager@acme.test');
  expect(await act('pause', signInZid)).toEqual({ status: 200, resultCode: codeOf('FORBIDDEN') });
  expect(await act('delete', signInZid)).toEqual({ status: 200, resultCode: codeOf('FORBIDDEN') });
  expect(statusOf(signInZid)).toBe('active');
});

// covers: spec 1.4.7, spec 2.8.23
test('keeps the only device and the last active phone (AT_LEAST_ONE_DEVICE_MUST_EXIST)', async () => {
  const admin = await signedIn('super.admin@acme.test', 'user@acme.test');
  const only = admin.zidOf('Pixel 9a');
  expect(await admin.act('pause', only)).toEqual({ status: 200, resultCode: codeOf('AT_LEAST_ONE_DEVICE_MUST_EXIST') });
  expect(await admin.act('delete', only)).toEqual({
    status: 200,
    resultCode: codeOf('AT_LEAST_ONE_DEVICE_MUST_EXIST'),
  });
  const other = await signedIn('super.admin@acme.test', 'maya.fernandes@acme.test');
  const phone = other.zidOf('Pixel 9 Pro');
  expect(await other.act('pause', phone)).toEqual({
    status: 200,
    resultCode: codeOf('AT_LEAST_ONE_DEVICE_MUST_EXIST'),
  });
  expect(await other.act('delete', phone)).toEqual({
    status: 200,
    resultCode: codeOf('AT_LEAST_ONE_DEVICE_MUST_EXIST'),
  });
  expect(await other.act('delete', other.zidOf('MacBook Pro'))).toEqual(OK);
});

// covers: spec 1.7.15, security 2.3.4
test('leaves one device after two parallel deletes of the last two', async () => {
  const { act, devices, zidOf } = await signedIn('super.admin@acme.test', 'marie.delacroix@acme.test');
  const both = [zidOf('iPhone 16'), zidOf('iPhone 14')];
  const answers = await Promise.all(both.map((zid) => act('delete', zid)));
  expect(answers.map(({ resultCode }) => resultCode).toSorted((a, b) => a - b)).toEqual([0, 26]);
  expect(devices()).toHaveLength(1);
});

// covers: spec 1.4.4
test('removes a device reported lost, ends its sessions and emails its owner', async () => {
  const owner = await signedIn('manager@acme.test');
  expect(await owner.act('lose', owner.signInZid)).toEqual(OK);
  const { status, body } = await portal.call(getProfile, {}, { token: owner.token });
  expect({ status, resultCode: body.resultCode }).toEqual({ status: 401, resultCode: codeOf('INVALID_SESSION') });
  const renewed = await portal.call(refresh, { body: { refreshToken: owner.refreshToken } });
  expect(renewed).toMatchObject({ status: 401, body: { resultCode: codeOf('INVALID_SESSION') } });
  const { messages } = (await portal.call(readOutbox, { query: { to: 'manager@acme.test' } })).body;
  expect(messages[0]).toMatchObject({ subject: 'Device reported lost: Galaxy S25', sentAt: portal.clock.iso() });
  expect(messages[0]?.text).toContain('was reported lost on 02 Mar 2026, 09:30 UTC');
});

// covers: security 6.4.3, security 6.4.4
test('lets the last device be reported lost', async () => {
  const { act, signInZid, devices } = await signedIn('user@acme.test');
  expect(await act('lose', signInZid)).toEqual(OK);
  expect(devices()).toEqual([]);
});

// covers: security 7.4.3
test('ends a device’s sessions immediately when it is paused', async () => {
  const user = await signedIn('manager@acme.test');
  const admin = await signedIn('super.admin@acme.test', 'manager@acme.test');
  expect(await admin.act('pause', user.signInZid)).toEqual(OK);
  expect((await portal.call(getProfile, {}, { token: user.token })).status).toBe(401);
  expect(await admin.act('enable', user.signInZid)).toEqual(OK);
  expect((await portal.call(getProfile, {}, { token: user.token })).status).toBe(401);
});

test('rejects an unknown, foreign or deleted device (ID_DOESNOT_EXIST)', async () => {
  const { act, zidOf } = await signedIn('manager@acme.test');
  const foreign = portal.device('admin@globex.test').zid;
  for (const zid of ['unknown', portal.device('user@acme.test').zid, foreign]) {
    for (const action of ['pause', 'enable', 'delete', 'lose'] as const) {
      expect(await act(action, zid)).toEqual({ status: 404, resultCode: codeOf('ID_DOESNOT_EXIST') });
    }
  }
  const laptop = zidOf('MacBook Pro');
  await act('delete', laptop);
  expect(await act('enable', laptop)).toEqual({ status: 404, resultCode: codeOf('ID_DOESNOT_EXIST') });
  expect(await act('delete', laptop)).toEqual({ status: 404, resultCode: codeOf('ID_DOESNOT_EXIST') });
});

test('lets managers delete only their reports’ devices (INVALID_PERMISSIONS)', async () => {
  setMember(portal, memberByEmail(portal, 'acme', 'marie.delacroix@acme.test').suid, {
    managerSuid: memberByEmail(portal, 'acme', 'manager@acme.test').suid,
    roleCode: 'USER',
  });
  const { act, zidOf } = await signedIn('manager@acme.test', 'marie.delacroix@acme.test');
  const old = zidOf('iPhone 14');
  expect(await act('pause', old)).toEqual(REFUSED);
  expect(await act('lose', old)).toEqual(REFUSED);
  expect(await act('delete', old)).toEqual(OK);
});

test('protects the devices of members with more permissions (INVALID_PERMISSIONS)', async () => {
  setMember(portal, memberByEmail(portal, 'acme', 'marie.delacroix@acme.test').suid, {
    managerSuid: memberByEmail(portal, 'acme', 'manager@acme.test').suid,
  });
  const manager = await signedIn('manager@acme.test', 'marie.delacroix@acme.test');
  expect(await manager.act('delete', manager.zidOf('iPhone 14'))).toEqual(REFUSED);

  for (const [caller, of] of [
    ['helpdesk.admin@acme.test', 'super.admin@acme.test'],
    ['helpdesk.admin@acme.test', 'security.admin@acme.test'],
    ['security.admin@acme.test', 'callcenter.admin@acme.test'],
  ] as const) {
    const { act, devices } = await signedIn(caller, of);
    const before = devices();
    for (const { zid } of [...before, { zid: 'unknown' }]) {
      for (const action of ['pause', 'enable', 'delete', 'lose'] as const) {
        expect(await act(action, zid)).toEqual(REFUSED);
      }
    }
    expect(devices()).toEqual(before);
  }
});

// covers: spec 1.7.16
test('reports a phone lost, ends its sessions and emails its owner a code in one step', async () => {
  const theirs = await portal.signIn('user@acme.test');
  const { token, suid, zidOf, statusOf } = await signedIn('super.admin@acme.test', 'user@acme.test');
  const zid = zidOf('Pixel 9a');
  const answer = await portal.call(replaceDevice, { body: { zid, suid, type: 'mobile' } }, { token });
  expect(answer.body).toMatchObject({ resultCode: 0, activationCode: expect.stringMatching(/^\d{6}$/) });
  expect(statusOf(zid)).toBeUndefined();
  expect((await portal.call(getProfile, {}, theirs)).status).toBe(401);
  const { messages } = (await portal.call(readOutbox, { query: { to: 'user@acme.test' } })).body;
  expect(messages.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/code/i),
    expect.stringMatching(/lost/i),
  ]);
  expect(messages[0]?.code).toBe('activationCode' in answer.body && answer.body.activationCode);
});

test('doesn’t report a device lost if its owner can’t get a code (USER_ALREADY_ACTIVE)', async () => {
  const { token, suid, zidOf, devices } = await signedIn('super.admin@acme.test', 'manager@acme.test');
  const before = devices();
  const body = { zid: zidOf('MacBook Pro'), suid, type: 'mobile' as const };
  const answer = await portal.call(replaceDevice, { body }, { token });
  expect(answer.body).toMatchObject({ resultName: 'USER_ALREADY_ACTIVE' });
  expect(devices()).toEqual(before);
  expect((await portal.call(readOutbox, { query: { to: 'manager@acme.test' } })).body.messages).toEqual([]);
});

test('doesn’t report a computer lost while desktop apps are disabled (AUTHENTICATOR_DISALLOWED)', async () => {
  const { token, suid, zidOf, devices } = await signedIn('super.admin@acme.test', 'manager@acme.test');
  const before = devices();
  setOrganisation(portal, 'acme', { desktopAppEnabled: 0 });
  const body = { zid: zidOf('MacBook Pro'), suid, type: 'desktop' as const };
  const answer = await portal.call(replaceDevice, { body }, { token });
  expect(answer.body).toMatchObject({ resultName: 'AUTHENTICATOR_DISALLOWED' });
  expect(devices()).toEqual(before);
  expect((await portal.call(readOutbox, { query: { to: 'manager@acme.test' } })).body.messages).toEqual([]);
});

test('ends this sign-in and emails a code when you report your own phone lost', async () => {
  const { token, suid, signInZid } = await signedIn('super.admin@acme.test');
  const body = { zid: signInZid, suid, type: 'mobile' as const };
  expect((await portal.call(replaceDevice, { body }, { token })).body.resultCode).toBe(0);
  expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
  const { messages } = (await portal.call(readOutbox, { query: { to: 'super.admin@acme.test' } })).body;
  expect(messages[0]?.code).toMatch(/^\d{6}$/);
});

// covers: spec 2.8.14
test('rejects missing IDs (SUID_MISSING, ZID_MISSING) and unknown actions (UNSUPPORTED_ACTION)', async () => {
  const { token, suid, signInZid } = await signedIn('manager@acme.test');
  const post = (path: string, body: object) =>
    portal.http.post(`/api${path}`).auth(token, { type: 'bearer' }).send(body);
  for (const path of [deleteDevice.path, manageDevice.path, nameDevice.path, replaceDevice.path]) {
    expect(await post(path, { zid: signInZid })).toMatchObject({ status: 400, body: { resultName: 'SUID_MISSING' } });
    expect(await post(path, { suid })).toMatchObject({ status: 400, body: { resultName: 'ZID_MISSING' } });
  }
  const both = { suid, zid: signInZid, action: 'explode' };
  expect(await post(deleteDevice.path, both)).toMatchObject({
    status: 400,
    body: { resultName: 'UNSUPPORTED_ACTION' },
  });
  expect(await post(manageDevice.path, both)).toMatchObject({
    status: 400,
    body: { resultName: 'UNSUPPORTED_ACTION' },
  });
});

// covers: spec 1.7.19
test('sets and removes a device’s nickname', async () => {
  const { token, suid, signInZid } = await signedIn('user@acme.test');
  const name = (zid: string, nickname: string) => portal.call(nameDevice, { body: { zid, suid, nickname } }, { token });
  expect((await name(signInZid, '  Pocket  ')).body).toEqual({ resultCode: 0, nickName: 'Pocket' });
  const { devices } = (await portal.call(getUser, { query: {} }, { token })).body;
  expect(devices).toMatchObject([{ nickName: 'Pocket' }]);
  expect((await name(signInZid, '')).body).toEqual({ resultCode: 0, nickName: '' });
  expect(await name(signInZid, 'ab')).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
  expect(await name(portal.device('manager@acme.test').zid, 'Mine now')).toMatchObject({ status: 404 });
});

test('rejects nicknames for other members’ devices (INVALID_PERMISSIONS)', async () => {
  const { token, suid, zidOf } = await signedIn('super.admin@acme.test', 'user@acme.test');
  const body = { zid: zidOf('Pixel 9a'), suid, nickname: 'Renamed' };
  expect(await portal.call(nameDevice, { body }, { token })).toMatchObject({
    status: 403,
    body: { resultName: 'INVALID_PERMISSIONS' },
  });
});
