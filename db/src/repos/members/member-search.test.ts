import { accountStatus, statusesFoundBy, TRANSLITERATIONS, transliterate } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type OpenDatabase } from '../../database.ts';
import { memoryDb } from '../../testing.ts';
import { memberBulkRepo, memberRepo, memberSearchRepo } from '../index.ts';
import { listMembersByName } from './members-by-name.ts';

const now = Date.UTC(2026, 10, 20, 8, 4);
const ACME = { number: 1 };
const GLOBEX = { number: 2 };

let database: OpenDatabase;
beforeEach(() => {
  database = memoryDb({ now });
});
afterEach(() => database.close());

type Wanted = Partial<memberSearchRepo.MemberSearch> & { text: string };

function found(organisation: { number: number }, wanted: Wanted): memberRepo.MemberRow[] {
  return memberSearchRepo.searchMembers(database.db, organisation, { field: 'firstName', count: 1_000, ...wanted });
}

const namesOf = (rows: memberRepo.MemberRow[]) => rows.map(({ firstName, lastName }) => `${firstName} ${lastName}`);

/** Expects the index and the counts to match the members' rows exactly. */
function expectSound(): void {
  database.raw.exec(`INSERT INTO member_search (member_search, rank) VALUES ('integrity-check', 1)`);
  expect(database.raw.pragma('integrity_check', { simple: true })).toBe('ok');
  const counted = database.raw.prepare('SELECT * FROM member_counts WHERE members <> 0 ORDER BY 1, 2, 3').all();
  const real = database.raw
    .prepare(
      'SELECT orgCode, roleCode, accountStatus, count(*) AS members FROM members GROUP BY 1, 2, 3 ORDER BY 1, 2, 3',
    )
    .all();
  expect(counted).toEqual(real);
}

test('finds text anywhere in the field, in the order in which members were added', () => {
  expect(namesOf(found(ACME, { text: 'mar' })).slice(0, 7)).toEqual([
    'Marcus Oyelaran',
    'Mara Lindholm',
    'Omar Hassan',
    'Tamara Quist',
    'Amara Okafor',
    'Marek Dvorak',
    'Marie Delacroix',
  ]);
});

test('searches only the requested field', () => {
  const all = database.raw
    .prepare(`SELECT count(*) FROM members WHERE orgCode = ? AND accountStatus <> 'deleted'`)
    .pluck()
    .get('acme');
  expect(found(ACME, { field: 'primaryEmail', text: '@acme.test' }).length).toBeGreaterThan(200);
  expect(found(ACME, { field: 'firstName', text: '@acme.test' })).toEqual([]);
  expect(found(ACME, { field: 'primaryAttr', text: 'E-1' })).toHaveLength(Number(all));
  expect(found(ACME, { field: 'lastName', text: 'E-1' })).toEqual([]);
});

describe.each([
  ['firstName', 'ZOË', 'Zoë Lefèvre'],
  ['firstName', 'zoe', 'Zoë Lefèvre'],
  ['firstName', 'Zoe\u0308', 'Zoë Lefèvre'],
  ['lastName', 'LEFEVRE', 'Zoë Lefèvre'],
  ['firstName', 'ŁUKASZ', 'Łukasz Kamiński'],
  ['firstName', 'lukasz', 'Łukasz Kamiński'],
  ['lastName', 'kaminski', 'Łukasz Kamiński'],
  ['primaryEmail', 'TARO.tanaka', '太郎 田中'],
] as const)('finds the member by %s with %j', (field, text, name) => {
  test(`finds ${name} regardless of case and accents`, () => {
    expect(namesOf(found(ACME, { field, text }))).toContain(name);
  });
});

test.each([
  '%ar',
  '_ar',
  '*ar',
  'm*r',
  'mar*',
  '"mar"',
  "mar'",
  '^mar',
  'a"b',
  'text:mar',
  'mar OR zoe',
  'NEAR(mar zoe)',
  '😀😀😀',
  '\ud83d\ud83d\ud83d',
  '(((',
  '+++',
  '---',
  '\\\\\\',
])('searches for %j literally', (text) => {
  expect(found(ACME, { text })).toEqual([]);
});

test.each(['', 'ma', '太郎', '😀😀', 'e\u0301\u0301', '\u0301\u0301\u0301', 'mar\0', '\0\0\0', '\u0001at', 'ma\nr'])(
  'finds no member for %j (too short, or a character that names cannot contain)',
  (text) => {
    expect(found(ACME, { text })).toEqual([]);
    expect(found(ACME, { text, status: 'active' })).toEqual([]);
  },
);

