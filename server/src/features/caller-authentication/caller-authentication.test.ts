import { codeOf, getLoginHistory, LIMITS, manageDevice, startVerbal, verbalLive } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, outcomeOfCall, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const STAFF = 'callcenter.admin@acme.test';
const CALLER = 'user@acme.test';

async function verifying(by = STAFF) {
  const { token } = await portal.signIn(by);
  const { status, body } = await portal.call(startVerbal, { query: {} }, { token });
  expect({ status, code: body.resultCode }).toEqual({ status: 200, code: 0 });
  const live = await portal.open(verbalLive, { epoch: body.epoch, org: 'acme' }, { token });
  expect(await live.next()).toMatchObject({ op: 'verbal', state: 'init', resultCode: 0 });
  return { token, live, ...body };
}
const phoneOf = (email: string) => portal.device(email);
async function answer(code: string, decision: 'approve' | 'deny', email = CALLER) {
  const { challenge } = await portal.authenticator.resolve(phoneOf(email), code);
  await portal.authenticator.respond(phoneOf(email), { challengeId: challenge.challengeId, decision });
}

test('reports the exact lifetime of a new code even while the clock is running', async () => {
  portal.clock.release();
  const { token } = await portal.signIn(STAFF);
  const lifetimes = new Set<number>();
  for (let started = 0; started < 60; started += 1)
    lifetimes.add((await portal.call(startVerbal, { query: {} }, { token })).body.idTimeout);
  expect([...lifetimes]).toEqual([LIMITS.verbalLifetimeSeconds]);
});

