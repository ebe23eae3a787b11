import { memberBulkRepo } from '@orchestrate/db';
import { type AuthState, countUsers, type InputOf, type Member, searchUsers } from '@orchestrate/shared';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'boss@initech.test';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal({ seed: 'none' });
});
afterEach(() => portal.close());

type Person = { firstName: string; lastName: string; email: string; status?: 'inactive' };

async function open(people: readonly Person[]): Promise<void> {
  const boss = {
    email: ADMIN,
    firstName: 'Bill',
    lastName: 'Boss',
    role: 'SUPER_ADMIN',
    devices: [{ type: 'mobile' as const }],
  };
  const others = [{ email: 'mara@globex.test', firstName: 'Mara', lastName: 'Elsewhere' }];
  const organisations = [
    { code: 'initech', people: [boss, ...people] },
    { code: 'globex', people: others },
  ];
  await portal.lab.reset({ seed: { organisations } });
  admin = await portal.signIn(ADMIN);
}

async function pages(query: InputOf<typeof searchUsers>['query']): Promise<Member[][]> {
  const all: Member[][] = [];
  let lastItem: string | undefined;
  do {
    const { status, body } = await portal.call(searchUsers, { query: { field: 'any', ...query, lastItem } }, admin);
    expect(status).toBe(200);
    all.push(body.Items);
    lastItem = body.LastEvaluatedKey ? JSON.stringify(body.LastEvaluatedKey) : undefined;
  } while (lastItem);
  return all;
}
const found = async (query: InputOf<typeof searchUsers>['query']) =>
  (await pages(query)).flat().map(({ primaryEmail }) => primaryEmail.split('@')[0]);

const PEOPLE: Person[] = [
  { firstName: 'Tamara', lastName: 'Quist', email: 'tq@initech.test' },
  { firstName: 'Zoë', lastName: 'Marsh', email: 'zm@initech.test' },
  { firstName: 'Marek', lastName: 'Dvorak', email: 'md@initech.test' },
  { firstName: 'Bo', lastName: 'Ek', email: 'mar@initech.test' },
  { firstName: 'Ulf', lastName: 'Mar', email: 'um@initech.test', status: 'inactive' },
  { firstName: 'Mar', lastName: 'Ito', email: 'mi@initech.test' },
  { firstName: 'Cy', lastName: 'Lamar', email: 'mar.cy@initech.test' },
];

test('searches all fields, listing the best matches first and each member once', async () => {
  await open(PEOPLE);
  expect(await found({ q: 'mar' })).toEqual([
    // Members whose first name, last name or email is exactly the text.
    'mi',
    'um',
    'mar',
    // Members whose first name, last name or email starts with the text.
    'md',
    'zm',
    'mar.cy',
    // Members with the text inside a field.
    'tq',
  ]);
  expect(await found({ q: 'MAR', status: 'inactive' })).toEqual(['um']);
  expect(await found({ q: 'zoe' })).toEqual(['zm']);
});

test('finds first and last name together, even while the last name is still being typed', async () => {
  await open([
    ...PEOPLE,
    { firstName: 'Marek', lastName: 'Dvoretsky', email: 'm2@initech.test' },
    { firstName: 'Anna Lena', lastName: 'von Dvorak', email: 'al@initech.test' },
  ]);
  expect(await found({ q: 'marek dvo' })).toEqual(['md', 'm2']);
  expect(await found({ q: 'mar dvo' })).toEqual(['md', 'm2']);
  expect(await found({ q: 'Marek  Dvorak' })).toEqual(['md']);
  expect(await found({ q: 'anna lena von' })).toEqual(['al']);
  expect(await found({ q: 'dvorak marek' })).toEqual(['md']);
  expect(await found({ q: 'Dvo, Mar' })).toEqual(['md', 'm2']);
  expect(await found({ q: 'marek quist' })).toEqual([]);
});

