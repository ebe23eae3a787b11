import { loginHistoryRepo, memberRepo } from '@orchestrate/db';
import {
  countActivityDays,
  countSignInDays,
  DAY,
  exportActivity,
  listActivity,
  listAppSignIns,
  listMemberActivity,
  listSignIns,
  MINUTE,
  manageUser,
  SECOND,
  type SignInRecord,
  updateUser,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { record } from '#core/audit/record.ts';
import { systemActor } from '#platform/http/callers/actors.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('security.admin@acme.test'));
});
afterEach(() => portal.close());

function member(email: string) {
  const found = memberRepo.findMemberByEmail(portal.deps.db, 'acme', email);
  if (!found) throw new Error(`There is no ${email}.`);
  return found;
}

/** Creates roles one minute apart. */
function makeRoles(names: readonly string[], orgCode = 'acme'): void {
  const { deps, clock } = portal;
  names.forEach((name, index) => {
    clock.freeze(TEST_NOW + index * MINUTE);
    const object = { type: 'role', id: `ROLE_${index}`, name } as const;
    record(deps, deps.db, systemActor(orgCode), { action: 'role.created', object, after: { name } });
  });
  clock.freeze(TEST_NOW);
}

test('returns a change with its actor, its object, and its fields before and after', async () => {
  const { suid, firstName, lastName } = member('user@acme.test');
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  const { body } = await portal.call(listActivity, { query: {} }, { token });
  const admin = member('security.admin@acme.test');
  expect(body.Items).toEqual([
    {
      id: expect.any(String),
      at: new Date(TEST_NOW).toISOString(),
      action: 'member.paused',
      actor: {
        kind: 'member',
        suid: admin.suid,
        name: `${admin.firstName} ${admin.lastName}`,
        mode: 'QID',
        ip: expect.stringMatching(/127\.0\.0\.1|::1/),
      },
      object: { type: 'member', id: suid, name: `${firstName} ${lastName}` },
      suid,
      changes: [{ field: 'accountStatus', before: 'active', after: 'inactive' }],
    },
  ]);
  expect(body.LastEvaluatedKey).toBeNull();
});

// covers: spec 3.1.2
test('finds all events that match two filters, in pages and in the export', async () => {
  const { deps, clock } = portal;
  const admin = { ...systemActor('acme'), kind: 'member', suid: member('security.admin@acme.test').suid } as const;
  const wanted = [0, 1, 2_500, 5_999];
  deps.db.transaction((tx) => {
    for (let index = 0; index < 6_000; index += 1) {
      clock.freeze(TEST_NOW - (6_000 - index) * SECOND);
      const object = { type: 'role', id: `ROLE_${index}`, name: `Role ${index}` } as const;
      const isWanted = wanted.includes(index);
      const actor = isWanted || index % 2 === 0 ? admin : systemActor('acme');
      record(deps, tx, actor, { action: actor === admin && !isWanted ? 'role.created' : 'role.deleted', object });
    }
  });
  clock.freeze(TEST_NOW);
  const filters = { actor: admin.suid, action: 'role.deleted' } as const;
  const names: string[] = [];
  let lastItem: string | undefined;
  do {
    const { body } = await portal.call(listActivity, { query: { ...filters, pageSize: 1, lastItem } }, { token });
    names.push(...body.Items.map(({ object }) => object.name));
    lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
  } while (lastItem);
  expect(names).toEqual(['Role 5999', 'Role 2500', 'Role 1', 'Role 0']);
  const withText = await portal.call(listActivity, { query: { ...filters, q: 'role.' } }, { token });
  expect(withText.body.Items.map(({ object }) => object.name)).toEqual(names);
  const rareText = await portal.call(listActivity, { query: { ...filters, q: 'role 2500' } }, { token });
  expect(rareText.body.Items.map(({ object }) => object.name)).toEqual(['Role 2500']);
  const to = new Date(TEST_NOW - 4_000 * SECOND).toISOString();
  const early = await portal.call(listActivity, { query: { ...filters, to } }, { token });
  expect(early.body.Items.map(({ object }) => object.name)).toEqual(['Role 1', 'Role 0']);
  const { text } = await portal.http
    .get('/api/org/activity/export')
    .query({ ...filters, format: 'ndjson' })
    .auth(token, { type: 'bearer' });
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).object.name)).toEqual(names);
});

