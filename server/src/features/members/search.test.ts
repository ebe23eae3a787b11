import { memberBulkRepo, memberRepo } from '@orchestrate/db';
import {
  type AuthState,
  accountStatus,
  type InputOf,
  type Member,
  searchUsers,
  statusesFoundBy,
} from '@orchestrate/shared';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

type Query = InputOf<typeof searchUsers>['query'];

const search = (query: Query, credentials: { token: string } = admin) =>
  portal.call(searchUsers, { query }, credentials);

async function found(query: Query, credentials?: { token: string }): Promise<Member[]> {
  const { status, body } = await search(query, credentials);
  expect({ status, resultCode: body.resultCode }).toEqual({ status: 200, resultCode: 0 });
  return body.Items;
}

const namesOf = (members: Member[]) => members.map(({ firstName, lastName }) => `${firstName} ${lastName}`);

// covers: spec 1.1.4
test('returns a member’s role, status, devices and activation data', async () => {
  const [first, second] = await found({ q: 'mar' });
  expect(first).toMatchObject({
    firstName: 'Marcus',
    lastName: 'Oyelaran',
    primaryAttr: 'E-10871',
    role: 'USER',
    roleName: 'Org User',
    email: 'marcus.oyelaran@acme.test',
    primaryEmail: 'marcus.oyelaran@acme.test',
    accountStatus: 'active',
    deviceCount: 1,
    activationCode: '',
    activationExpired: true,
  });
  expect(second).toMatchObject({ firstName: 'Mara', accountStatus: 'unregistered', deviceCount: 0 });
  const [marek] = await found({ q: 'marek' });
  expect(marek).toMatchObject({ roleName: 'Security Admin', deviceCount: 3 });
});

// covers: spec 1.3.4
test('returns the same data in a list as on each member’s own page', async () => {
  for (const member of await found({ q: 'E-1', field: 'employeeId', pageSize: 100 })) {
    const row = memberRepo.findMember(portal.deps.db, 'acme', member.suid);
    expect(row).toMatchObject({ roleCode: member.role, accountStatus: member.accountStatus });
    if (row)
      expect(memberRepo.findMemberDetail(portal.deps.db, row)).toMatchObject({ deviceCount: member.deviceCount });
  }
});

test.each([
  [{ q: 'LEFÈV', field: 'lastName' }, 'Zoë Lefèvre'],
  [{ q: 'lukasz' }, 'Łukasz Kamiński'],
  [{ q: 'lefev', field: 'lastName' }, 'Zoë Lefèvre'],
  [{ q: '  zoe  ' }, 'Zoë Lefèvre'],
  [{ q: 'Zoe\u0308' }, 'Zoë Lefèvre'],
  [{ q: 'TARO.T', field: 'primaryEmail' }, '太郎 田中'],
  [{ q: 'e-10518', field: 'employeeId' }, 'Zoë Lefèvre'],
  [{ q: 'margot', status: 'deleted' }, 'Margot Ito'],
] as const)('%j finds %s', async (query, name) => {
  expect(namesOf(await found(query))).toContain(name);
});

test('finds all but deleted members if no status is given, otherwise only that status', async () => {
  const all = await found({ q: 'mar', pageSize: 100 });
  expect(new Set(all.map(({ accountStatus }) => accountStatus))).toEqual(
    new Set(['active', 'unregistered', 'inactive']),
  );
  for (const status of accountStatus.options) {
    const some = await found({ q: 'mar', pageSize: 100, status });
    if (status === 'deleted') expect(namesOf(some)).toContain('Margot Ito');
    else expect(some).toEqual(all.filter((member) => statusesFoundBy(status).includes(member.accountStatus)));
  }
  expect((await search({ q: 'mar', status: Object('paused') })).status).toBe(400);
});