test('lists exact names before names that start with the text', async () => {
  await open([
    { firstName: 'Anna', lastName: 'Leeds', email: 'annal@initech.test' },
    { firstName: 'Annika', lastName: 'Ann', email: 'annika@initech.test' },
    { firstName: 'ANN', lastName: 'Young', email: 'young@initech.test' },
    { firstName: 'Joanna', lastName: 'Lee', email: 'joanna@initech.test' },
    { firstName: 'Ann', lastName: 'Lee', email: 'lee@initech.test', status: 'inactive' },
    { firstName: 'Ann', lastName: 'Berg', email: 'berg@initech.test' },
  ]);
  expect(await found({ q: 'ann' })).toEqual(['berg', 'lee', 'young', 'annika', 'annal', 'joanna']);
  expect(await found({ q: 'Ann Lee' })).toEqual(['lee', 'annal']);
  expect(await found({ q: 'ann', status: 'inactive' })).toEqual(['lee']);
  for (const pageSize of [1, 2, 4]) {
    const paged = await found({ q: 'ann', pageSize });
    expect(paged).toEqual(['berg', 'lee', 'young', 'annika', 'annal', 'joanna']);
  }
  const boss = (await pages({ q: ADMIN })).flat();
  const number = boss[0]?.primaryAttr ?? '';
  expect(number).not.toBe('');
  expect((await pages({ q: number.toLowerCase() })).flat()[0]?.primaryEmail).toBe(ADMIN);
});

test('finds either spelling of a letter, and lists exact names first', async () => {
  await open([
    { firstName: 'Ulla', lastName: 'Straussmann', email: 'us@initech.test' },
    { firstName: 'Jörg', lastName: 'Strauß', email: 'js@initech.test' },
    { firstName: 'Ann', lastName: 'STRAUSS', email: 'as@initech.test' },
    { firstName: 'Łukasz', lastName: 'Sørensen', email: 'ls@initech.test' },
    { firstName: 'Ægir', lastName: 'Groß', email: 'ag@initech.test' },
    { firstName: 'Ǽsa', lastName: 'Ǿrsted', email: 'ao@initech.test' },
  ]);
  for (const q of ['strauss', 'Strauß', 'STRAUẞ']) {
    expect(await found({ q })).toEqual(['as', 'js', 'us']);
    expect(await found({ q, pageSize: 1 })).toEqual(['as', 'js', 'us']);
    expect(await found({ q, field: 'lastName' })).toEqual(['us', 'js', 'as']);
    expect(await found({ q, sort: 'lastName' })).toEqual(['as', 'js', 'us']);
  }
  expect(await found({ q: 'jorg strauss' })).toEqual(['js']);
  expect(await found({ q: 'lukasz sorensen' })).toEqual(['ls']);
  expect(await found({ q: 'Łukasz Sørensen' })).toEqual(['ls']);
  expect(await found({ q: 'aegir gross' })).toEqual(['ag']);
  expect(await found({ q: 'ægir' })).toEqual(['ag']);
  for (const q of ['aesa', 'Ǽsa', 'orsted', 'ǿrsted', 'aesa orsted', 'Ørsted'])
    expect(await found({ q })).toEqual(['ao']);
  const { counts } = (await portal.call(countUsers, { query: { q: 'strauss', field: 'any' } }, admin)).body;
  expect(counts.all).toBe(3);
});

test('lists exact names first, whatever the accents', async () => {
  await open([
    { firstName: 'Zoella', lastName: 'Ek', email: 'a@initech.test' },
    { firstName: 'Ida', lastName: 'Zoeller', email: 'b@initech.test' },
    { firstName: 'Zoé-Anne', lastName: 'Ek', email: 'c@initech.test' },
    { firstName: 'Ida', lastName: 'Zoé', email: 'd@initech.test' },
    { firstName: 'ZOË', lastName: 'Ek', email: 'e@initech.test' },
    { firstName: 'Zoe', lastName: 'Ek', email: 'f@initech.test' },
  ]);
  for (const q of ['zoe', 'Zoë', 'ZOÉ']) {
    const [first, second, third, ...others] = await found({ q });
    expect(new Set([first, second, third])).toEqual(new Set(['d', 'e', 'f']));
    expect(others).toEqual(['a', 'c', 'b']);
    expect(await found({ q, pageSize: 1 })).toEqual([first, second, third, ...others]);
  }
});