test('pages events without gaps even if more are recorded in between', async () => {
  makeRoles(['a', 'b', 'c', 'd', 'e']);
  const names: string[] = [];
  let lastItem: string | undefined;
  do {
    const { body } = await portal.call(listActivity, { query: { pageSize: 2, lastItem } }, { token });
    names.push(...body.Items.map(({ object }) => object.name));
    lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
    portal.clock.freeze(TEST_NOW + 60 * MINUTE);
    record(portal.deps, portal.deps.db, systemActor('acme'), {
      action: 'role.created',
      object: { type: 'role', id: 'NEW', name: 'new' },
    });
    portal.clock.freeze(TEST_NOW);
  } while (lastItem !== undefined);
  expect(names).toEqual(['e', 'd', 'c', 'b', 'a']);
});

test('searches events by text, object, actor kind and time', async () => {
  makeRoles(['Auditor', 'Night Auditor', 'Clerk']);
  makeRoles(['Auditor'], 'globex');
  const find = async (query: object) =>
    (await portal.call(listActivity, { query }, { token })).body.Items.map(({ object }) => object.name);
  expect(await find({ q: 'AUDIT' })).toEqual(['Night Auditor', 'Auditor']);
  expect(await find({ objectType: 'role', objectId: 'ROLE_2' })).toEqual(['Clerk']);
  expect(await find({ actorKind: 'system', action: 'role.created' })).toHaveLength(3);
  expect(await find({ actorKind: 'lab' })).toEqual([]);
  const from = new Date(TEST_NOW + MINUTE).toISOString();
  const to = new Date(TEST_NOW + 2 * MINUTE).toISOString();
  expect(await find({ from, to })).toEqual(['Night Auditor']);
  expect((await portal.call(listActivity, { query: { q: 'au' } }, { token })).status).toBe(400);
});

test('rejects a forged page key', async () => {
  for (const lastItem of ['{}', '{"id":"x"}', 'nonsense', '{"id":-1}']) {
    expect((await portal.call(listActivity, { query: { lastItem } }, { token })).status).toBe(400);
  }
});

test('shows members changes to their own account, without other people’s addresses', async () => {
  const { suid, primaryAttr, firstName, primaryEmail } = member('user@acme.test');
  const admin = await portal.signIn('helpdesk.admin@acme.test');
  const own = await portal.signIn('user@acme.test');
  const edit = (lastName: string, whose: string) =>
    portal.call(updateUser, { body: { primaryAttr, firstName, lastName, primaryEmail } }, { token: whose });
  await edit('By an administrator', admin.token);
  await edit('By myself', own.token);
  const { body } = await portal.call(listMemberActivity, { query: {} }, { token: own.token });
  expect(body.Items.map(({ actor }) => actor.name)).toEqual([
    expect.stringContaining('By an administrator'),
    `${admin.profile.firstName} ${admin.profile.lastName}`,
  ]);
  expect(body.Items.map(({ actor }) => actor.ip === '')).toEqual([false, true]);
  const seen = await portal.call(listMemberActivity, { query: { suid } }, { token });
  expect(seen.body.Items.map(({ actor }) => actor.ip === '')).toEqual([false, false]);
  const other = { query: { suid: admin.profile.suid } };
  expect((await portal.call(listMemberActivity, other, { token: own.token })).status).toBe(403);
});

test('counts changes by day, with the same filters as the list', async () => {
  makeRoles(['Readers', 'Writers']);
  portal.clock.advance(DAY / SECOND);
  makeRolesLater();
  const auth = await portal.signIn('security.admin@acme.test');
  const countsOf = async (query: object, as = auth) =>
    (await portal.call(countActivityDays, { query }, as)).body.days.slice(-2).map(({ changes }) => changes);
  expect(await countsOf({})).toEqual([2, 1]);
  expect(await countsOf({ objectId: 'ROLE_0' })).toEqual([1, 0]);
  expect(await countsOf({ action: 'role.created', actorKind: 'system' })).toEqual([2, 1]);
  expect(await countsOf({ action: 'role.deleted' })).toEqual([0, 0]);
  expect(await countsOf({}, await portal.signIn('admin@globex.test'))).toEqual([0, 0]);
  const refused = await portal.call(countActivityDays, { query: {} }, await portal.signIn('user@acme.test'));
  expect(refused.status).toBe(403);
});

