import {
  getLoginHistory,
  login,
  loginState,
  manageDevice,
  pending,
  type ResultName,
  resolve,
  respond,
  testDevice,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPush, outcomeOfCall, setOrganisation, signedCallBody } from '#testing/device.ts';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const resolving = (email: string, code: string, type?: 'mobile' | 'desktop'): Promise<ResultName> =>
  outcomeOfCall(portal.authenticator.resolve(portal.device(email, type), code));
const stateOf = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body.state;
/** Returns the newest sign-in record from before this helper's own sign-in. */
const lastRecord = async (email: string) => {
  portal.clock.advance(1);
  const { token } = await portal.signIn(email);
  return (await portal.call(getLoginHistory, { query: { count: 2 } }, { token })).body.records[1];
};

test('shows a device the requester, the organisation and the expiry time of a request', async () => {
  const { qid } = await beginQr(portal);
  const { challenge } = await portal.authenticator.resolve(portal.device('user@acme.test'), qid);
  expect(challenge).toMatchObject({
    kind: 'login',
    orgCode: 'acme',
    orgName: 'Acme Corporation',
    requester: { ip: expect.stringContaining('127.0.0.1'), userAgent: expect.any(String) },
    requestedAt: portal.clock.iso(),
    expiresAt: portal.clock.iso(portal.clock.now() + 120_000),
  });
  expect(challenge.numberChoices).toBeUndefined();
});

// covers: security 6.6.2
test('reserves a request for the first device that opens it, which can open it again', async () => {
  const { qid } = await beginQr(portal);
  expect(await resolving('user@acme.test', qid)).toBe('SUCCESS');
  expect(await resolving('user@acme.test', qid)).toBe('SUCCESS');
  expect(await resolving('manager@acme.test', qid)).toBe('EXPIRED');
});

test('reserves the request for exactly one of two devices that scan at the same time', async () => {
  const { qid } = await beginQr(portal);
  const outcomes = await Promise.all([resolving('user@acme.test', qid), resolving('manager@acme.test', qid)]);
  expect(outcomes.toSorted()).toEqual(['EXPIRED', 'SUCCESS']);
});

test('rejects unknown, expired, answered and foreign codes in the same way (EXPIRED)', async () => {
  const phone = portal.device('user@acme.test');
  expect(await resolving('user@acme.test', 'unknown')).toBe('EXPIRED');
  expect(await resolving('user@acme.test', 'ABCD2345')).toBe('EXPIRED');
  expect(await resolving('user@acme.test', (await beginQr(portal, 'globex')).qid)).toBe('EXPIRED');
  const answered = await beginQr(portal);
  const { challenge } = await portal.authenticator.resolve(phone, answered.qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny' });
  expect(await resolving('user@acme.test', answered.qid)).toBe('EXPIRED');
  const late = await beginQr(portal);
  portal.clock.advance(120);
  expect(await resolving('user@acme.test', late.qid)).toBe('EXPIRED');
});

// covers: spec 1.1.2, spec 2.8.25
test('lets a desktop device scan a sign-in code but not type it (DESKTOP_DOES_NOT_SUPPORT_DID)', async () => {
  const { did = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'DID' } })).body;
  expect(await resolving('manager@acme.test', did, 'desktop')).toBe('DESKTOP_DOES_NOT_SUPPORT_DID');
  expect(await resolving('manager@acme.test', (await beginQr(portal)).qid, 'desktop')).toBe('SUCCESS');
});

test('lets a desktop device type a device-test code', async () => {
  const { token } = await portal.signIn('manager@acme.test');
  const { did } = (await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token })).body;
  expect(await resolving('manager@acme.test', did, 'desktop')).toBe('SUCCESS');
});

test('rejects typed codes while typing is disabled (DID_NOT_ENABLED), even codes issued earlier', async () => {
  const { did = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'DID' } })).body;
  setOrganisation(portal, 'acme', { didEnabled: 0 });
  expect(await resolving('user@acme.test', did)).toBe('DID_NOT_ENABLED');
});

// covers: spec 2.8.25
test('disallowed device types can’t open or answer requests (AUTHENTICATOR_DISALLOWED)', async () => {
  const phone = portal.device('user@acme.test');
  const { qid } = await beginQr(portal);
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect(await resolving('user@acme.test', qid)).toBe('AUTHENTICATOR_DISALLOWED');
  const answer = portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  expect(await outcomeOfCall(answer)).toBe('AUTHENTICATOR_DISALLOWED');
  setOrganisation(portal, 'acme', { mobileAppEnabled: 1, desktopAppEnabled: 0 });
  expect(await resolving('manager@acme.test', (await beginQr(portal)).qid, 'desktop')).toBe('AUTHENTICATOR_DISALLOWED');
});

test('accepts one of ten concurrent answers and rejects the rest as too late (FAILED)', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  await portal.authenticator.resolve(phone, qid);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const decision = index % 2 === 0 ? 'approve' : 'deny';
      return portal.call(respond, { body: signedCallBody(portal, phone, { challengeId: loginId, decision }) });
    }),
  );
  const codes = answers.map(({ body }) => body.resultCode).toSorted();
  expect(codes).toEqual([0, ...Array(9).fill(7)]);
  const winner = answers.findIndex(({ body }) => body.resultCode === 0);
  expect(await stateOf(loginId)).toBe(winner % 2 === 0 ? 'success' : 'rejected');
});

