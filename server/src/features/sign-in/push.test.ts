import { codeOf, DAY, HOUR, login, loginLive, loginState, MINUTE, readOutbox, SECOND } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAppSignIn } from '#core/sign-in/app-logins/begin-app-login.ts';
import { createRecognisedBrowser } from '#testing/browser.ts';
import { makeDeviceNew, postFrom, setOrganisation } from '#testing/device.ts';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
});
afterEach(() => portal.close());

const USER = 'user@acme.test';
const HOME = '198.51.100.7';
const STRANGER = '203.0.113.9';

const askFrom = (ip: string, primaryAttr = USER, fields: object = {}, headers = {}) =>
  postFrom(portal, ip, login.path, { orgCode: 'acme', mode: 'PUSH', primaryAttr, ...fields }, headers);
const startedFrom = async (ip: string, primaryAttr = USER) => {
  const { body } = await askFrom(ip, primaryAttr);
  return { loginId: String(body.loginId), matchNumber: String(body.matchNumber) };
};
const waiting = async (email = USER) => portal.authenticator.pending(portal.device(email));
const stateOf = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body;
const deny = (challengeId: string, reason: 'not-me' | 'cancel' = 'cancel') =>
  portal.authenticator.respond(portal.device(USER), { challengeId, decision: 'deny', reason });
const approve = (challengeId: string, number: string) =>
  portal.authenticator.respond(portal.device(USER), { challengeId, decision: 'approve', number });
const alerts = async () =>
  (await portal.call(readOutbox, { query: { to: 'super.admin@acme.test' } })).body.messages.filter(({ subject }) =>
    subject.startsWith('Security: '),
  );

