import { activationCodeRepo, memberBulkRepo } from '@orchestrate/db';
import {
  type AccountStatus,
  type AuthState,
  accountStatus,
  countUsers,
  getSummary,
  type InputOf,
  type Member,
  regenerateActivationCode,
  searchUsers,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'boss@initech.test';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal({ seed: 'none' });
});
afterEach(() => portal.close());

type Person = {
  firstName: string;
  lastName: string;
  email: string;
  status?: AccountStatus;
  devices?: { type: 'mobile' }[];
};

async function open(people: readonly Person[]): Promise<void> {
  const boss = {
    email: ADMIN,
    firstName: 'Bill',
    lastName: 'Boss',
    role: 'SUPER_ADMIN',
    devices: [{ type: 'mobile' as const }],
  };
  const others = [{ email: 'mara@globex.test', firstName: 'Mara', lastName: 'Elsewhere' }];
  await portal.lab.reset({
    seed: {
      organisations: [
        { code: 'initech', people: [boss, ...people] },
        { code: 'globex', people: others },
      ],
    },
  });
  admin = await portal.signIn(ADMIN);
}

const search = (query: InputOf<typeof searchUsers>['query']) => portal.call(searchUsers, { query }, admin);
const count = async (query: InputOf<typeof countUsers>['query'] = {}) => {
  const { status, body } = await portal.call(countUsers, { query }, admin);
  expect(status).toBe(200);
  return body;
};

/** Returns the local parts of the found addresses, page by page. */
async function found(query: InputOf<typeof searchUsers>['query']): Promise<(string | undefined)[]> {
  const all: Member[] = [];
  let lastItem: string | undefined;
  do {
    const { status, body } = await search({ ...query, lastItem });
    expect(status).toBe(200);
    all.push(...body.Items);
    lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
  } while (lastItem);
  return all.map(({ primaryEmail }) => primaryEmail.split('@')[0]);
}

const PEOPLE: Person[] = [
  { firstName: 'Tamara', lastName: 'Quist', email: 'tq@initech.test', devices: [{ type: 'mobile' }] },
  { firstName: 'Marek', lastName: 'Dvorak', email: 'zz@initech.test' },
  { firstName: 'Zoë', lastName: 'marsh', email: 'Ab@initech.test', status: 'inactive' },
  { firstName: 'Bo', lastName: 'Ek', email: 'mar@initech.test', status: 'unregistered' },
  { firstName: 'Álvaro', lastName: 'Quist', email: 'mar.aq@initech.test' },
];

function enter(people: number, firstName = 'Marta'): void {
  const { deps } = portal;
  const entered = Array.from({ length: people }, (_, at) => ({
    suid: `${firstName}${at}`,
    primaryAttr: `N-${firstName}-${at}`,
    firstName,
    lastName: 'Lind',
    primaryEmail: `p.${firstName}.${at}@initech.test`.toLowerCase(),
  }));
  memberBulkRepo.insertMembers(deps.db, 'initech', entered, { accountStatus: 'active', now: deps.clock.now() });
}