test('accepts one of two concurrent answers from the same member’s devices', async () => {
  const { loginId, matchNumber } = await beginPush(portal, 'manager@acme.test');
  const answer = (type: 'mobile' | 'desktop') =>
    outcomeOfCall(
      portal.authenticator.respond(portal.device('manager@acme.test', type), {
        challengeId: loginId,
        decision: 'approve',
        number: matchNumber,
      }),
    );
  expect((await Promise.all([answer('mobile'), answer('desktop')])).toSorted()).toEqual(['FAILED', 'SUCCESS']);
});

// covers: spec 2.8.15
test('rejects an answer to an expired (EXPIRED) or already answered request (FAILED)', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  await portal.authenticator.resolve(phone, qid);
  portal.clock.advance(120);
  const approve = () =>
    outcomeOfCall(portal.authenticator.respond(phone, { challengeId: loginId, decision: 'approve' }));
  expect(await approve()).toBe('EXPIRED');
  const push = await beginPush(portal, 'user@acme.test');
  await portal.authenticator.respond(phone, { challengeId: push.loginId, decision: 'deny' });
  const again = portal.authenticator.respond(phone, { challengeId: push.loginId, decision: 'deny' });
  expect(await outcomeOfCall(again)).toBe('FAILED');
});

test.each(['wrong', 'missing'])(
  'denies a push if the number is %s, and then rejects the correct number',
  async (kind) => {
    const phone = portal.device('user@acme.test');
    const { loginId, matchNumber } = await beginPush(portal, 'user@acme.test');
    const [challenge] = await portal.authenticator.pending(phone);
    const wrong = challenge?.numberChoices?.find((number) => number !== matchNumber);
    const answer = (number: string | undefined) =>
      outcomeOfCall(
        portal.authenticator.respond(phone, { challengeId: loginId, decision: 'approve', ...(number && { number }) }),
      );
    expect(await answer(kind === 'wrong' ? wrong : undefined)).toBe('INVALID_VALIDATION_CODE');
    expect(await stateOf(loginId)).toBe('rejected');
    expect(await answer(matchNumber)).toBe('FAILED');
    expect(await lastRecord('user@acme.test')).toMatchObject({ loginStatus: 'Failed', mode: 'PUSH' });
  },
);

// covers: security 16.3.1
test('records a denial and its reason in the history', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: loginId, decision: 'deny', reason: 'not-me' });
  const deniedAt = portal.clock.now();
  expect(await lastRecord('user@acme.test')).toMatchObject({ device: 'Pixel 9a', loginStatus: 'Failed', mode: 'QID' });
  const reasons = portal.deps.db.$client
    .prepare("SELECT reason FROM login_history WHERE suid = ? AND reason = 'not-me' AND timestamp = ?")
    .all(phone.suid, deniedAt);
  expect(reasons).toHaveLength(1);
});

test('hides requests for other devices (ID_DOESNOT_EXIST)', async () => {
  const phone = portal.device('user@acme.test');
  const outsider = portal.device('manager@acme.test');
  const { loginId, qid } = await beginQr(portal);
  const respondAs = (device: typeof phone, challengeId: string) =>
    portal.call(respond, { body: signedCallBody(portal, device, { challengeId, decision: 'approve' }) });
  const nothing = { status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } };
  expect(await respondAs(phone, 'unknown')).toMatchObject(nothing);
  expect(await respondAs(phone, loginId)).toMatchObject(nothing);
  await portal.authenticator.resolve(phone, qid);
  expect(await respondAs(outsider, loginId)).toMatchObject(nothing);
  const push = await beginPush(portal, 'user@acme.test');
  expect(await respondAs(outsider, push.loginId)).toMatchObject(nothing);
  expect(await respondAs(portal.device('admin@globex.test'), push.loginId)).toMatchObject(nothing);
});

test('delivers a push to all of the member’s devices and to no others', async () => {
  const { loginId } = await beginPush(portal, 'manager@acme.test');
  for (const type of ['mobile', 'desktop'] as const) {
    const waiting = await portal.authenticator.pending(portal.device('manager@acme.test', type));
    expect(waiting.map(({ challengeId }) => challengeId)).toEqual([loginId]);
  }
  expect(await portal.authenticator.pending(portal.device('user@acme.test'))).toEqual([]);
  portal.clock.advance(120);
  expect(await portal.authenticator.pending(portal.device('manager@acme.test'))).toEqual([]);
});

test('cancels a device’s open request when the device is paused', async () => {
  const { token, profile } = await portal.signIn('manager@acme.test');
  const laptop = portal.device('manager@acme.test', 'desktop');
  const { loginId, qid } = await beginQr(portal);
  await portal.authenticator.resolve(laptop, qid);
  const body = { zid: laptop.zid, suid: profile.suid, action: 'pause' as const };
  await portal.call(manageDevice, { body }, { token });
  expect(await stateOf(loginId)).toBe('rejected');
  await portal.call(manageDevice, { body: { ...body, action: 'enable' } }, { token });
  const late = portal.authenticator.respond(laptop, { challengeId: loginId, decision: 'approve' });
  expect(await outcomeOfCall(late)).toBe('EXPIRED');
});

test('rejects malformed signed calls (INVALID_REQUEST) before any lookup', async () => {
  for (const body of [{}, { zid: 'x' }, { zid: 'x', jws: 'no' }, { zid: 7, jws: 'a.b.c' }]) {
    for (const { path } of [resolve, respond, pending]) {
      await portal.http.post(`/api${path}`).send(body).expect(400);
    }
  }
});
