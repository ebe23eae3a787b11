import { startVerbal, verbalLive } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outcomeOfCall } from '../../device-testing.ts';
import { type TestPortal, testPortal } from '../../testing.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

async function calling() {
  const { token } = await portal.signIn('callcenter.admin@acme.test');
  const { body } = await portal.call(startVerbal, { query: {} }, { token });
  const live = await portal.open(verbalLive, { epoch: body.epoch, org: 'acme' }, { token });
  expect(await live.next()).toMatchObject({ op: 'verbal', state: 'init', resultCode: 0 });
  return { body, live, token };
}

test('a caller who types the code and consents is named to the staff, and not before', async () => {
  const { body, live } = await calling();
  expect(body).toMatchObject({ resultCode: 0, idTimeout: 120, code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/) });
  const phone = portal.device('user@acme.test');
  const { challenge } = await portal.authenticator.resolve(phone, body.code.toLowerCase());
  expect(challenge).toMatchObject({ kind: 'verbal', requester: { fullName: expect.stringMatching(/\S \S/) } });
  const waiting = await live.next();
  expect(waiting).toMatchObject({ state: 'pending', resultCode: 0 });
  expect(waiting.caller).toBeUndefined();
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  expect(await live.next()).toMatchObject({
    state: 'success',
    resultCode: 0,
    caller: { fullName: 'Daniel Ortiz', email: 'user@acme.test', suid: phone.suid, deviceName: phone.name },
  });
});

test('a caller who denies stays unknown', async () => {
  const { body, live } = await calling();
  const phone = portal.device('user@acme.test');
  const { challenge } = await portal.authenticator.resolve(phone, body.qid);
  await live.next();
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny', reason: 'not-me' });
  const denied = await live.next();
  expect(denied).toMatchObject({ state: 'denied', resultCode: 58 });
  expect(denied.caller).toBeUndefined();
});

test('the server says by itself that the code has expired, and it verifies nobody any more', async () => {
  const { body, live } = await calling();
  portal.clock.advance(120);
  expect(await live.next()).toMatchObject({ state: 'expired', resultCode: 10 });
  const resolving = portal.authenticator.resolve(portal.device('user@acme.test'), body.code);
  expect(await outcomeOfCall(resolving)).toBe('EXPIRED');
});

test('whoever comes back after a lost connection is told the result by the first message', async () => {
  const { body, live, token } = await calling();
  live.close();
  const phone = portal.device('user@acme.test');
  const { challenge } = await portal.authenticator.resolve(phone, body.code);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  const again = await portal.open(verbalLive, { epoch: body.epoch, org: 'acme' }, { token });
  expect(await again.next()).toMatchObject({ state: 'success', caller: { email: 'user@acme.test' } });
});

test('devices of another organisation, other members and unknown requests get nothing', async () => {
  const { body, token } = await calling();
  const stranger = portal.authenticator.resolve(portal.device('admin@globex.test'), body.code);
  expect(await outcomeOfCall(stranger)).toBe('EXPIRED');
  const { token: userToken } = await portal.signIn('user@acme.test');
  expect((await portal.call(startVerbal, { query: {} }, { token: userToken })).body.resultCode).toBe(32);
  await expect(portal.open(verbalLive, { epoch: body.epoch, org: 'acme' }, { token: userToken })).rejects.toThrow();
  await expect(portal.open(verbalLive, { epoch: 'unknown', org: 'acme' }, { token })).rejects.toThrow();
});