test('lists exact full names first, whatever the accents and in either order', async () => {
  await open([
    { firstName: 'Andreas', lastName: 'Müllerová', email: 'a@initech.test' },
    { firstName: 'Andrea', lastName: 'Muller', email: 'b@initech.test' },
    { firstName: 'Ida', lastName: 'Ek', email: 'andre.muller@initech.test' },
    { firstName: 'André', lastName: 'Müller-Ek', email: 'c@initech.test' },
    { firstName: 'André', lastName: 'Müller', email: 'd@initech.test' },
    { firstName: 'Andre', lastName: 'MÜLLER', email: 'e@initech.test' },
    { firstName: 'André', lastName: 'Muller', email: 'f@initech.test' },
    { firstName: 'Andre', lastName: 'Muller', email: 'g@initech.test' },
  ]);
  for (const q of ['andre muller', 'André Müller', 'MULLER, ANDRÉ']) {
    const all = await found({ q });
    expect(new Set(all.slice(0, 4))).toEqual(new Set(['d', 'e', 'f', 'g']));
    expect(all.slice(4).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await found({ q, pageSize: 1 })).toEqual(all);
  }
});

test('lists each member once and in the same order, whatever the page size', async () => {
  await open(PEOPLE);
  const all = await found({ q: 'mar' });
  for (const pageSize of [1, 2, 3, 5, 50]) expect(await found({ q: 'mar', pageSize })).toEqual(all);
});

test('examines a limited number of members per page, so an empty page may precede more results', async () => {
  await open([]);
  const { deps } = portal;
  const entered = Array.from({ length: 1_500 }, (_, at) => ({
    suid: `s${at}`,
    primaryAttr: `N${at}`,
    firstName: 'Marta',
    lastName: 'Lind',
    primaryEmail: at === 1_499 ? 'last@initech.test' : `marta${at}@initech.test`,
  }));
  memberBulkRepo.insertMembers(deps.db, 'initech', entered, { accountStatus: 'active', now: deps.clock.now() });
  const all = await pages({ q: 'marta', pageSize: 100 });
  expect(all.flat()).toHaveLength(1_500);
  expect(new Set(all.flat().map(({ suid }) => suid)).size).toBe(1_500);
  expect(all.some((page) => page.length === 0)).toBe(true);
  // The pages of members named Marta, plus four search stages that examine only members already listed, 200 per page.
  expect(all.length).toBeLessThanOrEqual(1_500 / 100 + (4 * 1_500) / 200);
});

test('returns exactly the members with the search text in any field', async () => {
  await open(PEOPLE);
  const everyone = (await pages({ q: 'initech', pageSize: 100 })).flat();
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const odd = fc.constantFrom('"', '*', '^', ':', '(', "'", '\\', '%', ' ', 'a', 'mar', 'ë', '@', '-', 'NOT', 'OR');
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { minLength: 3, maxLength: 6 }), async (signs) => {
      const q = signs.join('').trim();
      fc.pre([...q].length >= 3 && !/\s/.test(q));
      const wanted = everyone.filter((member) =>
        [member.firstName, member.lastName, member.primaryEmail, member.primaryAttr].some((text) =>
          plain(text).includes(plain(q)),
        ),
      );
      expect((await found({ q })).toSorted()).toEqual(
        wanted.map((member) => member.primaryEmail.split('@')[0]).toSorted(),
      );
    }),
    { numRuns: 60 },
  );
});

test('handles a forged page key without a server error', async () => {
  await open(PEOPLE);
  for (const [lastItem, status] of [
    ['{"primaryAttr":"","id":"1","part":999}', 200],
    ['{"primaryAttr":"","id":"9007199254740993","part":3}', 200],
    ['{"primaryAttr":"","id":"1","part":-1}', 400],
    ['{"primaryAttr":"","id":"1","part":1.5}', 400],
  ] as const) {
    const query = { q: 'mar', field: 'any', lastItem };
    expect((await portal.call(searchUsers, { query }, admin)).status).toBe(status);
  }
});
