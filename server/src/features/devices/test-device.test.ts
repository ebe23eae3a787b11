import { codeOf, testDevice, testDeviceLive } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outcomeOfCall } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

async function testing(email = 'user@acme.test') {
  const { token, orgId: org } = await portal.signIn(email);
  const fetchCodes = async () => (await portal.call(testDevice, { params: { orgCode: org } }, { token })).body;
  const codes = await fetchCodes();
  const live = await portal.open(testDeviceLive, { qid: codes.qid, org, epoch: '1' }, { token });
  const ask = (op: 'QID' | 'DID') => live.send({ op, org, action: 'TEST', value: '', source: 'portal' });
  return { token, org, codes, live, ask };
}

// covers: spec 1.7.20
test('names the device that scanned the test code', async () => {
  const { codes, live } = await testing();
  expect(codes).toMatchObject({ resultCode: 0, idTimeout: 60 });
  expect(await live.next()).toMatchObject({ op: 'QID', value: codes.qid, idTimeout: 60, resultCode: 0 });
  const phone = portal.device('user@acme.test');
  const { resultCode, challenge } = await portal.authenticator.resolve(phone, codes.qid);
  expect({ resultCode, kind: challenge.kind }).toEqual({ resultCode: codeOf('TEST_DEVICE_SUCCESS'), kind: 'test' });
  expect(await live.next()).toMatchObject({
    op: 'test',
    resultCode: codeOf('TEST_DEVICE_SUCCESS'),
    value: { device: { name: 'Pixel 9a', nickName: '', type: 'mobile', registeredDate: expect.any(String) } },
  });
});

// covers: spec 1.3.12
test('sends the code to type when requested', async () => {
  const { codes, live, ask } = await testing();
  await live.next();
  portal.clock.advance(20);
  ask('DID');
  expect(await live.next()).toMatchObject({ op: 'DID', value: codes.did, idTimeout: 40, resultCode: 0 });
  await portal.authenticator.resolve(portal.device('user@acme.test'), codes.did.toLowerCase());
  expect(await live.next()).toMatchObject({ op: 'test', resultCode: codeOf('TEST_DEVICE_SUCCESS') });
});

// covers: spec 2.8.28
test('completes only once, and only with a device in the organisation', async () => {
  const { codes } = await testing();
  const resolving = (email: string) => outcomeOfCall(portal.authenticator.resolve(portal.device(email), codes.qid));
  expect(await resolving('admin@globex.test')).toBe('EXPIRED');
  expect(await resolving('manager@acme.test')).toBe('SUCCESS');
  expect(await resolving('user@acme.test')).toBe('EXPIRED');
});

// covers: spec 1.4.24, spec 1.9.3
test('reports expired codes and issues new ones on the same channel', async () => {
  const { codes, live, ask } = await testing();
  await live.next();
  ask('DID');
  await live.next();
  portal.clock.advance(60);
  const expired = await live.next();
  expect(expired).toMatchObject({ op: 'DID', resultCode: codeOf('EXPIRED') });
  expect(expired).not.toHaveProperty('value');
  ask('QID');
  const fresh = await live.next();
  expect(fresh).toMatchObject({ op: 'QID', idTimeout: 60, resultCode: 0 });
  const qid = fresh.op === 'QID' ? (fresh.value ?? '') : '';
  expect(qid).not.toBe(codes.qid);
  await portal.authenticator.resolve(portal.device('user@acme.test'), qid);
  expect(await live.next()).toMatchObject({ op: 'test', resultCode: codeOf('TEST_DEVICE_SUCCESS') });
});

// covers: spec 1.7.29
test('sends the result in the first message after a reconnect', async () => {
  const { token, org, codes, live } = await testing();
  live.close();
  await live.closed;
  await portal.authenticator.resolve(portal.device('user@acme.test'), codes.qid);
  const after = await portal.open(testDeviceLive, { qid: codes.qid, org }, { token });
  expect(await after.next()).toMatchObject({ op: 'test', resultCode: codeOf('TEST_DEVICE_SUCCESS') });
});

test('opens no channel for unknown tests or tests of other members or organisations', async () => {
  const { codes, token } = await testing();
  const { token: other } = await portal.signIn('manager@acme.test');
  const { token: foreign } = await portal.signIn('admin@globex.test');
  for (const [query, bearer, status] of [
    [{ qid: codes.qid, org: 'acme' }, other, 404],
    [{ qid: 'unknown', org: 'acme' }, token, 404],
    [{ qid: codes.qid, org: 'globex' }, foreign, 404],
    [{ qid: codes.qid, org: 'acme' }, foreign, 403],
    [{ qid: codes.qid, org: 'globex' }, token, 403],
  ] as const) {
    await expect(portal.open(testDeviceLive, query, { token: bearer })).rejects.toMatchObject({ status });
  }
  const elsewhere = await portal.call(testDevice, { params: { orgCode: 'globex' } }, { token });
  expect(elsewhere).toMatchObject({ status: 403, body: { resultName: 'FORBIDDEN' } });
});

test('closes the channel on a malformed message or a message for another organisation', async () => {
  for (const message of [
    'no json',
    '{"op":"XID","org":"acme","action":"TEST"}',
    '{"op":"DID","org":"globex","action":"TEST"}',
  ]) {
    const { live } = await testing();
    live.sendRaw(message);
    expect(await live.closed).toMatchObject({ code: 1008 });
  }
});

test('closes the channel when its session ends', async () => {
  const { live } = await testing();
  await live.next();
  portal.clock.advance(720 * 60);
  await expect(live.closed).resolves.toMatchObject({ code: 4401 });
});