test('searches for quotes, wildcards and brackets literally', () => {
  const names = [`Conan "Red" O'Brien`, '100%_sure', 'A*(b)^c', '山田太郎花子', '👩‍🚀 Ada'];
  for (const [index, firstName] of names.entries()) {
    memberRepo.insertMember(database.db, {
      suid: `s${index}`,
      orgCode: 'acme',
      primaryAttr: `X-${index}`,
      lastName: 'Test',
      createdAt: now,
      firstName,
      primaryEmail: `x${index}@acme.test`,
      accountStatus: 'active' as const,
    });
  }
  for (const [text, firstName] of [
    ['"RED" o\'b', names[0]],
    ['%_s', names[1]],
    ['*(b)^', names[2]],
    ['田太郎', names[3]],
    ['👩‍🚀 a', names[4]],
  ] as const) {
    expect(found(ACME, { text }).map((row) => row.firstName)).toEqual([firstName]);
  }
});

test('filters by each status; unregistered includes invited members', () => {
  const present = found(ACME, { field: 'primaryAttr', text: 'E-1' });
  const byStatus = accountStatus.options.map((status) => found(ACME, { field: 'primaryAttr', text: 'E-1', status }));
  for (const [index, rows] of byStatus.entries()) {
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row.accountStatus))).toEqual(
      new Set(statusesFoundBy(accountStatus.options[index] ?? 'active')),
    );
  }
  const others = byStatus.flat().filter((row) => row.accountStatus !== 'deleted');
  expect(new Set(others.map(({ id }) => id))).toEqual(new Set(present.map(({ id }) => id)));
});

