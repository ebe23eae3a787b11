import { codeOf, login, loginLive } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPush } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

// covers: spec 1.4.37, spec 2.4.11
test('a sign-in goes from init over pending to success, and its token signs in', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  const live = await portal.open(loginLive, { loginId });
  expect(await live.next()).toMatchObject({ op: 'LOGIN', state: 'init', resultCode: codeOf('LOGIN_INIT') });
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  expect(await live.next()).toMatchObject({
    state: 'pending',
    resultCode: codeOf('LOGIN_PENDING'),
    deviceName: 'Pixel 9a',
  });
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  const success = await live.next();
  expect(success).toMatchObject({ state: 'success', resultCode: codeOf('LOGIN_SUCCESS'), deviceName: 'Pixel 9a' });
  const body = { loginId, exchangeToken: success.exchangeToken ?? '' };
  expect((await portal.call(login, { body })).body).toMatchObject({ profile: { email: 'user@acme.test' } });
});

// covers: spec 1.4.37
test('a denied sign-in is rejected', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  const live = await portal.open(loginLive, { loginId });
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny' });
  const seen = [await live.next(), await live.next(), await live.next()];
  expect(seen.map(({ resultCode }) => resultCode)).toEqual([77, 78, 79]);
});

test('a push is pending from the first message and names its device only with the answer', async () => {
  const { loginId, matchNumber } = await beginPush(portal, 'user@acme.test');
  const live = await portal.open(loginLive, { loginId });
  const first = await live.next();
  expect(first).toMatchObject({ state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
  expect(first.deviceName).toBeUndefined();
  const phone = portal.device('user@acme.test');
  await portal.authenticator.respond(phone, { challengeId: loginId, decision: 'approve', number: matchNumber });
  expect(await live.next()).toMatchObject({ state: 'success', deviceName: 'Pixel 9a' });
});

test('reports that a sign-in has expired, and the next one is new', async () => {
  const { loginId, qid } = await beginQr(portal);
  const live = await portal.open(loginLive, { loginId });
  await live.next();
  portal.clock.advance(119);
  await portal.authenticator.resolve(portal.device('user@acme.test'), qid);
  expect(await live.next()).toMatchObject({ state: 'pending' });
  portal.clock.advance(1);
  expect(await live.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
  expect((await beginQr(portal)).loginId).not.toBe(loginId);
});

test('an approved sign-in that is never exchanged expires too', async () => {
  const started = await beginQr(portal);
  await approveQr(portal, portal.device('user@acme.test'), started);
  const live = await portal.open(loginLive, { loginId: started.loginId });
  expect(await live.next()).toMatchObject({ state: 'success' });
  portal.clock.advance(60);
  expect(await live.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
});

test('the first message after a reconnect contains the whole state', async () => {
  const started = await beginQr(portal);
  const before = await portal.open(loginLive, { loginId: started.loginId });
  await before.next();
  before.close();
  await before.closed;
  const exchangeToken = await approveQr(portal, portal.device('user@acme.test'), started);
  const after = await portal.open(loginLive, { loginId: started.loginId });
  expect(await after.next()).toMatchObject({ state: 'success', exchangeToken, deviceName: 'Pixel 9a' });
});

test('an unknown id opens no channel', async () => {
  await expect(portal.open(loginLive, { loginId: 'unknown' })).rejects.toMatchObject({
    status: 404,
    body: { resultName: 'ID_DOESNOT_EXIST' },
  });
});

test('disconnects only the client that sends into the channel', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  const rude = await portal.open(loginLive, { loginId });
  const polite = await portal.open(loginLive, { loginId });
  await polite.next();
  rude.sendRaw('{"op":"LOGIN","state":"success"}');
  expect(await rude.closed).toMatchObject({ code: 1008 });
  await portal.authenticator.resolve(phone, qid);
  expect(await polite.next()).toMatchObject({ state: 'pending' });
});