describe('with account privacy enabled', () => {
  const NAMES = [
    ['known', USER],
    ['unknown', 'nobody@acme.test'],
    ['unregistered', 'mara.lindholm@acme.test'],
    ['disabled', 'omar.hassan@acme.test'],
    ['deleted', 'margot.ito@acme.test'],
    ['in another organisation', 'admin@globex.test'],
  ] as const;

  test.each(NAMES)('makes a push to a name that is %s look unanswered with every method', async (_, name) => {
    const { status, body } = await askFrom(HOME, name);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        resultCode: codeOf('LOGIN_INIT'),
        mode: 'PUSH',
        idTimeout: 120,
        loginId: expect.stringMatching(/^[\w-]{22}$/),
        matchNumber: expect.stringMatching(/^[1-9]\d$/),
      },
    });
    const loginId = String(body.loginId);
    expect(await stateOf(loginId)).toEqual({ state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
    const channel = await portal.open(loginLive, { loginId });
    const first = await channel.next();
    expect(first).toMatchObject({ op: 'LOGIN', state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
    expect(first.deviceName).toBeUndefined();
    const exchange = await postFrom(portal, HOME, login.path, { loginId, exchangeToken: 'guessed' });
    expect(exchange).toMatchObject({ status: 400, body: { resultCode: codeOf('AUTHENTICATION_INCOMPLETE') } });
    portal.clock.advance(120);
    expect(await channel.next()).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
    expect(await stateOf(loginId)).toEqual({ state: 'expired', resultCode: codeOf('EXPIRED') });
    await channel.close();
  });

  test.each(NAMES)('rejects a third push from one network to a name that is %s (429)', async (_, name) => {
    for (let attempt = 0; attempt < 2; attempt += 1) expect((await askFrom(HOME, name)).status).toBe(200);
    portal.clock.advance(20);
    const { status, headers, body } = await askFrom(HOME, name.toUpperCase());
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '100' });
    expect(body).toMatchObject({
      resultName: 'BAD_REQUEST',
      message: '2 requests are already pending for this name. Answer one on your device, or try again in 2 minutes.',
    });
    expect((await askFrom(STRANGER, name)).body.resultCode).toBe(codeOf('LOGIN_INIT'));
    portal.clock.advance(100);
    expect((await askFrom(HOME, name)).status).toBe(200);
  });

  test('treats pushes for application sign-ins the same and counts them towards the same limit', async () => {
    const own = createRecognisedBrowser(portal);
    const beginApp = () =>
      startAppSignIn(portal.deps, {
        orgCode: 'acme',
        appId: 'payroll',
        protocol: 'oidc' as const,
        request: '',
        loginHint: '',
        needsStepUp: false,
        browser: own.browser,
      }).id;
    for (const name of [USER, 'nobody@acme.test']) {
      expect((await askFrom(HOME, name, { appLoginId: beginApp() }, { cookie: own.cookie })).body.resultCode).toBe(
        codeOf('LOGIN_INIT'),
      );
      expect((await askFrom(HOME, name)).body.resultCode).toBe(codeOf('LOGIN_INIT'));
      expect((await askFrom(HOME, name, { appLoginId: beginApp() }, { cookie: own.cookie })).status).toBe(429);
    }
  });

  test('reveals no members for a push without an organisation (USER_NOT_REGISTERED_FOR_ORG)', async () => {
    for (const primaryAttr of [USER, 'nobody@acme.test']) {
      expect(await askFrom(HOME, primaryAttr, { orgCode: undefined })).toMatchObject({
        status: 400,
        body: { resultName: 'USER_NOT_REGISTERED_FOR_ORG' },
      });
    }
  });

  test('makes a stranger’s push look unanswered during the pause after a denial', async () => {
    const { loginId } = await startedFrom(STRANGER);
    await deny(loginId, 'not-me');
    const { status, body } = await askFrom('192.0.2.44');
    expect({ status, resultCode: body.resultCode }).toEqual({ status: 200, resultCode: codeOf('LOGIN_INIT') });
    expect(await waiting()).toEqual([]);
    expect(await stateOf(String(body.loginId))).toEqual({ state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
  });
});

test('delivers only two of sixty concurrent pushes from sixty addresses', async () => {
  const names = Array.from({ length: 60 }, (_, index) =>
    askFrom(`198.18.0.${index}`, index % 2 === 0 ? USER : 'E-10006'),
  );
  const answers = await Promise.all(names);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(await waiting()).toHaveLength(2);
});

test('delays requests after the second cancellation but not the first', async () => {
  await deny((await startedFrom(HOME)).loginId);
  await deny((await startedFrom(HOME)).loginId);
  expect((await askFrom(HOME)).headers['retry-after']).toBe('30');
});

test('ignores reports dated in the future after a clock change, for pauses and alerts', async () => {
  const started = portal.clock.setting();
  portal.clock.advance((31 * DAY) / SECOND);
  await deny((await startedFrom(STRANGER)).loginId, 'not-me');
  const { length } = await alerts();
  portal.clock.set(started);
  await deny((await startedFrom(STRANGER)).loginId, 'not-me');
  expect(await alerts()).toHaveLength(2 * length);
});

test('extends the pause with each report and ends it after an approved sign-in', async () => {
  const pauses = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, HOUR];
  for (const pause of pauses) {
    const { loginId } = await startedFrom(STRANGER);
    await deny(loginId, 'not-me');
    const refused = await askFrom(STRANGER);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': String(pause / SECOND) },
      body: { resultName: 'BAD_REQUEST', message: expect.stringContaining('was denied on the device') },
    });
    portal.clock.advance(pause / SECOND - 1);
    expect((await askFrom(STRANGER)).status).toBe(429);
    portal.clock.advance(1);
  }
  const { loginId, matchNumber } = await startedFrom(STRANGER);
  await approve(loginId, matchNumber);
  const again = await startedFrom(STRANGER);
  await deny(again.loginId, 'not-me');
  expect((await askFrom(STRANGER)).headers['retry-after']).toBe('30');
  portal.clock.advance(DAY / SECOND);
  await deny((await startedFrom(STRANGER)).loginId, 'not-me');
  portal.clock.advance(30);
  expect((await askFrom(STRANGER)).status).toBe(200);
});

test('doesn’t block a member’s usual browser or network after denying a stranger', async () => {
  const own = await startedFrom(HOME);
  await approve(own.loginId, own.matchNumber);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await deny((await startedFrom(STRANGER)).loginId, 'not-me');
    portal.clock.advance(HOUR / SECOND);
  }
  await deny((await startedFrom(STRANGER)).loginId, 'not-me');
  const { loginId } = await startedFrom(HOME);
  expect((await waiting()).map(({ challengeId }) => challengeId)).toEqual([loginId]);
});

test('lets a new device deny a sign-in without pausing requests, ending sign-ins or alerting', async () => {
  makeDeviceNew(portal, portal.device(USER));
  const open = await startedFrom(STRANGER);
  for (const _ of [1, 2, 3]) {
    const { loginId } = await startedFrom(STRANGER);
    expect(await deny(loginId, 'not-me')).toMatchObject({ endedSignIns: 0 });
    expect(await stateOf(loginId)).toMatchObject({ state: 'rejected' });
    await deny((await startedFrom(STRANGER)).loginId);
  }
  expect((await waiting()).map(({ challengeId }) => challengeId)).toEqual([open.loginId]);
  expect(await alerts()).toEqual([]);
});