function makeRolesLater(): void {
  const { deps } = portal;
  const object = { type: 'role', id: 'ROLE_9', name: 'Later' } as const;
  record(deps, deps.db, systemActor('acme'), { action: 'role.created', object, after: { name: 'Later' } });
}

describe('event export', () => {
  const download = (query: string) =>
    portal.http.get(`/api/org/activity/export?${query}`).auth(token, { type: 'bearer' });

  test('is a CSV file with the events of every page, and escapes names that look like formulas', async () => {
    makeRoles(['=HYPERLINK("http://evil.test")', '+1', '@SUM(A1)', '-2', 'Plain, with "quotes"\nand lines']);
    makeRoles(Array.from({ length: 1_200 }, (_, index) => `Role ${index}`));
    const { text, headers } = await download('format=csv&objectType=role');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="activity-acme.csv"');
    expect(text.split('\r\n')).toHaveLength(1_205 + 2);
    expect(text).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
    for (const formula of ['+1', '@SUM(A1)', '-2']) expect(text).toContain(`,"'${formula}",`);
    expect(text).toContain('"Plain, with ""quotes""\nand lines"');
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  test('escapes full-width and indented formulas in the CSV file', async () => {
    const formulas = ['＝1+1', '＋1', '－1', '＠SUM(A1)', '\u3000=1', '\u200B=1', ' =1'];
    makeRoles(formulas);
    const { text } = await download('format=csv&objectType=role');
    for (const formula of formulas) expect(text).toContain(`,"'${formula}",`);
  });

  test('is one JSON object per line, limited to the filtered events', async () => {
    makeRoles(['Auditor', 'Clerk']);
    const { text, headers } = await download('format=ndjson&q=auditor');
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ object }) => object.name)).toEqual(['Auditor']);
  });

  test('requires the security permission', async () => {
    const user = await portal.signIn('user@acme.test');
    expect((await portal.call(exportActivity, { query: {} }, { token: user.token })).status).toBe(403);
  });
});