test('lists all members with a status in pages, and rejects a search without text or status', async () => {
  for (const status of accountStatus.options) {
    const listed = [];
    let lastItem: string | undefined;
    do {
      const { body } = await search({ status, pageSize: 50, lastItem });
      listed.push(...body.Items);
      lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
    } while (lastItem);
    const suids = portal.deps.db.$client
      .prepare(
        "SELECT suid FROM members WHERE orgCode = 'acme' AND accountStatus IN (SELECT value FROM json_each(?)) ORDER BY id",
      )
      .pluck()
      .all(JSON.stringify(statusesFoundBy(status)));
    expect(listed.map(({ suid }) => suid)).toEqual(suids);
  }
  const issues = [{ path: 'q', message: 'Provide a search term or a status' }];
  expect(await search({})).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST', issues } });
  expect(await search({ q: '', status: 'active' })).toMatchObject({ status: 400, body: { issues: [{ path: 'q' }] } });
});

describe('search result pages', () => {
  /** Reads all pages, calling `between` between pages. */
  async function pages(query: Query, between: (page: number) => void = () => {}): Promise<Member[][]> {
    const read: Member[][] = [];
    let lastItem: string | undefined;
    do {
      const { body } = await search({ ...query, lastItem });
      read.push(body.Items);
      lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
      expect(body.LastEvaluatedKey?.primaryAttr).toBe(lastItem && body.Items.at(-1)?.primaryAttr);
      between(read.length);
    } while (lastItem);
    return read;
  }

  test.each([1, 7, 20, 50])('contain each member once, at %i per page', async (pageSize) => {
    const query = { q: 'ann', field: 'primaryEmail', status: 'active' as const };
    const whole = (await pages({ ...query, pageSize: 100 })).flat();
    const parts = await pages({ ...query, pageSize });
    expect(parts.flat()).toEqual(whole);
    expect(whole.length).toBeGreaterThan(5);
    expect(parts.slice(0, -1).every((page) => page.length === pageSize)).toBe(true);
    expect(parts.at(-1)?.length).toBeGreaterThan(0);
  });

  // covers: spec 1.3.6, spec 1.9.1
  test('contain twenty members by default and at most a hundred', async () => {
    expect(await found({ q: 'E-1', field: 'employeeId' })).toHaveLength(20);
    expect(await found({ q: 'E-1', field: 'employeeId', pageSize: 100 })).toHaveLength(100);
    for (const pageSize of [0, 101, 1.5, -1]) expect((await search({ q: 'mar', pageSize })).status).toBe(400);
  });

  // covers: spec 1.7.3
  test('neither repeat nor miss members while others are added, edited and deleted', async () => {
    const query = { q: 'acme', field: 'primaryEmail', pageSize: 20 };
    const before = (await pages({ ...query, pageSize: 100 })).flat();
    const { db, clock } = portal.deps;
    const gone = new Set<string>();
    const read = await pages(query, (page) => {
      if (page > 6) return;
      memberRepo.insertMember(db, {
        suid: `new-${page}`,
        orgCode: 'acme',
        primaryAttr: `N-${page}`,
        firstName: 'New',
        lastName: 'Member',
        primaryEmail: `new.${page}@acme.test`,
        accountStatus: 'unregistered',
        createdAt: clock.now(),
      });
      const [displayed, unread] = [before[page * 20 - 3], before[page * 20 + 5]];
      for (const { suid } of [displayed, unread].flatMap((member) => member ?? [])) {
        memberRepo.setAccountStatus(db, 'acme', suid, { accountStatus: 'deleted', statusBeforePause: null });
      }
      if (unread) gone.add(unread.suid);
    });
    const suids = read.flat().map(({ suid }) => suid);
    expect(new Set(suids).size).toBe(suids.length);
    expect(suids).toEqual([
      ...before.map(({ suid }) => suid).filter((suid) => !gone.has(suid)),
      ...Array.from({ length: 6 }, (_, at) => `new-${at + 1}`),
    ]);
  });

  test.each([
    'rubbish',
    '{}',
    '[]',
    'null',
    '5',
    '"E-1"',
    '{"primaryAttr":"E-1"}',
    '{"id":"5"}',
    '{"primaryAttr":"E-1","id":5}',
    '{"primaryAttr":"E-1","id":"-5"}',
    '{"primaryAttr":"E-1","id":"1e9"}',
    '{"primaryAttr":"E-1","id":"99999999999999999"}',
    '{"primaryAttr":"E-1","id":"1 OR 1=1"}',
  ])('reject the page key %s (INVALID_REQUEST)', async (lastItem) => {
    expect(await search({ q: 'mar', lastItem })).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'lastItem' }] },
    });
  });

  test.each(['1', '4294967295', '9007199254740991'])(
    'contain only the organisation’s own members, even after the forged ID %s',
    async (id) => {
      const members = await found({ q: 'noa', lastItem: JSON.stringify({ primaryAttr: 'x', id }) });
      for (const { primaryAttr } of members) expect(primaryAttr).toBe('E-11502');
    },
  );
});

