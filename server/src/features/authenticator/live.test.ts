import { authenticatorLive, deleteDevice, manageDevice } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TOPIC } from '#platform/live/bus.ts';
import { beginPush, memberByEmail, setMember, signedCallBody } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

async function watch(device: DeviceState) {
  const live = await portal.open(authenticatorLive, {});
  live.send(signedCallBody(portal, device));
  return live;
}

test('shows a push immediately and removes it once answered', async () => {
  const phone = portal.device('user@acme.test');
  const live = await watch(phone);
  expect(await live.next()).toMatchObject({ op: 'challenges', challenges: [] });
  const { loginId } = await beginPush(portal, 'user@acme.test');
  expect(await live.next()).toMatchObject({ challenges: [{ challengeId: loginId, kind: 'login' }] });
  await portal.authenticator.respond(phone, { challengeId: loginId, decision: 'deny' });
  expect(await live.next()).toMatchObject({ challenges: [] });
});

test('removes an expired push automatically', async () => {
  const live = await watch(portal.device('user@acme.test'));
  await live.next();
  const first = await beginPush(portal, 'user@acme.test');
  await live.next();
  portal.clock.advance(60);
  const second = await beginPush(portal, 'user@acme.test');
  const both = await live.next();
  expect(both.challenges.map(({ challengeId }) => challengeId)).toEqual([first.loginId, second.loginId]);
  portal.clock.advance(60);
  expect(await live.next()).toMatchObject({ challenges: [{ challengeId: second.loginId }] });
  portal.clock.advance(60);
  expect(await live.next()).toMatchObject({ challenges: [] });
});

test('sends pending requests in the first message to a reconnecting device', async () => {
  const { loginId } = await beginPush(portal, 'user@acme.test');
  const live = await watch(portal.device('user@acme.test'));
  expect(await live.next()).toMatchObject({ challenges: [{ challengeId: loginId }] });
});

test('disconnects a device that doesn’t prove its key in time', async () => {
  const phone = portal.device('user@acme.test');
  const rubbish = await portal.open(authenticatorLive, {});
  rubbish.sendRaw('{"zid":');
  expect(await rubbish.closed).toMatchObject({ code: 1008 });
  const binary = await portal.open(authenticatorLive, {});
  binary.sendRaw(Buffer.from([1, 2, 3]));
  expect(await binary.closed).toMatchObject({ code: 1008 });
  const forged = await watch({ ...phone, privateKeyJwk: portal.device('manager@acme.test').privateKeyJwk });
  expect(await forged.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('SIGNATURE_MISMATCH') });
  const silent = await portal.open(authenticatorLive, {});
  portal.clock.advance(15);
  expect(await silent.closed).toMatchObject({ code: 1008 });
});

test('accepts a proof for one channel only', async () => {
  const proof = signedCallBody(portal, portal.device('user@acme.test'));
  const first = await portal.open(authenticatorLive, {});
  first.send(proof);
  await first.next();
  const second = await portal.open(authenticatorLive, {});
  second.send(proof);
  expect(await second.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('SIGNATURE_MISMATCH') });
});

test('closes the channel immediately when its device is paused or lost', async () => {
  const { token, profile } = await portal.signIn('manager@acme.test');
  const laptop = portal.device('manager@acme.test', 'desktop');
  const onLaptop = await watch(laptop);
  const onPhone = await watch(portal.device('manager@acme.test'));
  await onLaptop.next();
  await onPhone.next();
  const paused = { zid: laptop.zid, suid: profile.suid, action: 'pause' as const };
  await portal.call(manageDevice, { body: paused }, { token });
  expect(await onLaptop.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('DEVICE_INACTIVE') });
  const lost = { zid: profile.zid, suid: profile.suid, action: 'LOST_DEVICE' as const };
  await portal.call(deleteDevice, { body: lost }, { token });
  expect(await onPhone.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('DEVICE_NOT_TRUSTED') });
});

test('closes the channel when its member is disabled', async () => {
  const phone = portal.device('user@acme.test');
  const live = await watch(phone);
  await live.next();
  setMember(portal, memberByEmail(portal, 'acme', 'user@acme.test').suid, { accountStatus: 'inactive' });
  portal.deps.bus.changed(TOPIC.member(phone.suid));
  expect(await live.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('USER_INACTIVE') });
});

test('removes all listeners when a channel closes', async () => {
  const phone = portal.device('user@acme.test');
  const live = await watch(phone);
  await live.next();
  expect(portal.deps.bus.listeners(TOPIC.member(phone.suid))).toBe(1);
  live.close();
  await live.closed;
  await expect.poll(() => portal.deps.bus.listeners(TOPIC.member(phone.suid))).toBe(0);
});
