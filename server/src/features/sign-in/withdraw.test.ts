import { login, loginLive, loginState, withdrawLogin } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPush, outcomeOfCall } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const withdraw = async (loginId: string) => (await portal.call(withdrawLogin, { body: { loginId } })).body;
const stateOf = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body;

test('removes a cancelled request from the phone and ends it in other tabs', async () => {
  const { loginId, matchNumber } = await beginPush(portal, USER);
  const phone = portal.device(USER);
  expect(await portal.authenticator.pending(phone)).toHaveLength(1);
  const tab = await portal.open(loginLive, { loginId });
  expect(await tab.next()).toMatchObject({ state: 'pending' });
  expect(await withdraw(loginId)).toEqual({ resultCode: 0 });
  expect(await portal.authenticator.pending(phone)).toEqual([]);
  expect(await tab.next()).toMatchObject({ state: 'expired' });
  const answer = portal.authenticator.respond(phone, {
    challengeId: loginId,
    decision: 'approve',
    number: matchNumber,
  });
  expect(await outcomeOfCall(answer)).toBe('EXPIRED');
});

test('rejects opening or approving a cancelled code', async () => {
  const phone = portal.device(USER);
  const [unopened, opened] = [await beginQr(portal), await beginQr(portal)];
  const { challenge } = await portal.authenticator.resolve(phone, opened.qid);
  for (const { loginId } of [unopened, opened]) expect(await withdraw(loginId)).toEqual({ resultCode: 0 });
  expect(await outcomeOfCall(portal.authenticator.resolve(phone, unopened.qid))).toBe('EXPIRED');
  const { challengeId } = challenge;
  expect(await outcomeOfCall(portal.authenticator.respond(phone, { challengeId, decision: 'approve' }))).toBe(
    'EXPIRED',
  );
});

test('ignores repeated cancellations and those after expiry or a response', async () => {
  const withdrawn = await beginPush(portal, USER);
  for (const _ of [1, 2]) expect(await withdraw(withdrawn.loginId)).toEqual({ resultCode: 0 });
  const approved = await beginQr(portal);
  const exchangeToken = await approveQr(portal, portal.device(USER), approved);
  expect(await withdraw(approved.loginId)).toEqual({ resultCode: 0 });
  const { body } = await portal.call(login, { body: { loginId: approved.loginId, exchangeToken } });
  expect(body).toMatchObject({ resultCode: 0, profile: { email: USER } });
  const late = await beginQr(portal);
  portal.clock.advance(121);
  expect(await withdraw(late.loginId)).toEqual({ resultCode: 0 });
  expect(await stateOf(late.loginId)).toMatchObject({ state: 'expired' });
});

test('cancels only sign-ins, and only by their ID (ID_DOESNOT_EXIST)', async () => {
  const { qid } = await beginQr(portal);
  for (const loginId of ['AAAAAAAAAAAAAAAAAAAAAA', qid]) {
    expect(await withdraw(loginId)).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
  }
});
