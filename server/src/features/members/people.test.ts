import { activationCodeRepo, memberRepo } from '@orchestrate/db';
import { type AuthState, getLoginHistory, getUser } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let user: AuthState;
let admin: AuthState;
beforeAll(async () => {
  portal = await testPortal();
  user = await portal.signIn('user@acme.test');
  admin = await portal.signIn('super.admin@acme.test');
});
afterAll(() => portal.close());

// covers: spec 1.3.3
test('lets members read their own page, with the devices in use, newest first', async () => {
  const { body } = await portal.call(getUser, { query: {} }, admin);
  expect(body.profile).toMatchObject({
    suid: admin.profile.suid,
    primaryAttr: 'E-10001',
    email: 'super.admin@acme.test',
    primaryEmail: 'super.admin@acme.test',
    role: 'SUPER_ADMIN',
    roleName: 'Super Admin',
    accountStatus: 'active',
    deviceCount: 4,
    lastSeen: portal.clock.iso(),
    activationCode: '',
  });
  const registered = body.devices.map(({ registeredDate }) => registeredDate);
  expect(registered).toEqual([...registered].sort().reverse());
  expect(body.devices.map(({ type, status, nickName }) => [type, status, nickName])).toEqual([
    ['mobile', 'active', 'Pocket'],
    ['desktop', 'active', 'Desk'],
    ['mobile', 'paused', ''],
    ['webauthn', 'active', 'Keyring'],
  ]);
  const thisDevice = body.devices.find(({ zid }) => zid === admin.profile.zid);
  expect(thisDevice?.lastLogin).toBe(portal.clock.iso());
});

// covers: spec 1.7.4
test('finds a member by suid or primary attribute, which must both match if both are given', async () => {
  const { suid, primaryAttr } = user.profile;
  for (const query of [{ suid }, { primaryAttr }, { suid, primaryAttr }]) {
    expect((await portal.call(getUser, { query }, admin)).body.profile.suid).toBe(suid);
  }
  const mixed = await portal.call(getUser, { query: { suid, primaryAttr: 'E-10001' } }, admin);
  expect(mixed).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
});

// covers: spec 1.3.5
test('returns members in every account status', async () => {
  const found = portal.deps.db.$client
    .prepare<[], { suid: string; accountStatus: string }>(
      `SELECT min(suid) AS suid, accountStatus FROM members WHERE orgCode = 'acme' GROUP BY accountStatus`,
    )
    .all();
  expect(found.length).toBeGreaterThanOrEqual(5);
  for (const { suid, accountStatus } of found) {
    const { body } = await portal.call(getUser, { query: { suid } }, admin);
    expect(body.profile.accountStatus).toBe(accountStatus);
  }
});

// covers: spec 1.3.4, security 8.2.3
test('shows an activation code only to members who can issue it', async () => {
  const [row] = portal.deps.db.$client
    .prepare<[number], { suid: string }>(
      `SELECT a.suid FROM activation_codes a JOIN members m ON m.suid = a.suid
       WHERE a.orgCode = 'acme' AND a.type = 'mobile' AND a.usedAt IS NULL AND a.expiresAt > ?`,
    )
    .all(portal.clock.now());
  if (!row) throw new Error("The seed data doesn't contain valid activation code.");
  const query = { suid: row.suid };
  const issued = activationCodeRepo.findActivationCode(portal.deps.db, 'acme', row.suid, 'mobile');
  expect(issued?.code).toMatch(/^\d{6}$/);
  expect((await portal.call(getUser, { query }, admin)).body.profile).toMatchObject({
    activationCode: issued?.code,
    activationExpired: false,
  });
  const security = await portal.signIn('security.admin@acme.test');
  expect((await portal.call(getUser, { query }, security)).body.profile).toMatchObject({
    activationCode: '',
    activationExpired: false,
    activationExpiry: expect.any(String),
  });
});