describe('match counts', () => {
  test('include each matching member once, in total and by status', async () => {
    await open(PEOPLE);
    expect(await count({ q: 'MAR', field: 'any' })).toMatchObject({
      counts: { all: 5, active: 3, inactive: 1, unregistered: 1 },
      more: [],
    });
    expect(await count({ q: 'mar' })).toMatchObject({ counts: { all: 2, active: 2, inactive: 0, unregistered: 0 } });
    expect(await count({ q: 'marek dvo', field: 'any' })).toMatchObject({ counts: { all: 1, active: 1 } });
    expect(await count({ q: 'nobody', field: 'any' })).toMatchObject({ counts: { all: 0 }, more: [] });
    expect(await count()).toMatchObject({ counts: { all: 6, active: 4, inactive: 1, unregistered: 1 } });
    for (const status of ['active', 'inactive', 'unregistered'] as const) {
      const { counts } = await count({ q: 'mar', field: 'any' });
      expect(await found({ q: 'mar', field: 'any', status })).toHaveLength(counts[status]);
    }
  });

  test('equal the length of the lists, and add up to all members except deleted ones', async () => {
    const people = accountStatus.options.flatMap((status, at) =>
      Array.from({ length: at + 1 }, (_, one) => ({
        firstName: 'Marta',
        lastName: `L${at}`,
        email: `m.${status}.${one}@initech.test`,
        status,
      })),
    );
    await open(people);
    for (const searched of [{ q: 'mar', field: 'any' }, { q: 'mar' }, {}]) {
      const { counts } = await count(searched);
      // Invited members are also counted as unregistered.
      const { all, deleted, invited, ...others } = counts;
      expect(invited).toBe(6);
      expect(Object.values(others).reduce((sum, some) => sum + some)).toBe(all);
      expect(deleted).toBe(4);
      for (const status of accountStatus.options) {
        expect(await found({ ...searched, status })).toHaveLength(counts[status]);
      }
      if (!searched.q) continue;
      const everyone = await found(searched);
      expect(everyone).toHaveLength(all);
      expect(everyone.filter((name) => name?.includes('deleted'))).toEqual([]);
      for (const sort of ['newest', 'lastName'] as const) {
        expect((await found({ ...searched, sort })).toSorted()).toEqual(everyone.toSorted());
      }
    }
  });

  test('don’t count deleted members towards the limit of a thousand', { tags: 'whole' }, async () => {
    await open(PEOPLE);
    enter(1_002);
    portal.deps.db.$client.exec(`UPDATE members SET accountStatus = 'deleted' WHERE suid IN ('Marta3', 'Marta4')`);
    expect(await count({ q: 'lind', field: 'lastName' })).toMatchObject({
      counts: { all: 1_000, active: 1_000, deleted: 2 },
      more: [],
    });
    expect(await found({ q: 'lind', field: 'lastName', sort: 'newest', pageSize: 100 })).toHaveLength(1_000);
  });

  test('stop at a thousand and report that', async () => {
    await open(PEOPLE);
    enter(1_000);
    expect(await count({ q: 'lind', field: 'lastName' })).toMatchObject({ counts: { all: 1_000 }, more: [] });
    expect(await count({ q: 'initech', field: 'any' })).toMatchObject({
      counts: { all: 1_000, active: 1_000, inactive: 1, unregistered: 1 },
      more: ['all', 'active'],
    });
  });

  test('require the permission and a known field', async () => {
    await open(PEOPLE);
    const input = { query: { q: 'mar', field: 'mobileNumber' } };
    expect(await portal.call(countUsers, input, admin)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'field' }] },
    });
    const user = await portal.signIn('tq@initech.test');
    expect((await portal.call(countUsers, { query: {} }, user)).body.resultName).toBe('INVALID_PERMISSIONS');
  });
});