// covers: spec 1.1.12, spec 1.7.21
test('identifies a caller to the agent once the caller types the code and consents', async () => {
  const { live, code, idTimeout } = await verifying();
  expect({ code, idTimeout }).toEqual({ code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{8}$/), idTimeout: 120 });
  const dictated = `${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase();
  const { challenge } = await portal.authenticator.resolve(phoneOf(CALLER), dictated);
  expect(challenge).toMatchObject({ kind: 'verbal', requester: { fullName: 'Noor Haddad' } });
  expect(await live.next()).toMatchObject({ state: 'pending', resultCode: 0, expiresAt: challenge.expiresAt });
  await portal.authenticator.respond(phoneOf(CALLER), { challengeId: challenge.challengeId, decision: 'approve' });
  const { suid, primaryAttr } = memberByEmail(portal, 'acme', CALLER);
  expect(await live.next()).toMatchObject({
    state: 'success',
    resultCode: 0,
    caller: {
      fullName: 'Daniel Ortiz',
      email: CALLER,
      primaryAttr,
      suid,
      deviceName: 'Pixel 9a',
      confirmedAt: '2026-03-02T09:30:00.000Z',
      trustedUntil: '2026-03-02T09:45:00.000Z',
    },
  });
});

test('doesn’t identify a caller who denies consent (LOGIN_NO_CONSENT)', async () => {
  const { live, qid } = await verifying();
  await answer(qid, 'deny');
  expect(await live.next()).toMatchObject({ state: 'pending' });
  const denied = await live.next();
  expect(denied).toMatchObject({ state: 'denied', resultCode: codeOf('LOGIN_NO_CONSENT') });
  expect(denied.caller).toBeUndefined();
});

test('reports an expired request (EXPIRED), even after its code was typed', async () => {
  for (const isTyped of [false, true]) {
    const { live, code } = await verifying();
    if (isTyped) {
      await portal.authenticator.resolve(phoneOf(CALLER), code);
      await live.next();
    }
    portal.clock.advance(120);
    expect(await live.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
    expect(await outcomeOfCall(portal.authenticator.resolve(phoneOf(CALLER), code))).toBe('EXPIRED');
  }
});

test('accepts a code from one caller in this organisation, on any of the caller’s devices', async () => {
  const { code } = await verifying();
  const resolving = (email: string, type?: 'mobile' | 'desktop') =>
    outcomeOfCall(portal.authenticator.resolve(portal.device(email, type), code));
  expect(await resolving('admin@globex.test')).toBe('EXPIRED');
  expect(await resolving('manager@acme.test', 'desktop')).toBe('SUCCESS');
  expect(await resolving(CALLER)).toBe('EXPIRED');
});

test('lets an agent verify two callers at the same time', async () => {
  const one = await verifying();
  const other = await verifying();
  await answer(other.code, 'approve', 'manager@acme.test');
  await answer(one.code, 'approve');
  await one.live.next();
  await other.live.next();
  expect(await one.live.next()).toMatchObject({ caller: { email: CALLER } });
  expect(await other.live.next()).toMatchObject({ caller: { email: 'manager@acme.test' } });
});

// covers: spec 1.7.30
test('sends the result in the first message after a reconnect', async () => {
  const { live, code, epoch, token } = await verifying();
  live.close();
  await live.closed;
  await answer(code, 'approve');
  const after = await portal.open(verbalLive, { epoch, org: 'acme' }, { token });
  expect(await after.next()).toMatchObject({ state: 'success', caller: { email: CALLER } });
});

test('returns the same codes for a repeated request with the same epoch while it is pending', async () => {
  const { token } = await portal.signIn(STAFF);
  const ask = async () => (await portal.call(startVerbal, { query: { epoch: '1772442600000' } }, { token })).body;
  const first = await ask();
  expect(first.epoch).toBe('1772442600000');
  portal.clock.advance(20);
  expect(await ask()).toEqual({ ...first, idTimeout: 100 });
  const { challenge } = await portal.authenticator.resolve(phoneOf(CALLER), first.code);
  expect((await ask()).code).toBe(first.code);
  await portal.authenticator.respond(phoneOf(CALLER), { challengeId: challenge.challengeId, decision: 'deny' });
  const second = await ask();
  expect(second.code).not.toBe(first.code);
  portal.clock.advance(121);
  expect((await ask()).code).not.toBe(second.code);
});

// covers: spec 1.2.11
test('lets only the agent who started a verification watch it, and only with the permission', async () => {
  const { epoch, token } = await verifying();
  const { token: colleague } = await portal.signIn('helpdesk.admin@acme.test');
  const { token: user } = await portal.signIn(CALLER);
  const { token: foreign } = await portal.signIn('admin@globex.test');
  for (const [query, bearer, status] of [
    [{ epoch, org: 'acme' }, colleague, 404],
    [{ epoch: 'unknown', org: 'acme' }, token, 404],
    [{ epoch, org: 'acme' }, user, 403],
    [{ epoch, org: 'acme' }, foreign, 403],
    [{ epoch, org: 'globex' }, foreign, 404],
    [{ epoch, org: 'globex' }, token, 403],
  ] as const) {
    await expect(portal.open(verbalLive, query, { token: bearer })).rejects.toMatchObject({ status });
  }
  expect((await portal.call(startVerbal, { query: {} }, { token: user })).status).toBe(403);
});

test('doesn’t treat or record a consent as a sign-in', async () => {
  const { token } = await portal.signIn(CALLER);
  const history = async () => (await portal.call(getLoginHistory, { query: { count: 1 } }, { token })).body.records;
  const before = await history();
  const { code, live } = await verifying();
  portal.clock.advance(1);
  await answer(code, 'approve');
  await live.next();
  expect(await live.next()).toMatchObject({ state: 'success' });
  expect(await history()).toEqual(before);
});

test('ends the request when its device is paused before responding', async () => {
  const { code, live } = await verifying();
  const phone = phoneOf('manager@acme.test');
  await portal.authenticator.resolve(phone, code);
  await live.next();
  const { token } = await portal.signIn('helpdesk.admin@acme.test');
  const { suid, primaryAttr } = memberByEmail(portal, 'acme', 'manager@acme.test');
  const body = { zid: phone.zid, suid, primaryAttr, action: 'pause' as const, mode: 'mobile' as const };
  expect((await portal.call(manageDevice, { body }, { token })).body.resultCode).toBe(0);
  expect(await live.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
});

test('issues no code while typing is disabled (DID_NOT_ENABLED)', async () => {
  const { token } = await portal.signIn(STAFF);
  setOrganisation(portal, 'acme', { didEnabled: 0 });
  expect((await portal.call(startVerbal, { query: {} }, { token })).body.resultName).toBe('DID_NOT_ENABLED');
});
