import { codeOf, getLoginHistory, getProfile, getUser, login, loginState } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPush, memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { approveQr, beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const begin = (body: Parameters<typeof portal.call<typeof login>>[1]['body']) => portal.call(login, { body });
const poll = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body;

// covers: spec 1.3.2
test('exchanges a scanned and approved sign-in for a session with its member and device', async () => {
  const phone = portal.device('user@acme.test');
  const started = await beginQr(portal);
  const exchangeToken = await approveQr(portal, phone, started);
  const { status, body } = await begin({ loginId: started.loginId, exchangeToken });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    resultCode: 0,
    orgId: 'acme',
    role: 'USER',
    modules: ['Own devices'],
    profile: { email: 'user@acme.test', zid: phone.zid },
  });
  const profile = await portal.call(getProfile, {}, { token: body.token });
  expect(profile.body).toMatchObject({ resultCode: 0, profile: { suid: phone.suid } });
});

// covers: security 16.3.1
test('records an approved sign-in and updates the last-used times of its device and member', async () => {
  portal.clock.advance(3_600);
  const now = portal.clock.iso();
  const { token } = await portal.signIn('user@acme.test');
  const history = await portal.call(getLoginHistory, { query: { count: 1 } }, { token });
  expect(history.body.records).toMatchObject([
    {
      device: 'Pixel 9a',
      deviceType: 'mobile',
      appName: 'Portal',
      timestamp: now,
      loginStatus: 'Success',
      mode: 'QID',
    },
  ]);
  const user = await portal.call(getUser, { query: {} }, { token });
  expect(user.body).toMatchObject({ profile: { lastSeen: now }, devices: [{ lastLogin: now }] });
});

test('accepts a typed code regardless of case, spaces and hyphens', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId = '', did = '', idTimeout, qid } = (await begin({ orgCode: 'acme', mode: 'DID' })).body;
  expect(did).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
  expect(qid).toBeUndefined();
  expect(idTimeout).toBe(120);
  expect(await poll(loginId)).toMatchObject({ state: 'init', resultCode: codeOf('TYPE_CODE_LOGIN_NOT_DONE') });
  await portal.authenticator.resolve(phone, ` ${did.slice(0, 4).toLowerCase()}-${did.slice(4)} `);
  expect(await poll(loginId)).toMatchObject({
    state: 'pending',
    resultCode: codeOf('LOGIN_PENDING'),
    deviceName: 'Pixel 9a',
  });
});

// covers: spec 2.8.26
test('reports unscanned, pending and approved sign-ins to a polling client', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  expect(await poll(loginId)).toMatchObject({ state: 'init', resultCode: codeOf('QR_LOGIN_NOT_DONE') });
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  expect(await poll(loginId)).toMatchObject({ state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  expect(await poll(loginId)).toMatchObject({
    state: 'success',
    resultCode: codeOf('LOGIN_SUCCESS'),
    exchangeToken: expect.any(String),
  });
});

// covers: spec 2.8.26
test('reports rejected, expired and unknown sign-ins to a polling client', async () => {
  const phone = portal.device('user@acme.test');
  const denied = await beginQr(portal);
  const { challenge } = await portal.authenticator.resolve(phone, denied.qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny' });
  expect(await poll(denied.loginId)).toMatchObject({ state: 'rejected', resultCode: codeOf('LOGIN_REJECTED') });
  const late = await beginQr(portal);
  portal.clock.advance(120);
  expect(await poll(late.loginId)).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
  const unknown = await portal.call(loginState, { params: { loginId: 'nobody' } });
  expect(unknown).toMatchObject({ status: 404, body: { resultCode: codeOf('ID_DOESNOT_EXIST') } });
});

// covers: spec 1.7.23
test('finds the member by email or primary attribute in any case, even without an organisation', async () => {
  for (const body of [
    { orgCode: 'acme', primaryAttr: 'User@Acme.test' },
    { orgCode: 'acme', primaryAttr: 'E-10006' },
    { primaryAttr: 'user@acme.test' },
  ]) {
    const { status, body: started } = await begin({ mode: 'PUSH', ...body });
    expect(status).toBe(200);
    expect(started).toMatchObject({
      resultCode: codeOf('LOGIN_INIT'),
      mode: 'PUSH',
      matchNumber: expect.stringMatching(/^[1-9]\d$/),
    });
    const waiting = await portal.authenticator.pending(portal.device('user@acme.test'));
    expect(waiting.map(({ challengeId }) => challengeId)).toEqual([started.loginId]);
    portal.clock.advance(120);
  }
});

test('offers three numbers for a push, reports it as pending and reveals no device', async () => {
  const { loginId, matchNumber } = await beginPush(portal, 'user@acme.test');
  expect(await poll(loginId)).toEqual({ state: 'pending', resultCode: codeOf('LOGIN_PENDING') });
  const [challenge] = await portal.authenticator.pending(portal.device('user@acme.test'));
  expect(challenge?.numberChoices).toContain(matchNumber);
  expect(new Set(challenge?.numberChoices).size).toBe(3);
});

test('approves a push with the number from the browser', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, matchNumber } = await beginPush(portal, 'user@acme.test');
  await portal.authenticator.respond(phone, { challengeId: loginId, decision: 'approve', number: matchNumber });
  const { exchangeToken = '', ...state } = await poll(loginId);
  expect(state).toEqual({ state: 'success', resultCode: codeOf('LOGIN_SUCCESS'), deviceName: 'Pixel 9a' });
  expect((await begin({ loginId, exchangeToken })).body).toMatchObject({ profile: { email: 'user@acme.test' } });
});

