import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './attributes.ts';
import type { Json } from './json.ts';
import { type Directory, directoryOf, PATCH_OP, userWith } from './testing.ts';

let portal: TestPortal;
let directory: Directory;
beforeAll(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterAll(() => portal.close());

const runs = { numRuns: 60, seed: 20_261_120 };
const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
const name = fc.constantFrom(
  ...[
    'userName',
    'name',
    'emails',
    'phoneNumbers',
    'roles',
    'active',
    'externalId',
    'displayName',
    'members',
    'schemas',
  ],
  ...[
    'name.givenName',
    'emails[type eq "work"]',
    'emails[type eq "work"].value',
    'id',
    'meta',
    '__proto__',
    'toString',
  ],
  ...[ENTERPRISE_SCHEMA, `${ENTERPRISE_SCHEMA}:manager`, 'title', ''],
);

/** Expects a success or a SCIM error. */
function expectAnswered({ status, body }: Awaited<ReturnType<Directory['send']>>): void {
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(body).toMatchObject({ status: String(status), detail: expect.any(String) });
}

test('creates or refuses arbitrary users', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, json), async (input) => {
      expectAnswered(await directory.send('POST', '/Users', { schemas: [USER_SCHEMA], userName: 'fuzz', ...input }));
    }),
    runs,
  );
});

// covers: scim 86
test('applies or refuses arbitrary operations', async () => {
  const { suid } = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test');
  const op = fc.constantFrom('add', 'Replace', 'remove', 'move');
  const operation = fc.record({ op, path: fc.oneof(name, fc.string()), value: json }, { requiredKeys: ['op'] });
  await fc.assert(
    fc.asyncProperty(operation, fc.constantFrom(`/Users/${suid}`, '/Groups/AUDITOR'), async (one, path) => {
      expectAnswered(await directory.send('PATCH', path, { schemas: [PATCH_OP], Operations: [one] }));
    }),
    runs,
  );
});

test('evaluates or refuses arbitrary filters', async () => {
  const word = fc.constantFrom(
    ...['userName', 'name.givenName', 'emails', 'eq', 'co', 'pr', 'gt', 'and', 'or', 'not', '(', ')', '[', ']'],
    ...['"mar"', '"\\u0000"', '"', 'true', 'null', '1e9', 'active', 'meta.created', 'roles[value', '"SUPER_ADMIN"]'],
  );
  const filter = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(filter, fc.constantFrom('Users', 'Groups'), async (text, resource) => {
      expectAnswered(await directory.filter(resource, text, 'count=2'));
    }),
    runs,
  );
});

test.each(['filter=id+pr', 'startIndex=1', 'count=1', 'sortBy=id', 'sortOrder=ascending'])(
  'refuses a list request with a repeated parameter: %s',
  async (input) => {
    for (const path of ['/Users', '/Groups']) {
      const { status, body } = await directory.get(`${path}?${input}&${input}`);
      const [name] = input.split('=');
      expect({ status, ...body }).toMatchObject({
        status: '400',
        scimType: 'invalidValue',
        detail: `${name} can't be repeated.`,
      });
    }
  },
);

test('creates each of several concurrent users once, even if another user is refused', async () => {
  const { suid: manager } = memberByEmail(portal, 'acme', 'tamara.quist@acme.test');
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      directory.send(
        'POST',
        '/Users',
        // Twenty users have a taken name, and one has an unknown role.
        userWith({
          userName: `many-${index % 40}@acme.test`,
          ...(index === 25 && { roles: ['NOBODY'] }),
          [ENTERPRISE_SCHEMA]: { manager: { value: manager } },
        }),
      ),
    ),
  );
  const count = (status: number) => sent.filter((reply) => reply.status === status).length;
  expect([count(201) >= 39, count(400), count(201) + count(409) + count(400)]).toEqual([true, 1, 60]);
  const { body } = await directory.filter('Users', 'userName sw "many-"', 'count=0');
  expect(body.totalResults).toBe(count(201));
  expect(memberByEmail(portal, 'acme', 'tamara.quist@acme.test').isManager).toBe(true);
});

test('leaves the Super Admin unchanged after all tests above', () => {
  expect(memberByEmail(portal, 'acme', 'super.admin@acme.test')).toMatchObject({
    roleCode: 'SUPER_ADMIN',
    accountStatus: 'active',
  });
});

const entries = (count: number, nameOf: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [nameOf(index), 'x']));
const mails = (prefix: string) => Array.from({ length: 8_000 }, (_, index) => ({ value: `${prefix}${index}` }));

