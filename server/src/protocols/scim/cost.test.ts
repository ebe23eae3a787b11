import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { MAX_COMPARISONS } from './queries/filter.ts';
import { SORTED_MAX } from './queries/find-in-slices.ts';
import { type Directory, directoryOf, PATCH_OP } from './testing.ts';

/** Number of members, above the sorting limit. */
const PEOPLE = 21_000;

let portal: TestPortal;
let directory: Directory;
beforeAll(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
  portal.deps.db.$client
    .prepare(
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
       INSERT INTO members (id, suid, orgCode, primaryAttr, firstName, lastName, primaryEmail, roleCode, accountStatus, createdAt)
       SELECT (SELECT max(id) FROM members WHERE orgCode = 'acme') + n, 'crowd-' || n, 'acme', 'C-' || n, 'Crowd',
              'Person ' || n, 'crowd.' || n || '@acme.test', CASE WHEN n <= 10200 THEN 'AUDITOR' ELSE 'USER' END, CASE n % 100 WHEN 0 THEN 'deleted' ELSE 'active' END, n
       FROM number`,
    )
    .run(PEOPLE);
});
afterAll(() => portal.close());

const present = PEOPLE - PEOPLE / 100;

/** Counts the event loop turns until `work` completes, and returns its result too. */
async function turnsDuring<Result>(work: Promise<Result>): Promise<{ turns: number; result: Result }> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await work;
  isOver = true;
  return { turns, result };
}

const many = (count: number, one: string) =>
  Array.from({ length: count }, (_, index) => `${one} "x${index}y"`).join(' or ');

describe('the cost of a filter', () => {
  test('is limited by a maximum number of comparisons', async () => {
    const refused = {
      status: 400,
      body: { scimType: 'invalidFilter', detail: expect.stringContaining('comparisons') },
    };
    expect(await directory.filter('Users', many(MAX_COMPARISONS + 1, 'title co'))).toMatchObject(refused);
    expect(await directory.filter('Users', `not (${many(MAX_COMPARISONS + 1, 'title co')})`)).toMatchObject(refused);
    expect(await directory.filter('Groups', many(MAX_COMPARISONS + 1, 'displayName co'))).toMatchObject(refused);
    expect((await directory.filter('Groups', many(MAX_COMPARISONS, 'displayName co'))).status).toBe(200);
  });

  // covers: security 15.1.3, security 15.2.2
  test('is spread over slices, with other requests in between', async () => {
    const hostile = many(MAX_COMPARISONS, 'userName sw');
    const { turns, result } = await turnsDuring(directory.filter('Users', hostile));
    expect(result).toMatchObject({ status: 200, body: { totalResults: 0 } });
    expect(turns).toBeGreaterThan(50);
  });

  test('does not change the result', async () => {
    const { body, found } = await directory.filter('Users', 'userName sw "crowd."', 'startIndex=15001&count=3');
    expect(body).toMatchObject({ totalResults: present, startIndex: 15_001, itemsPerPage: 3 });
    // One in a hundred users has been deleted.
    expect(found.map(({ userName }) => userName)).toEqual([15_152, 15_153, 15_154].map((n) => `crowd.${n}@acme.test`));
    const last = await directory.filter('Users', 'userName sw "crowd."', `startIndex=${present}&count=500`);
    expect(last.found.map(({ userName }) => userName)).toEqual([`crowd.${PEOPLE - 1}@acme.test`]);
    const backwards = await directory.filter('Users', 'userName sw "crowd."', 'sortOrder=descending&count=2');
    expect(backwards.found.map(({ userName }) => userName)).toEqual(
      [PEOPLE - 1, PEOPLE - 2].map((n) => `crowd.${n}@acme.test`),
    );
    const beyond = await directory.filter('Users', 'userName sw "crowd."', 'startIndex=100000000&count=3');
    expect(beyond).toMatchObject({ status: 200, body: { totalResults: present, itemsPerPage: 0 } });
  });

  test('covers search index lookups, which are counted across slices too', async () => {
    const search = await directory.filter('Users', 'name.givenName co "crow"', 'startIndex=19990&count=30');
    expect(search.body).toMatchObject({ totalResults: present, itemsPerPage: 30 });
    const numbers = search.found.map(({ userName }) => Number(/\d+/.exec(String(userName))?.[0]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(30);
  });

  test('is no higher for a late page than for an early page', async () => {
    const { turns, result } = await turnsDuring(directory.get('/Users?startIndex=20001&count=2'));
    expect(result.found).toHaveLength(2);
    expect(turns).toBeGreaterThan(3);
    const whole = Number(result.body.totalResults);
    expect((await directory.get(`/Users?startIndex=${whole}`)).found).toHaveLength(1);
  });
});

test('sorts small results and rejects sorting large results', async () => {
  const all = await directory.get('/Users?sortBy=userName&count=1');
  expect(all).toMatchObject({
    status: 400,
    body: { scimType: 'tooMany', detail: expect.stringContaining(`${SORTED_MAX}`) },
  });
  const some = await directory.filter(
    'Users',
    'userName sw "crowd.20"',
    'sortBy=meta.created&sortOrder=descending&count=2',
  );
  expect(some.found.map(({ userName }) => userName)).toEqual(['crowd.20999@acme.test', 'crowd.20998@acme.test']);
});

test('rejects replacing the members of a group that is too large to list', async () => {
  const replaced = await directory.send('PATCH', '/Groups/AUDITOR', {
    schemas: [PATCH_OP],
    Operations: [{ op: 'replace', path: 'members', value: [] }],
  });
  expect(replaced).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
});

describe('rate limits for directories', () => {
  test('return 429 while many searches of the whole organisation are waiting', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => directory.filter('Users', 'externalId pr', 'count=1')),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ body: { status: '429', detail: expect.stringContaining('Try again') } });
    expect(refused[0]?.headers['retry-after']).toBe('5');
    expect((await directory.filter('Users', 'userName ew "1@acme.test"', 'count=1')).status).toBe(200);
  });

  test('allow 50 times the write limit, counted per organisation', async () => {
    const limited = await testPortal({ config: { rateLimit: 1 } });
    try {
      const acme = directoryOf(limited);
      for (let attempt = 0; attempt < 50; attempt += 1)
        expect((await acme.get('/ServiceProviderConfig')).status).toBe(200);
      const refused = await acme.get('/ServiceProviderConfig');
      expect(refused).toMatchObject({ status: 429, body: { status: '429' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      // Requests with wrong credentials are still rejected with 401 and don't count towards the directory's rate
      // limit.
      expect((await directoryOf(limited, 'acme', 'Basic eDp5').get('/Users')).status).toBe(401);
    } finally {
      await limited.close();
    }
  });
});
