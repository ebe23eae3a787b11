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
test('moves a sign-in from init through pending to success, with a token that signs in', async () => {
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
test('reports a denied sign-in as rejected', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  const live = await portal.open(loginLive, { loginId });
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny' });
  const seen = [await live.next(), await live.next(), await live.next()];
  expect(seen.map(({ resultCode }) => resultCode)).toEqual([77, 78, 79]);
});

test('reports a push as pending from the start and names its device only after the response', async () => {
  const { loginId, matchNumber } = await beginPush(portal, 'user@acme.test');
  const live = await portal.open(loginLive, { loginId });
  const first = await live.next();
  expect(first).toMatchObject({ state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
  expect(first.deviceName).toBeUndefined();
  const phone = portal.device('user@acme.test');
  await portal.authenticator.respond(phone, { challengeId: loginId, decision: 'approve', number: matchNumber });
  expect(await live.next()).toMatchObject({ state: 'success', deviceName: 'Pixel 9a' });
});

test('reports a sign-in as expired if it was scanned but not approved in time', async () => {
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

test('expires an approved sign-in that is never exchanged', async () => {
  const started = await beginQr(portal);
  await approveQr(portal, portal.device('user@acme.test'), started);
  const live = await portal.open(loginLive, { loginId: started.loginId });
  expect(await live.next()).toMatchObject({ state: 'success' });
  portal.clock.advance(60);
  expect(await live.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
});

test('sends the complete state in the first message after a reconnect', async () => {
  const started = await beginQr(portal);
  const before = await portal.open(loginLive, { loginId: started.loginId });
  await before.next();
  before.close();
  await before.closed;
  const exchangeToken = await approveQr(portal, portal.device('user@acme.test'), started);
  const after = await portal.open(loginLive, { loginId: started.loginId });
  expect(await after.next()).toMatchObject({ state: 'success', exchangeToken, deviceName: 'Pixel 9a' });
});

test('refuses to open a channel for an unknown ID', async () => {
  await expect(portal.open(loginLive, { loginId: 'unknown' })).rejects.toMatchObject({
    status: 404,
    body: { resultName: 'ID_DOESNOT_EXIST' },
  });
});

test('disconnects only the client that sends a message', async () => {
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