// covers: spec 1.7.5
test('lists sign-ins newest first, in pages, without repeating or missing any', async () => {
  const seen: string[] = [];
  let lastItem: string | undefined;
  do {
    const { body } = await portal.call(getLoginHistory, { query: { count: 7, lastItem } }, admin);
    expect(body.records.length).toBeLessThanOrEqual(7);
    seen.push(...body.records.map(({ id }) => id));
    lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
  } while (lastItem);
  const all = portal.deps.db.$client
    .prepare<[string], { id: string }>('SELECT id FROM login_history WHERE suid = ? ORDER BY timestamp DESC, id DESC')
    .all(admin.profile.suid);
  expect(all.length).toBeGreaterThan(20);
  expect(seen).toEqual(all.map(({ id }) => id));
});

// covers: spec 1.3.8
test('lists the current sign-in first, with the device’s current nickname', async () => {
  const { body } = await portal.call(getLoginHistory, { query: { count: 1 } }, admin);
  expect(body.records).toEqual([
    {
      id: expect.any(String),
      device: 'Pixel 9 Pro',
      nickName: 'Pocket',
      deviceType: 'mobile',
      appName: expect.any(String),
      timestamp: portal.clock.iso(),
      loginStatus: 'Success',
      mode: 'QID',
      ip: expect.stringMatching(/127\.0\.0\.1$/),
      isDisowned: false,
    },
  ]);
});

// covers: spec 2.8.24
test('rejects a page after an unknown record or another member’s record (AUTH_HISTORY_MISSING)', async () => {
  const others = (await portal.call(getLoginHistory, { query: { count: 1 } }, admin)).body.records[0];
  const unknown = { timestamp: portal.clock.iso(), id: 'unknown' };
  const foreign = { timestamp: others?.timestamp, id: others?.id };
  for (const key of [unknown, foreign]) {
    const answer = await portal.call(getLoginHistory, { query: { lastItem: JSON.stringify(key) } }, user);
    expect(answer).toMatchObject({ status: 200, body: { resultName: 'AUTH_HISTORY_MISSING' } });
  }
});

test.each(['rubbish', '{}', '[]', 'null', '{"timestamp":"yesterday","id":"x"}', '{"timestamp":1,"id":"x"}'])(
  'rejects the page key %s (INVALID_REQUEST)',
  async (lastItem) => {
    expect(await portal.call(getLoginHistory, { query: { lastItem } }, user)).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'lastItem' }] },
    });
  },
);

test('lets a manager read direct reports and hides all other members', async () => {
  const manager = await portal.signIn('manager@acme.test');
  const { suid } = user.profile;
  expect((await portal.call(getUser, { query: { suid } }, manager)).body.profile.suid).toBe(suid);
  expect((await portal.call(getLoginHistory, { query: { suid } }, manager)).body.records.length).toBeGreaterThan(0);
  for (const other of [admin.profile.suid, 'unknown']) {
    expect((await portal.call(getUser, { query: { suid: other } }, manager)).status).toBe(404);
  }
  portal.deps.db.$client.exec(`UPDATE organisations SET allowReporteeSearch = 0 WHERE orgCode = 'acme'`);
  expect((await portal.call(getUser, { query: { suid } }, manager)).status).toBe(403);
  portal.deps.db.$client.exec(`UPDATE organisations SET allowReporteeSearch = 1 WHERE orgCode = 'acme'`);
});

// covers: security 8.2.2
test('doesn’t reveal who exists to members without the permission', async () => {
  const known = await portal.call(getUser, { query: { suid: admin.profile.suid } }, user);
  const unknown = await portal.call(getUser, { query: { suid: 'unknown' } }, user);
  const { requestId: _one, ...first } = known.body;
  const { requestId: _two, ...second } = unknown.body;
  expect([known.status, first]).toEqual([unknown.status, second]);
  expect(first).toMatchObject({ resultName: 'INVALID_PERMISSIONS' });
});

// covers: security T7, security 8.4.1
test('hides members of other organisations', async () => {
  const foreign = memberRepo.findMemberByEmail(portal.deps.db, 'globex', 'admin@globex.test');
  const answer = await portal.call(getUser, { query: { suid: foreign?.suid } }, admin);
  expect(answer).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
});
