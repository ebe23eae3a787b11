import { signingKeyRepo } from '@orchestrate/db';
import {
  type AuthState,
  getLoginHistory,
  getProfile,
  LIMITS,
  logout,
  manageDevice,
  type ResultName,
  refresh,
  setLanguage,
} from '@orchestrate/shared';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';

let portal: TestPortal;
let auth: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  auth = await portal.signIn(USER);
});
afterEach(() => portal.close());

const profileWith = (token: string | undefined) => portal.call(getProfile, {}, { token });
const renew = (refreshToken: string) => portal.call(refresh, { body: { refreshToken } });

async function expectRefused(answer: Promise<{ status: number; body: { resultName?: string } }>, result: ResultName) {
  expect(await answer).toMatchObject({ status: 401, body: { resultName: result } });
}

// covers: spec 1.3.1, spec 1.7.22
test('returns the signed-in member’s profile with the device of this sign-in', async () => {
  const { status, body, headers } = await profileWith(auth.token);
  expect(status).toBe(200);
  expect(body.profile).toEqual(auth.profile);
  expect(body.profile).toMatchObject({
    email: USER,
    zid: portal.device(USER).zid,
    orgId: 'acme',
    roleCode: 'USER',
    permissions: ['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE'],
  });
  expect(headers.date).toBe(new Date(portal.clock.now()).toUTCString());
});

test('lets members choose a language for all their browsers, or none', async () => {
  const choose = (language: 'de' | null) => portal.call(setLanguage, { body: { language } }, { token: auth.token });
  expect(auth.profile.language).toBeNull();
  expect((await choose('de')).body.profile).toEqual({ ...auth.profile, language: 'de' });
  expect((await portal.signIn(USER)).profile.language).toBe('de');
  expect((await portal.signIn('manager@acme.test')).profile.language).toBeNull();
  expect((await choose(null)).body.profile.language).toBeNull();
  expect((await profileWith(auth.token)).body.profile.language).toBeNull();

  const { status, body } = await portal.http
    .put('/api/profile/language')
    .set('authorization', `Bearer ${auth.token}`)
    .send({ language: 'xx' });
  expect([status, body]).toMatchObject([400, { issues: [{ path: 'language' }] }]);
});

// covers: spec 1.6.11
test('grants managers the permissions for direct reports while the organisation allows it', async () => {
  const { token, profile } = await portal.signIn('manager@acme.test');
  expect(profile.permissions).toEqual(expect.arrayContaining(['GET_ALL_REPORTEES', 'REMOVE_REPORTEE_DEVICE']));
  portal.deps.db.$client.exec(`UPDATE organisations SET allowReporteeSearch = 0 WHERE orgCode = 'acme'`);
  const { body } = await profileWith(token);
  expect(body.profile.permissions).toEqual(['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE']);
});

// covers: security 7.2.1–7.2.3, security 7.3.1, security 9.2.1
test('expires access tokens after ten minutes', async () => {
  portal.clock.advance(LIMITS.accessTokenSeconds - 1);
  expect((await profileWith(auth.token)).status).toBe(200);
  portal.clock.advance(1);
  await expectRefused(profileWith(auth.token), 'UNAUTHORIZED');
  // The second call hits the cache of verified tokens and must be refused too.
  await expectRefused(profileWith(auth.token), 'UNAUTHORIZED');
});