test("finds only the organisation's members, even if the cursor is outside its ID range", () => {
  expect(namesOf(found(GLOBEX, { text: 'noa' }))).toEqual(['Noa Berg']);
  expect(namesOf(found(GLOBEX, { field: 'lastName', text: 'solberg' }))).toEqual(['Ingrid Solberg']);
  for (const after of [0, -5, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
    for (const row of found(ACME, { text: 'mar', after })) expect(row.orgCode).toBe('acme');
  }
});

test('returns pages without gaps or repetitions despite writes in between', () => {
  const insert = (index: number) =>
    memberRepo.insertMember(database.db, {
      suid: `n${index}`,
      orgCode: 'acme',
      primaryAttr: `N-${index}`,
      lastName: 'New',
      createdAt: now,
      firstName: 'Marnie',
      primaryEmail: `n${index}@acme.test`,
      accountStatus: 'active' as const,
    });
  const before = found(ACME, { text: 'mar' });
  const seen: memberRepo.MemberRow[] = [];
  for (let page = 0; ; page += 1) {
    const rows = found(ACME, { text: 'mar', after: seen.at(-1)?.id, count: 2 });
    seen.push(...rows);
    if (rows.length < 2 || page > 40) break;
    if (page < 5) insert(page);
    const [first] = seen;
    // Members on earlier pages may change between pages, and may even stop matching.
    if (page === 1 && first) memberRepo.editMember(database.db, 'acme', first.suid, { ...first, firstName: 'Xaver' });
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  expect(seen.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).toSorted((a, b) => a - b));
  expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  expect(seen).toHaveLength(before.length + 5);
});

test('keeps the index up to date after edits, deletions, failures and rollbacks', () => {
  expectSound();
  const [mara] = found(ACME, { field: 'primaryEmail', text: 'mara.lindholm' });
  if (!mara) throw new Error("The seed data doesn't contain Mara Lindholm.");
  expect(memberRepo.editMember(database.db, 'acme', mara.suid, { ...mara, lastName: 'Öberg' })).toBe(true);
  expect(found(ACME, { field: 'lastName', text: 'lindholm' })).toEqual([]);
  expect(namesOf(found(ACME, { field: 'lastName', text: 'oberg' }))).toContain('Mara Öberg');
  expectSound();
  const taken = { ...mara, primaryEmail: 'super.admin@acme.test' };
  expect(memberRepo.editMember(database.db, 'acme', mara.suid, taken)).toBe(false);
  expectSound();
  memberRepo.setAccountStatus(database.db, 'acme', mara.suid, { accountStatus: 'deleted', statusBeforePause: null });
  expect(found(ACME, { text: 'mara', status: 'deleted' }).map(({ suid }) => suid)).toEqual([mara.suid]);
  expectSound();
  const failing = () =>
    database.db.transaction((tx) => {
      memberRepo.editMember(tx, 'acme', mara.suid, { ...mara, firstName: 'Nobody' });
      throw new Error('too late');
    });
  expect(failing).toThrow('too late');
  expect(found(ACME, { text: 'nobody' })).toEqual([]);
  expectSound();
});

test("rejects an ID outside the organisation's range", () => {
  const insert = database.raw.prepare(`
    INSERT INTO members (id, suid, orgCode, primaryAttr, firstName, lastName, primaryEmail, accountStatus, createdAt)
    VALUES (?, 'x', 'acme', 'X', 'X', 'X', 'x@acme.test', 'active', 0)`);
  for (const id of [null, 1, 2 ** 34 + 1]) expect(() => insert.run(id)).toThrow('range of the organisation');
});

const entered = (name: string, count: number): memberBulkRepo.BulkMember[] =>
  Array.from({ length: count }, (_, index) => ({
    suid: `${name}-${index}`,
    primaryAttr: `${name}-${index}`,
    firstName: `${name} "${index}"`,
    lastName: 'Bulk\u00e9',
    primaryEmail: `${name}.${index}@acme.test`.toLowerCase(),
    mobileNumber: index % 2 ? `+4670000${index}` : undefined,
  }));

test('finds and counts members added in bulk, separately for each organisation', () => {
  const enter = (orgCode: string, name: string) =>
    database.db.transaction((tx) =>
      memberBulkRepo.insertMembers(tx, orgCode, entered(name, 300), { accountStatus: 'unregistered', now }),
    );
  enter('acme', 'Batch');
  enter('globex', 'Other');
  enter('acme', 'Third');
  expectSound();
  expect(found(ACME, { text: 'batch' })).toHaveLength(300);
  expect(found(ACME, { text: 'other "1' })).toEqual([]);
  expect(found(GLOBEX, { text: 'other "299"' })).toMatchObject([
    {
      suid: 'Other-299',
      roleCode: 'USER',
      isManager: false,
      mobileNumber: '+4670000299',
      hasPermissionForMobileApp: true,
    },
  ]);
});

test('adds no members and leaves the index unchanged if one member cannot be added', () => {
  database.db.transaction((tx) => {
    const twice = [...entered('Twice', 400), ...entered('Twice', 1)];
    expect(() => memberBulkRepo.insertMembers(tx, 'acme', twice, { accountStatus: 'unregistered', now })).toThrow();
    memberBulkRepo.insertMembers(tx, 'acme', entered('Once', 1), { accountStatus: 'unregistered', now });
    memberBulkRepo.insertMembers(tx, 'acme', [], { accountStatus: 'unregistered', now });
  });
  expect(found(ACME, { text: 'twice' })).toEqual([]);
  expectSound();
  const [once] = found(ACME, { text: 'once' });
  if (!once) throw new Error('No member was added.');
  memberRepo.editMember(database.db, 'acme', once.suid, { ...once, firstName: 'Changed' });
  expect(found(ACME, { text: 'changed' })).toHaveLength(1);
  expectSound();
});

test('pages through the members with a status, across several ID ranges', () => {
  const range = 2 ** 17;
  const last = 2 ** 32 + 2 * range - 3;
  database.raw
    .prepare(`
      INSERT INTO members (id, suid, orgCode, primaryAttr, firstName, lastName, primaryEmail, accountStatus, createdAt)
      VALUES (?, 'edge', 'acme', 'Edge', 'Edge', 'X', 'edge@acme.test', 'unregistered', 0)`)
    .run(last);
  database.db.transaction((tx) =>
    memberBulkRepo.insertMembers(tx, 'acme', entered('Edge', 6), { accountStatus: 'unregistered', now }),
  );
  expectSound();
  const ids = Array.from({ length: 7 }, (_, index) => last + index);
  const idsOf = (rows: memberRepo.MemberRow[]) => rows.map(({ id }) => id);
  expect(idsOf(found(ACME, { text: 'edge', status: 'unregistered' }))).toEqual(ids);
  expect(idsOf(found(ACME, { text: 'edge', status: 'unregistered', count: 4 }))).toEqual(ids.slice(0, 4));
  for (const [index, after] of ids.entries()) {
    const rest = found(ACME, { text: 'edge', status: 'unregistered', after, count: 2 });
    expect(idsOf(rest)).toEqual(ids.slice(index + 1, index + 3));
  }
  const all = memberSearchRepo.searchMembers(database.db, ACME, {
    field: 'lastName',
    status: 'unregistered',
    count: 10_000,
  });
  expect(idsOf(all)).toEqual(expect.arrayContaining(ids));

  const [first, , , , third] = ids;
  const slice = { after: 2 ** 32, upTo: last + 6 };
  const edge = { field: 'firstName', text: 'edge' } as const;
  expect(memberSearchRepo.countPresentMatches(database.db, edge, slice)).toBe(7);
  for (const id of [first, third])
    database.raw.prepare(`UPDATE members SET accountStatus = 'deleted' WHERE id = ?`).run(id);
  expectSound();
  expect(memberSearchRepo.countPresentMatches(database.db, edge, slice)).toBe(5);
  const present = memberSearchRepo.listPresentMatches(database.db, edge, { ...slice, offset: 0, count: 10 });
  expect(idsOf(present)).toEqual(ids.filter((id) => id !== first && id !== third));
});

test('frees an email address when its member is deleted', () => {
  const enter = () =>
    memberBulkRepo.insertMembers(
      database.db,
      'acme',
      [
        {
          suid: 'again',
          primaryAttr: 'E-10772',
          firstName: 'Margot',
          lastName: 'Ito',
          primaryEmail: 'margot.ito@acme.test',
        },
      ],
      { accountStatus: 'unregistered', now },
    );
  enter();
  expect(found(ACME, { text: 'margot' }).map((row) => row.accountStatus)).toEqual(['unregistered']);
  expect(found(ACME, { text: 'margot', status: 'deleted' })).toHaveLength(1);
  expect(memberRepo.findMemberByEmail(database.db, 'acme', 'margot.ito@acme.test')?.suid).toBe('again');
  expect(memberRepo.findMemberByPrimaryAttr(database.db, 'acme', 'E-10772')?.suid).toBe('again');
  expect(enter).toThrow();
});

test('reads a page with a bounded index scan and no sort', () => {
  const statements: [query: string, params: unknown[]][] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => void statements.push([query, params]) };
  const db = createDatabase(database.raw, { ...database.db.connection, logger });
  memberSearchRepo.searchMembers(db, ACME, { field: 'lastName', text: 'mar', status: 'active', count: 20 });
  const [query, params] = statements.find(([query]) => query.includes('MATCH')) ?? ['', []];
  // The parameters must be BigInt: other numbers beyond 32 bits are bound as REAL, which the index can't use.
  expect(params.filter((param) => typeof param === 'bigint')).toHaveLength(3);
  const plan = database.raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all(...params);
  expect(plan.map(({ detail }) => detail)).toEqual([
    // `64`: ordered by rowid. `M2`: full-text match. `><`: rowid range (SQLite, fts5_main.c).
    'SCAN member_search VIRTUAL TABLE INDEX 64:M2><',
    'SEARCH members USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});

test('normalises letters identically in the index, in name lookups and in searches', () => {
  const letters = Object.keys(TRANSLITERATIONS).join('');
  const named = { firstName: `A${letters}`, lastName: `B${letters}` };
  const entered = { suid: 'odd', primaryAttr: `C${letters}`, primaryEmail: 'odd@acme.test', ...named };
  memberBulkRepo.insertMembers(database.db, 'acme', [entered], { accountStatus: 'active', now });
  expectSound();
  for (const spelled of [(text: string) => text, transliterate, (text: string) => transliterate(text).toLowerCase()]) {
    for (const field of ['firstName', 'lastName', 'primaryAttr'] as const) {
      expect(found(ACME, { field, text: spelled(entered[field]) }).map(({ suid }) => suid)).toEqual(['odd']);
    }
    const page = { orgCode: 'acme', after: undefined, count: 20 };
    const [firstName, lastName] = [spelled(named.firstName), spelled(named.lastName)];
    for (const names of [{ firstName }, { lastName }, { firstName, lastName }]) {
      expect(listMembersByName(database.db, { field: 'names', ...names }, page).map(({ suid }) => suid)).toEqual([
        'odd',
      ]);
    }
  }
});

test('reads members by name from an index without sorting, even on later pages', () => {
  const statements: [query: string, params: unknown[]][] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => void statements.push([query, params]) };
  const db = createDatabase(database.raw, { ...database.db.connection, logger });
  const page = { orgCode: 'acme', after: undefined, count: 20 };
  listMembersByName(db, { field: 'names', firstName: 'Mar' }, page);
  listMembersByName(db, { field: 'names', lastName: 'Mar' }, page);
  listMembersByName(db, { field: 'names', firstName: 'Mar', lastName: 'Dvorak' }, page);
  listMembersByName(db, { field: 'primaryEmail', value: 'mar', isWhole: false }, page);
  listMembersByName(db, { field: 'primaryAttr', value: 'E-10', isWhole: false }, page);
  expect(
    statements.map(([query, params]) =>
      database.raw
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`)
        .all(...params)
        .map(({ detail }) => detail),
    ),
  ).toEqual([
    ['SEARCH members USING INDEX members_first_name (orgCode=? AND <expr>=? AND <expr>>?)'],
    ['SEARCH members USING INDEX members_last_name (orgCode=? AND <expr>=? AND <expr>>?)'],
    ['SEARCH members USING INDEX members_last_name (orgCode=? AND <expr>=? AND <expr>=? AND rowid>?)'],
    ['SEARCH members USING INDEX members_primary_email (orgCode=? AND primaryEmail>? AND primaryEmail<?)'],
    ['SEARCH members USING INDEX members_primary_attr (orgCode=? AND primaryAttr>? AND primaryAttr<?)'],
  ]);
});