describe('sort order', () => {
  test('ignores case and accents', async () => {
    await open(PEOPLE);
    const q = { q: 'mar', field: 'any' };
    expect(await found({ ...q, sort: 'lastName' })).toEqual(['zz', 'mar', 'ab', 'mar.aq', 'tq']);
    expect(await found({ ...q, sort: 'firstName' })).toEqual(['mar.aq', 'mar', 'zz', 'tq', 'ab']);
    expect(await found({ ...q, sort: 'primaryEmail' })).toEqual(['ab', 'mar.aq', 'mar', 'tq', 'zz']);
    expect(await found({ ...q, sort: 'newest' })).toEqual(['mar.aq', 'mar', 'ab', 'zz', 'tq']);
    expect(await found({ ...q, sort: 'oldest' })).toEqual(['tq', 'zz', 'ab', 'mar', 'mar.aq']);
    expect(await found({ status: 'active', sort: 'primaryEmail' })).toEqual(['boss', 'mar.aq', 'tq', 'zz']);
    expect(await found({ ...q, status: 'inactive', sort: 'newest' })).toEqual(['ab']);
  });

  test('lists each member once, whatever the page size', { tags: 'whole' }, async () => {
    await open(PEOPLE);
    enter(57);
    for (const sort of ['lastName', 'primaryEmail', 'newest'] as const) {
      const all = await found({ q: 'mar', field: 'any', sort, pageSize: 100 });
      expect(all).toHaveLength(62);
      for (const pageSize of [1, 7, 61, 62]) {
        expect(await found({ q: 'mar', field: 'any', sort, pageSize })).toEqual(all);
      }
    }
  });

  test('refuses to sort more than a thousand members, and reports the limit', async () => {
    await open(PEOPLE);
    enter(1_001);
    expect(await search({ q: 'lind', field: 'lastName', sort: 'newest' })).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'sort' }] },
    });
    expect((await search({ q: 'lind', field: 'lastName' })).status).toBe(200);
  });

  test('doesn’t list members after a position that is unknown or from another organisation', async () => {
    await open(PEOPLE);
    const page = await search({ q: 'mar', field: 'any', sort: 'newest', pageSize: 1 });
    for (const id of ['1', '4294967297', '99999999']) {
      const lastItem = JSON.stringify({ ...page.body.LastEvaluatedKey, id });
      const refused = await search({ q: 'elsewhere', field: 'any', sort: 'newest', lastItem });
      expect([200, 400]).toContain(refused.status);
      expect(refused.body.Items ?? []).toEqual([]);
    }
  });
});

describe('codes that expire soon', () => {
  test('are counted on the dashboard exactly as listed, soonest first', async () => {
    await open([...PEOPLE, { firstName: 'Nora', lastName: 'Berg', email: 'nb@initech.test', status: 'unregistered' }]);
    const people = (await search({ q: 'initech', field: 'primaryEmail' })).body.Items;
    const issue = async (name: string, type: 'mobile' | 'desktop') => {
      const member = people.find(({ primaryEmail }) => primaryEmail.startsWith(`${name}@`));
      const body = { email: member?.primaryEmail ?? '', primaryAttr: member?.primaryAttr ?? '', type };
      expect((await portal.call(regenerateActivationCode, { body }, admin)).body.resultCode).toBe(0);
    };
    await issue('mar', 'mobile');
    portal.clock.advance(60);
    await issue('nb', 'mobile');
    await issue('mar', 'desktop');
    const summary = async () => (await portal.call(getSummary, { query: {} }, admin)).body.codesExpiring;
    const listed = async (pageSize?: number) => found({ codes: 'expiring', pageSize });
    // All codes are valid for a day, so a new code doesn't expire soon.
    expect(await listed()).toEqual([]);
    expect(await summary()).toBe(0);
    portal.clock.advance(18 * 3_600);
    admin = await portal.signIn(ADMIN);
    const soon = await listed();
    expect(await summary()).toBe(soon.length);
    expect((await count()).codesExpiring).toBe(soon.length);
    expect(soon).toEqual(['mar', 'nb']);
    expect(await listed(1)).toEqual(soon);
    for (const [searched, those] of [
      [{ q: 'mar', field: 'primaryEmail' }, ['mar']],
      [{ q: 'mar', field: 'any' }, ['mar']],
      [{ q: 'mar' }, []],
      [{ q: 'nora be', field: 'any' }, ['nb']],
      [{ q: 'initech', field: 'any' }, ['mar', 'nb']],
    ] as const) {
      expect(await found({ codes: 'expiring', ...searched })).toEqual(those);
      expect(await found({ codes: 'expiring', ...searched, pageSize: 1 })).toEqual(those);
      expect((await count(searched)).codesExpiring).toBe(those.length);
    }
    portal.clock.advance(30 * 24 * 3_600);
    admin = await portal.signIn(ADMIN);
    expect(await listed()).toEqual([]);
    expect(await summary()).toBe(0);
  });

  test('are paged beyond a thousand matches, examining only as many members as are counted', {
    tags: 'whole',
  }, async () => {
    await open([]);
    enter(1_200);
    enter(3, 'Nora');
    const { db, clock } = portal.deps;
    const suids = [...Array.from({ length: 1_200 }, (_, at) => `Marta${at}`), 'Nora0', 'Nora1', 'Nora2'];
    for (const [at, suid] of suids.entries()) {
      const times = { issuedAt: clock.now(), expiresAt: clock.now() + 3_600_000 + at };
      activationCodeRepo.issueActivationCode(db, {
        orgCode: 'initech',
        suid,
        type: 'mobile',
        isOwn: false,
        code: '123456',
        ...times,
      });
    }
    expect(await found({ codes: 'expiring', q: 'nora', field: 'any' })).toEqual(['p.nora.0', 'p.nora.1', 'p.nora.2']);
    expect((await count({ q: 'nora', field: 'any' })).codesExpiring).toBe(3);
    const lind = await found({ codes: 'expiring', q: 'lind', field: 'lastName', pageSize: 100 });
    expect(lind).toHaveLength(1_203);
    expect(lind.slice(-3)).toEqual(['p.nora.0', 'p.nora.1', 'p.nora.2']);
    expect(await count({ q: 'lind', field: 'lastName' })).toMatchObject({
      codesExpiring: 1_000,
      more: ['all', 'active', 'codesExpiring'],
    });
  });

  test('can’t be combined with status or order', async () => {
    await open(PEOPLE);
    for (const other of [{ status: 'active' }, { sort: 'newest' }] as const) {
      expect(await search({ codes: 'expiring', ...other })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'codes' }] },
      });
    }
  });
});