// covers: spec 1.7.1, spec 2.8.14, security 9.1.1
test('returns 401 for a missing or malformed token', async () => {
  const [header = '', payload = '', signature = ''] = auth.token.split('.');
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  const tampered = Buffer.from(payload, 'base64url').toString().replace('"USER"', '"SUPER_ADMIN"');
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const bad = [
    undefined,
    '',
    'x',
    'a.b.c',
    auth.refreshToken,
    `${header}.${payload}.${flipped}`,
    `${header}.${Buffer.from(tampered).toString('base64url')}.${signature}`,
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${auth.token}x`,
    'x'.repeat(10_000),
  ];
  for (const token of bad) await expectRefused(profileWith(token), 'UNAUTHORIZED');
  await portal.http.get('/api/profile').set('authorization', `Basic ${auth.token}`).expect(401);
});

/** Returns a token signed with the portal's key. It is valid apart from the overridden claims and headers. */
async function forged(payload: JWTPayload, header: { typ?: string; kid?: string } = {}): Promise<string> {
  const [key] = signingKeyRepo.listSigningKeys(portal.deps.db, 'session');
  if (!key) throw new Error('The key is missing.');
  const { sub, org, role, zid, sid } = JSON.parse(Buffer.from(auth.token.split('.')[1] ?? '', 'base64url').toString());
  const now = Math.floor(portal.clock.now() / 1_000);
  const claims = { sub, org, role, zid, sid, iss: 'urn:orchestrate:portal', aud: 'urn:orchestrate:api', exp: now + 60 };
  return new SignJWT({ ...claims, ...payload })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(key.privateJwk, 'ES256'));
}

// covers: security 7.2.1–7.2.3, security 9.2.2
test('accepts only access tokens issued by and for this portal', async () => {
  expect((await profileWith(await forged({}))).status).toBe(200);
  await expectRefused(profileWith(await forged({}, { typ: 'JWT' })), 'UNAUTHORIZED');
  await expectRefused(profileWith(await forged({}, { kid: 'other' })), 'UNAUTHORIZED');
  await expectRefused(profileWith(await forged({ aud: 'https://else.test' })), 'UNAUTHORIZED');
  await expectRefused(profileWith(await forged({ iss: 'https://else.test' })), 'UNAUTHORIZED');
  await expectRefused(profileWith(await forged({ sid: undefined })), 'UNAUTHORIZED');
  await expectRefused(profileWith(await forged({ exp: undefined })), 'UNAUTHORIZED');
});

test('rejects a token whose organisation doesn’t match its session', async () => {
  await expectRefused(profileWith(await forged({ org: 'globex' })), 'INVALID_SESSION');
  await expectRefused(profileWith(await forged({ sid: 'unknown' })), 'INVALID_SESSION');
});

test('publishes only the public key', async () => {
  const { keys }: { keys: Record<string, string>[] } = (await portal.http.get('/.well-known/jwks.json')).body;
  expect(keys).toHaveLength(1);
  expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  expect(keys[0]).not.toHaveProperty('d');
});

// covers: spec 1.7.25
test('exchanges a refresh token for a new pair of tokens that can be renewed again', async () => {
  const first = await renew(auth.refreshToken);
  expect(first.status).toBe(200);
  expect(first.body.refreshToken).not.toBe(auth.refreshToken);
  expect((await profileWith(first.body.token)).body.profile.email).toBe(USER);
  expect((await renew(first.body.refreshToken)).status).toBe(200);
});

test('returns the same tokens if a refresh token is resent within ten seconds', async () => {
  await renew(auth.refreshToken);
  portal.clock.advance(LIMITS.refreshReplayGraceSeconds);
  const again = await renew(auth.refreshToken);
  expect(again.status).toBe(200);
  expect((await renew(again.body.refreshToken)).status).toBe(200);
});

// covers: spec 2.8.24
test('ends the session for every token holder if a refresh token is replayed later', async () => {
  const first = await renew(auth.refreshToken);
  portal.clock.advance(LIMITS.refreshReplayGraceSeconds + 1);
  await expectRefused(renew(auth.refreshToken), 'INVALID_SESSION');
  await expectRefused(profileWith(first.body.token), 'INVALID_SESSION');
  await expectRefused(renew(first.body.refreshToken), 'INVALID_SESSION');
});

test('continues a single token chain after concurrent renewals', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => renew(auth.refreshToken)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
  const [first] = answers;
  const next = await renew(first?.body.refreshToken ?? '');
  expect(next.body.refreshToken).not.toBe(first?.body.refreshToken);
  portal.clock.advance(LIMITS.refreshReplayGraceSeconds + 1);
  await expectRefused(renew(first?.body.refreshToken ?? ''), 'INVALID_SESSION');
  await expectRefused(renew(next.body.refreshToken), 'INVALID_SESSION');
});

test('stores refresh tokens so that a database leak doesn’t reveal the next token', async () => {
  const { body } = await renew(auth.refreshToken);
  const rows = portal.deps.db.$client.prepare('SELECT * FROM refresh_tokens').all();
  expect(JSON.stringify(rows)).not.toContain(body.refreshToken);
  expect(JSON.stringify(rows)).not.toContain(auth.refreshToken);
});

test('rejects an unknown refresh token', async () => {
  await expectRefused(renew('unknown'), 'INVALID_SESSION');
  await expectRefused(renew(auth.token.slice(0, 200)), 'INVALID_SESSION');
});

// covers: security 7.4.1
test('ends only the current session on logout, with immediate effect', async () => {
  const other = await portal.signIn(USER);
  const { body } = await portal.call(logout, { body: {} }, { token: auth.token });
  expect(body).toEqual({ resultCode: 0 });
  await expectRefused(profileWith(auth.token), 'INVALID_SESSION');
  await expectRefused(renew(auth.refreshToken), 'INVALID_SESSION');
  expect((await profileWith(other.token)).status).toBe(200);
});

test('logs out another of the member’s own sessions by refresh token, but no other member’s', async () => {
  const own = await portal.signIn(USER);
  const others = await portal.signIn('manager@acme.test');
  for (const { refreshToken } of [own, others]) {
    const { token } = await portal.signIn(USER);
    await portal.call(logout, { body: { refreshToken } }, { token });
  }
  await expectRefused(profileWith(own.token), 'INVALID_SESSION');
  expect((await profileWith(others.token)).status).toBe(200);
});

// covers: security 7.1.1–7.1.3, security 7.3.2
test('ends a session at the organisation’s time limit, no matter how often it was renewed', async () => {
  portal.deps.db.$client.exec(`UPDATE organisations SET sessionTimeout = 15 WHERE orgCode = 'acme'`);
  const short = await portal.signIn(USER);
  portal.clock.advance(9 * 60);
  const renewed = await renew(short.refreshToken);
  portal.clock.advance(6 * 60 - 1);
  expect((await profileWith(renewed.body.token)).status).toBe(200);
  portal.clock.advance(1);
  await expectRefused(profileWith(renewed.body.token), 'UNAUTHORIZED');
  await expectRefused(renew(renewed.body.refreshToken), 'INVALID_SESSION');
});

test.each([
  ['the member is disabled', `UPDATE members SET accountStatus = 'inactive' WHERE suid = ?`],
  ['the member is deleted', `UPDATE members SET accountStatus = 'deleted' WHERE suid = ?`],
  ['the device is paused', `UPDATE devices SET status = 'paused' WHERE suid = ?`],
  ['the device is removed', `UPDATE devices SET status = 'removed' WHERE suid = ?`],
  ['the device is reported lost', `UPDATE devices SET status = 'lost' WHERE suid = ?`],
])('rejects calls and renewals after %s', async (_cause, statement) => {
  portal.deps.db.$client.prepare(statement).run(auth.profile.suid);
  await expectRefused(profileWith(auth.token), 'INVALID_SESSION');
  await expectRefused(renew(auth.refreshToken), 'INVALID_SESSION');
});

test('keeps a session ended after its paused device is enabled again', async () => {
  const manager = await portal.signIn('manager@acme.test');
  const { token } = await portal.signIn('helpdesk.admin@acme.test');
  const { suid, zid } = manager.profile;
  for (const action of ['pause', 'enable'] as const) {
    expect((await portal.call(manageDevice, { body: { suid, zid, action } }, { token })).body).toEqual({
      resultCode: 0,
    });
  }
  await expectRefused(profileWith(manager.token), 'INVALID_SESSION');
  await expectRefused(renew(manager.refreshToken), 'INVALID_SESSION');
});

test('applies a changed role to the next call', async () => {
  expect((await portal.call(getLoginHistory, { query: { primaryAttr: 'E-10001' } }, auth)).status).toBe(403);
  portal.deps.db.$client
    .prepare(`UPDATE members SET roleCode = 'HELPDESK_ADMIN' WHERE suid = ?`)
    .run(auth.profile.suid);
  expect((await profileWith(auth.token)).body.profile.roleCode).toBe('HELPDESK_ADMIN');
  expect((await portal.call(getLoginHistory, { query: { primaryAttr: 'E-10001' } }, auth)).status).toBe(200);
});