test.each<[string, Json[]]>([
  [
    'paths used as names',
    Array.from({ length: 9 }, (_, part) => ({
      op: 'add',
      value: entries(900, (index) => `emails[type eq "${part}-${index}"].value`),
    })),
  ],
  [
    'values to compare with each other',
    [
      { op: 'add', path: 'emails', value: mails('a') },
      { op: 'add', path: 'emails', value: mails('b') },
    ],
  ],
])('quickly refuses lists of thousands of %s', async (_how, operations) => {
  const { suid } = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test');
  const reply = await directory.patch(`/Users/${suid}`, operations);
  expect(reply).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue', detail: expect.stringMatching(/: at most 50 values\.$/) },
  });
});

test('refuses operations with too many comparisons', async () => {
  const { suid } = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test');
  const path = `ims[${Array.from({ length: 40 }, () => 'value co "x"').join(' or ')} or value pr].display`;
  const replaced = Array.from({ length: 900 }, () => ({ op: 'replace', path, value: 'x' }));
  const list = { op: 'replace', path: 'ims', value: mails('a').slice(0, 50) };
  const reply = await directory.patch(`/Users/${suid}`, [list, ...replaced]);
  expect(reply).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
});

test('refuses an object with thousands of attributes anywhere in a body', async () => {
  const { suid } = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test');
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`a${index}`, 1]));
  const patch = (value: Json) => ({ schemas: [PATCH_OP], Operations: [{ op: 'replace', value }] });
  const user = { schemas: [USER_SCHEMA], userName: 'many@acme.test' };
  const requests: [method: string, path: string, body: Json][] = [
    ['POST', '/Users', { ...user, ...many }],
    ['POST', '/Users', { ...user, name: many }],
    ['PUT', `/Users/${suid}`, { ...user, emails: [many] }],
    ['PATCH', `/Users/${suid}`, patch(many)],
    ['PATCH', `/Users/${suid}`, patch({ [ENTERPRISE_SCHEMA]: many })],
    ['POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'Many', ...many }],
    ['POST', '/Users/.search', { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...many }],
    ['POST', '/Bulk', { schemas: [], Operations: [{ method: 'POST', path: '/Users', bulkId: '1', data: many }] }],
  ];
  for (const [method, path, body] of requests) {
    expect(await directory.send(method, path, body)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax', detail: 'Objects can have at most 1000 attributes.' },
    });
  }
});

test('completes a search that lists thousands of attributes', {
  tags: 'whole',
}, async () => {
  const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 200 };
  const odd = Array.from({ length: 50_000 }, (_, index) => `emails.a${index}`);
  const [few, many] = await Promise.all(
    [[], odd].map((names) =>
      directory.send('POST', '/Users/.search', { ...search, attributes: ['userName', ...names] }),
    ),
  );
  expect(few?.found).toHaveLength(200);
  const bare = many?.found.map(({ emails: _emails, ...user }) => user);
  expect(bare).toEqual(few?.found);
});

// covers: security 1.5.2
test.each([100, 5_000, 100_000])('refuses a body with nesting depth %i without a stack overflow', async (depth) => {
  const { suid } = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test');
  const list = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const object = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  for (const value of [list, object]) {
    for (const [method, path, body] of [
      ['POST', '/Users', `{"schemas":["${USER_SCHEMA}"],"userName":"deep@acme.test","name":${value}}`],
      ['POST', '/Users', `{"schemas":["${USER_SCHEMA}"],"userName":"deep@acme.test","unknown":${value}}`],
      ['PUT', `/Users/${suid}`, `{"schemas":["${USER_SCHEMA}"],"userName":"deep@acme.test","roles":${value}}`],
      ['PATCH', `/Users/${suid}`, `{"schemas":["${PATCH_OP}"],"Operations":[{"op":"add","value":{"title":${value}}}]}`],
      ['PATCH', '/Groups/AUDITOR', `{"schemas":["${PATCH_OP}"],"Operations":[{"op":"add","value":${value}}]}`],
      ['POST', '/Users/.search', `{"schemas":${value}}`],
      ['POST', '/Bulk', `{"schemas":[],"Operations":[{"method":"POST","path":"/Users","bulkId":"1","data":${value}}]}`],
    ] as const) {
      const reply = await directory.send(method, path, body);
      expect(reply).toMatchObject({ status: 400, body: { status: '400', scimType: 'invalidSyntax' } });
    }
  }
  for (const filter of [
    `${'('.repeat(depth)}userName pr${')'.repeat(depth)}`,
    `${'not ('.repeat(depth)}userName pr${')'.repeat(depth)}`,
    `${'emails['.repeat(depth)}type pr${']'.repeat(depth)}`,
    'not '.repeat(depth),
  ]) {
    const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter };
    for (const resource of ['Users', 'Groups']) {
      const reply = await directory.send('POST', `/${resource}/.search`, search);
      expect(reply).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
    }
  }
});