describe('organisation sign-ins', () => {
  const signIn = (at: number, facts: Partial<loginHistoryRepo.LoginHistoryRow> = {}) => {
    const { orgCode, suid, zid } = portal.device('user@acme.test');
    loginHistoryRepo.insertLoginRecord(portal.deps.db, {
      id: `at${at}`,
      orgCode,
      suid,
      zid,
      deviceName: 'Phone',
      deviceType: 'mobile',
      appName: 'Portal',
      mode: 'QID',
      ip: '198.51.100.99',
      loginStatus: 'Success',
      reason: null,
      timestamp: TEST_NOW + at,
      ...facts,
    });
  };
  const list = async (query: object) => (await portal.call(listSignIns, { query }, { token })).body;

  test('include the member, the device and the failure reason', async () => {
    signIn(1, { loginStatus: 'Failed', reason: 'wrong-number' });
    const { Items } = await list({ pageSize: 1 });
    const { suid, primaryAttr, firstName, lastName, primaryEmail } = member('user@acme.test');
    expect(Items).toEqual([
      {
        id: 'at1',
        device: 'Phone',
        nickName: expect.any(String),
        deviceType: 'mobile',
        appName: 'Portal',
        timestamp: new Date(TEST_NOW + 1).toISOString(),
        loginStatus: 'Failed',
        mode: 'QID',
        ip: '198.51.100.99',
        suid,
        primaryAttr,
        name: `${firstName} ${lastName}`,
        email: primaryEmail,
        accountStatus: 'active',
        appId: '',
        reason: 'wrong-number',
        isDisowned: false,
      },
    ]);
  });

  test('can be filtered by outcome, member, application, mode, address, reason and time', async () => {
    const at = (ms: number) => new Date(TEST_NOW + ms).toISOString();
    const { zid: _zid, suid } = portal.device('user@acme.test');
    signIn(1, { loginStatus: 'Failed', reason: 'not-me', ip: '203.0.113.250' });
    signIn(2, { mode: 'DID' });
    signIn(3);
    const ids = async (query: object) => (await list({ from: at(1), ...query })).Items.map(({ id }) => id);
    expect(await ids({})).toEqual(['at3', 'at2', 'at1']);
    expect(await ids({ status: 'Failed' })).toEqual(['at1']);
    expect(await ids({ status: 'Success', suid })).toEqual(['at3', 'at2']);
    expect(await ids({ mode: 'DID' })).toEqual(['at2']);
    expect(await ids({ ip: '203.0.113.250' })).toEqual(['at1']);
    expect(await ids({ reason: 'not-me' })).toEqual(['at1']);
    expect(await ids({ reason: 'cancel' })).toEqual([]);
    expect(await ids({ appId: 'portal' })).toEqual(['at3', 'at2', 'at1']);
    expect(await ids({ to: at(2) })).toEqual(['at1']);
    expect(await ids({ suid: 'nobody' })).toEqual([]);
  });

  test('are counted by day and outcome, with the same filters as the list', async () => {
    const { suid } = portal.device('user@acme.test');
    const from = new Date(TEST_NOW - (TEST_NOW % DAY) - 13 * DAY).toISOString();
    const daysFor = async (query: object) => (await portal.call(countSignInDays, { query }, { token })).body;
    for (const filter of [{}, { suid }, { appId: 'payroll' }, { appId: 'portal', status: 'Failed' }, { mode: 'QID' }]) {
      const { days, isPartial } = await daysFor(filter);
      expect(isPartial).toBe(false);
      expect(days).toHaveLength(14);
      const listed = await allSignIns({ from, ...filter });
      const successes = listed.filter(({ loginStatus }) => loginStatus === 'Success');
      expect(days.reduce((sum, { success }) => sum + success, 0)).toBe(successes.length);
      expect(days.reduce((sum, { failed }) => sum + failed, 0)).toBe(listed.length - successes.length);
      const [busiest] = days.toSorted((a, b) => b.success - a.success);
      expect(successes.filter(({ timestamp }) => timestamp.startsWith(busiest?.day ?? '-'))).toHaveLength(
        busiest?.success ?? 0,
      );
    }
    expect((await daysFor({ suid: 'nobody' })).days.every(({ success, failed }) => success + failed === 0)).toBe(true);
  });

  test('counts of a filter are partial beyond the rows read per day', () => {
    const from = TEST_NOW - 60 * DAY;
    const counted = (reach: number) =>
      loginHistoryRepo.countMatchingSignIns(portal.deps.db, 'acme', { mode: 'QID', from }, reach);
    expect(counted(1_000_000).isMore).toBe(false);
    expect(counted(10).isMore).toBe(true);
  });

  async function allSignIns(query: object) {
    const items: SignInRecord[] = [];
    let lastItem: string | undefined;
    do {
      const { body } = await portal.call(listSignIns, { query: { ...query, pageSize: 100, lastItem } }, { token });
      items.push(...body.Items);
      lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
    } while (lastItem !== undefined);
    return items;
  }

  test('can be paged for one application', async () => {
    const all: string[] = [];
    let lastItem: string | undefined;
    do {
      const query = { pageSize: 100, lastItem };
      const params = { orgCode: 'acme', appId: 'payroll' };
      const { body } = await portal.call(listAppSignIns, { params, query }, { token });
      expect(new Set(body.Items.map(({ appName }) => appName))).toEqual(new Set(['Payroll']));
      all.push(...body.Items.map(({ id }) => id));
      lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
    } while (lastItem !== undefined);
    const wanted = portal.deps.db.$client.prepare(
      `SELECT count(*) FROM login_history WHERE orgCode = 'acme' AND appName = 'Payroll'`,
    );
    expect(new Set(all).size).toBe(wanted.pluck().get());
    expect(all).toHaveLength(new Set(all).size);
  });

  test('limits the rows read per request and returns where to continue', () => {
    const { db } = portal.deps;
    const page = (before?: { timestamp: number; id: string }) =>
      loginHistoryRepo.listSignIns(db, 'acme', { mode: 'NEVER' }, { count: 10, before, reach: 50 });
    const first = page();
    expect(first.entries).toEqual([]);
    const second = page(first.last ?? undefined);
    expect(second.last?.timestamp).toBeLessThan(first.last?.timestamp ?? 0);
  });
});