// covers: spec 2.8.13
test.each([
  ['ORG_MISSING', 400, { mode: 'QID' }],
  ['ORG_MISSING', 400, { mode: 'WEBAUTHN' }],
  ['ORG_CODE_NOT_FOUND', 400, { mode: 'QID', orgCode: 'nowhere' }],
  ['ORG_CODE_NOT_FOUND', 400, { mode: 'PUSH', orgCode: 'nowhere', primaryAttr: 'user@acme.test' }],
  ['COOKIE_ABSENT', 400, { mode: 'COOKIE', orgCode: 'acme' }],
  ['WEBAUTHN_NOT_ENABLED', 400, { mode: 'WEBAUTHN', orgCode: 'acme' }],
  ['INVALID_REQUEST', 400, { mode: 'PUSH', orgCode: 'acme' }],
  ['INVALID_REQUEST', 400, { mode: 'SMS', orgCode: 'acme' }],
  ['USER_NOT_REGISTERED_FOR_ORG', 400, { mode: 'PUSH', orgCode: 'acme', primaryAttr: 'nobody@acme.test' }],
  ['USER_NOT_REGISTERED_FOR_ORG', 400, { mode: 'PUSH', primaryAttr: 'nobody@acme.test' }],
  ['USER_NOT_REGISTERED_FOR_ORG', 400, { mode: 'PUSH', orgCode: 'globex', primaryAttr: 'user@acme.test' }],
  ['USER_NOT_REGISTERED_FOR_ORG', 400, { mode: 'PUSH', orgCode: 'acme', primaryAttr: 'mara.lindholm@acme.test' }],
  ['USER_NOT_REGISTERED_FOR_ORG', 400, { mode: 'PUSH', orgCode: 'acme', primaryAttr: 'margot.ito@acme.test' }],
  ['USER_INACTIVE', 400, { mode: 'PUSH', orgCode: 'acme', primaryAttr: 'omar.hassan@acme.test' }],
  ['USER_IN_MULTIPLE_ORGS', 400, { mode: 'PUSH', primaryAttr: 'noa.berg@consulting.test' }],
])('returns %s with HTTP %i for %j', async (resultName, status, body) => {
  expect(await portal.http.post('/api/user/login').send(body)).toMatchObject({ status, body: { resultName } });
});