describe('short search texts', () => {
  const SHORT: Person[] = [
    { firstName: 'Wei', lastName: 'Ng', email: 'wei@initech.test' },
    { firstName: 'Ngoc', lastName: 'Tran', email: 'ngoc@initech.test', status: 'unregistered' },
    { firstName: 'Ana', lastName: 'Lindqvist-Ng', email: 'ng@initech.test' },
    { firstName: '翔太', lastName: '伊藤', email: 'shota@initech.test' },
    { firstName: 'Öz', lastName: 'Émond', email: 'oz@initech.test' },
    { firstName: 'Nina', lastName: 'Nowak', email: 'nina@initech.test' },
  ];

  test('match the start of names, whole names first', async () => {
    await open(SHORT);
    for (const [q, names] of [
      ['Ng', ['wei', 'ngoc']],
      ['ng', ['wei', 'ngoc']],
      ['伊藤', ['shota']],
      ['伊', ['shota']],
      ['oz', ['oz']],
      ['ém', ['oz']],
      ['É', ['oz']],
      ['n', ['ngoc', 'nina', 'wei']],
      ['😀', []],
      ['%', []],
    ] as const) {
      expect(await found({ q, field: 'any' })).toEqual(names);
      expect(await found({ q, field: 'any', pageSize: 1 })).toEqual(names);
      expect((await count({ q, field: 'any' })).counts.all).toBe(names.length);
    }
  });

  test('match one field and can be combined with status and order', async () => {
    await open(SHORT);
    expect(await found({ q: 'ng', field: 'firstName' })).toEqual(['ngoc']);
    expect(await found({ q: 'n', field: 'lastName' })).toEqual(['wei', 'nina']);
    expect(await found({ q: 'ng', field: 'primaryEmail' })).toEqual(['ng', 'ngoc']);
    expect(await found({ q: 'n', field: 'any', status: 'unregistered' })).toEqual(['ngoc']);
    expect(await found({ q: 'n', field: 'any', sort: 'lastName' })).toEqual(['wei', 'nina', 'ngoc']);
    expect((await count({ q: 'n', field: 'any' })).counts).toMatchObject({ all: 3, active: 2, unregistered: 1 });
  });

  test('find deleted members only if that status is requested', async () => {
    await open([...SHORT, { firstName: 'Nils', lastName: 'Gone', email: 'nils@initech.test', status: 'deleted' }]);
    expect(await found({ q: 'ni', field: 'any' })).toEqual(['nina']);
    expect(await found({ q: 'n', field: 'any' })).not.toContain('nils');
    for (const q of ['n', 'ni']) expect(await found({ q, field: 'any', status: 'deleted' })).toEqual(['nils']);
  });
});