test('doesn’t end a pause after an approval by a new device', async () => {
  const { loginId, matchNumber } = await startedFrom(STRANGER);
  await deny((await startedFrom(STRANGER)).loginId);
  await deny((await startedFrom(STRANGER)).loginId);
  makeDeviceNew(portal, portal.device(USER));
  await approve(loginId, matchNumber);
  expect((await askFrom(STRANGER)).headers['retry-after']).toBe('30');
});

test('counts wrong numbers as denials', async () => {
  for (let tries = 0; tries < 2; tries += 1) {
    const { loginId, matchNumber } = await startedFrom(STRANGER);
    await expect(approve(loginId, matchNumber === '10' ? '11' : '10')).rejects.toThrow();
  }
  expect((await askFrom(STRANGER)).status).toBe(429);
});

describe('“It wasn’t me”', () => {
  test('immediately ends the requester’s other sign-ins, even approved ones, but no one else’s', async () => {
    const phone = portal.device(USER);
    const scanFrom = async (ip: string, device = phone) => {
      const { body } = await postFrom(portal, ip, login.path, { orgCode: 'acme', mode: 'QID' });
      await portal.authenticator.resolve(device, String(body.qid));
      return String(body.loginId);
    };
    const scanned = await scanFrom(STRANGER);
    const approved = await scanFrom(STRANGER);
    await portal.authenticator.respond(phone, { challengeId: approved, decision: 'approve' });
    const { exchangeToken = '' } = await stateOf(approved);
    const toSomebodyElse = await startedFrom(STRANGER, 'manager@acme.test');
    const second = await startedFrom(STRANGER);
    const elsewhere = await scanFrom(HOME);
    const colleague = await beginQr(portal);
    const reported = await startedFrom(STRANGER);

    const { endedSignIns } = await deny(reported.loginId, 'not-me');
    expect(endedSignIns).toBe(4);
    for (const loginId of [reported.loginId, scanned, approved, toSomebodyElse.loginId, second.loginId]) {
      expect(await stateOf(loginId)).toMatchObject({ state: 'rejected', resultCode: codeOf('LOGIN_REJECTED') });
    }
    const exchange = await postFrom(portal, STRANGER, login.path, { loginId: approved, exchangeToken });
    expect(exchange).toMatchObject({ status: 400, body: { resultCode: codeOf('LOGIN_NO_CONSENT') } });
    expect(await waiting()).toEqual([]);
    expect(await waiting('manager@acme.test')).toEqual([]);
    expect(await stateOf(elsewhere)).toMatchObject({ state: 'pending' });
    expect(await stateOf(colleague.loginId)).toMatchObject({ state: 'init' });
  });

  // covers: security 16.3.2, security 16.3.3
  test('alerts the administrators with member, location and time, and keeps a record', async () => {
    const { loginId } = await startedFrom(STRANGER);
    await deny(loginId, 'not-me');
    const [mail] = await alerts();
    for (const part of [USER, STRANGER, 'A sign-in to Portal', '02 Mar 2026, 09:30 UTC']) {
      expect(mail?.text).toContain(part);
    }
    const event = portal.deps.db.$client
      .prepare<[], { actorKind: string; suid: string; ip: string; changes: string }>(
        "SELECT actorKind, suid, ip, changes FROM audit_events WHERE action = 'fraud.reported'",
      )
      .get();
    expect(event).toMatchObject({ actorKind: 'device', suid: portal.device(USER).suid });
    expect(event?.changes).toContain(STRANGER);
    const reasons = portal.deps.db.$client
      .prepare("SELECT reason FROM login_history WHERE suid = ? AND ip = ? AND loginStatus = 'Failed'")
      .pluck()
      .all(portal.device(USER).suid, STRANGER);
    expect(reasons).toEqual(['not-me']);
  });

  test('also works for a scanned code', async () => {
    const { loginId, qid } = await beginQr(portal);
    await portal.authenticator.resolve(portal.device(USER), qid);
    expect(await deny(loginId, 'not-me')).toMatchObject({ endedSignIns: 0 });
    expect(await alerts()).toHaveLength(1);
  });

  test('isn’t assumed if the member only cancels the request', async () => {
    const { loginId } = await startedFrom(STRANGER);
    expect(await deny(loginId)).toEqual({ resultCode: 0 });
    expect(await alerts()).toEqual([]);
  });
});