// covers: spec 2.8.17
test('rejects disabled typed codes (DID_NOT_ENABLED) and pushes (USER_NOT_REGISTERED_FOR_ORG)', async () => {
  setOrganisation(portal, 'acme', { didEnabled: 0, mobileAppEnabled: 0 });
  expect(await begin({ orgCode: 'acme', mode: 'DID' })).toMatchObject({
    status: 400,
    body: { resultName: 'DID_NOT_ENABLED' },
  });
  const push = await begin({ orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' });
  expect(push).toMatchObject({ status: 400, body: { resultName: 'USER_NOT_REGISTERED_FOR_ORG' } });
});

// covers: spec 2.8.26, security 2.3.1
test('rejects unapproved (AUTHENTICATION_INCOMPLETE) and denied sign-ins (LOGIN_NO_CONSENT)', async () => {
  const phone = portal.device('user@acme.test');
  const { loginId, qid } = await beginQr(portal);
  expect(await begin({ loginId, exchangeToken: 'early' })).toMatchObject({
    status: 400,
    body: { resultName: 'AUTHENTICATION_INCOMPLETE' },
  });
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny' });
  expect(await begin({ loginId, exchangeToken: 'early' })).toMatchObject({
    status: 400,
    body: { resultName: 'LOGIN_NO_CONSENT' },
  });
});

test('returns the same error for unknown, expired, late and repeated exchanges (EXPIRED)', async () => {
  const phone = portal.device('user@acme.test');
  const refused = { status: 400, body: { resultName: 'EXPIRED' } };
  expect(await begin({ loginId: 'unknown', exchangeToken: 'any' })).toMatchObject(refused);
  const expired = await beginQr(portal);
  portal.clock.advance(120);
  expect(await begin({ loginId: expired.loginId, exchangeToken: 'any' })).toMatchObject(refused);
  const { loginId, ...started } = await beginQr(portal);
  const exchangeToken = await approveQr(portal, phone, { loginId, ...started });
  const other = await beginQr(portal);
  expect(await begin({ loginId, exchangeToken: 'wrong' })).toMatchObject(refused);
  expect(await begin({ loginId, exchangeToken: await approveQr(portal, phone, other) })).toMatchObject(refused);
  expect((await begin({ loginId, exchangeToken })).body.resultCode).toBe(0);
  expect(await begin({ loginId, exchangeToken })).toMatchObject(refused);
  const late = await beginQr(portal);
  const lateToken = await approveQr(portal, phone, late);
  portal.clock.advance(60);
  expect(await begin({ loginId: late.loginId, exchangeToken: lateToken })).toMatchObject(refused);
});

// covers: security 7.2.4
test('creates exactly one session for ten concurrent exchanges', async () => {
  const started = await beginQr(portal);
  const exchangeToken = await approveQr(portal, portal.device('user@acme.test'), started);
  const exchange = () => begin({ loginId: started.loginId, exchangeToken });
  const answers = await Promise.all(Array.from({ length: 10 }, exchange));
  expect(answers.map(({ body }) => body.resultCode).toSorted()).toEqual([0, ...Array(9).fill(10)].toSorted());
});

test('rejects a member disabled between approval and exchange (USER_INACTIVE)', async () => {
  const started = await beginQr(portal);
  const exchangeToken = await approveQr(portal, portal.device('user@acme.test'), started);
  setMember(portal, memberByEmail(portal, 'acme', 'user@acme.test').suid, { accountStatus: 'inactive' });
  const refused = await begin({ loginId: started.loginId, exchangeToken });
  expect(refused).toMatchObject({ status: 400, body: { resultName: 'USER_INACTIVE' } });
});

// covers: security 6.1.3, security 6.3.4
test('rejects every sign-in method from a disallowed IP address (IP_NOT_VALID)', async () => {
  const started = await beginQr(portal);
  const exchangeToken = await approveQr(portal, portal.device('user@acme.test'), started);
  setOrganisation(portal, 'acme', { allowedIps: '["10.0.0.0/8","2001:db8::/32"]' });
  const refused = { status: 400, body: { resultName: 'IP_NOT_VALID' } };
  for (const mode of ['QID', 'DID'] as const) expect(await begin({ orgCode: 'acme', mode })).toMatchObject(refused);
  expect(await begin({ orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' })).toMatchObject(refused);
  expect(await begin({ mode: 'PUSH', primaryAttr: 'user@acme.test' })).toMatchObject(refused);
  expect(await begin({ loginId: started.loginId, exchangeToken })).toMatchObject(refused);
  expect((await begin({ orgCode: 'globex', mode: 'QID' })).body.resultCode).toBe(codeOf('LOGIN_INIT'));
  setOrganisation(portal, 'acme', { allowedIps: '["10.0.0.0/8","127.0.0.1","::1"]' });
  expect((await begin({ loginId: started.loginId, exchangeToken })).body.resultCode).toBe(0);
});