test('doesn’t reveal members of another organisation through its page key', async () => {
  const globex = await portal.signIn('admin@globex.test');
  const { body } = await search({ q: 'globex', field: 'primaryEmail', pageSize: 1 }, globex);
  const lastItem = JSON.stringify(body.LastEvaluatedKey);
  expect(await found({ q: 'noa', lastItem })).toEqual([]);
  expect(namesOf(await found({ q: 'noa' }, globex))).toEqual(['Noa Berg']);
  expect(await found({ q: 'acme', field: 'primaryEmail' }, globex)).toEqual([]);
});

test('accepts only the three fields and the organisation’s own field name (INVALID_REQUEST)', async () => {
  for (const field of ['primaryAttr', 'employeeid', 'suid', 'rowid', 'text', 'status', 'username', '__proto__', '*']) {
    const { status, body } = await search({ q: 'E-1', field });
    expect({ status, code: body.resultCode, path: body.issues?.[0]?.path }).toEqual({
      status: 400,
      code: 1,
      path: 'field',
    });
    expect(body.issues?.[0]?.message).toBe('Must be one of any, firstName, lastName, primaryEmail, employeeId');
  }
  setOrganisation(portal, 'acme', { primaryAttrField: 'staff number' });
  expect(await found({ q: 'E-10001', field: 'staff number' })).toHaveLength(1);
});

test.each(['', '   ', 'x'.repeat(255), 'x'.repeat(10_000)])(
  'rejects an empty or overlong search text (INVALID_REQUEST): %#',
  async (q) => {
    expect(await search({ q })).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'q' }] },
    });
  },
);

test.each([
  '%%%',
  '___',
  '"""',
  "'''",
  '***',
  '"mar',
  'mar"',
  'mar*',
  'mar OR 1',
  'NEAR(a b)',
  '😀😀😀',
  'mar\0',
  '\ud800xx',
  '-- ;',
])('matches %j literally', async (q) => {
  expect(await found({ q })).toEqual([]);
});

// covers: security 1.2.9
test('finds a member with quotes, wildcards and emoji in the name', async () => {
  const names = [`Conan "Red" O'Brien`, '100%_sure*', '👩‍🚀 Ada', 'null', '山田太郎'];
  const entered = names.map((firstName, index) => ({
    suid: `odd-${index}`,
    primaryAttr: `O-${index}`,
    lastName: 'Odd',
    firstName,
    primaryEmail: `o${index}@acme.test`,
  }));
  memberBulkRepo.insertMembers(portal.deps.db, 'acme', entered, { accountStatus: 'unregistered', now: 0 });
  for (const firstName of names)
    expect((await found({ q: firstName })).map((one) => one.firstName)).toEqual([firstName]);
});

// covers: security 1.2.4
test('handles any search text without a server error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('active', undefined),
      async (q, status) => {
        const answer = await search({ q, status });
        expect([200, 400]).toContain(answer.status);
      },
    ),
    { numRuns: 200 },
  );
});

test('shows an activation code only to members who can issue it to that member', async () => {
  const callCenter = await portal.signIn('callcenter.admin@acme.test');
  const query = { q: 'mara.lind', field: 'primaryEmail' };
  const [seen] = await found(query, callCenter);
  expect(seen?.activationCode).toMatch(/^\d{6}$/);
  const { suid } = memberByEmail(portal, 'acme', 'mara.lindholm@acme.test');
  const row = memberByEmail(portal, 'acme', 'mara.lindholm@acme.test');
  memberRepo.editMember(portal.deps.db, 'acme', suid, { ...row, roleCode: 'HELPDESK_ADMIN' });
  expect((await found(query, callCenter))[0]?.activationCode).toBe('');
  expect((await found(query))[0]?.activationCode).toBe(seen?.activationCode);
});
