import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA } from './attributes.ts';
import type { JsonObject } from './json.ts';
import { type Directory, directoryOf, userWith } from './testing.ts';

/** Tests that filters find exactly the resources whose responses match them (RFC 7644 §3.4.2.2). */
let portal: TestPortal;
let directory: Directory;
let people: JsonObject[];
beforeAll(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
  const manager = memberByEmail(portal, 'acme', 'manager@acme.test').suid;
  const name = (givenName: string, familyName: string) => ({ name: { givenName, familyName } });
  for (const filter of [
    { userName: 'ann', ...name('Ann', 'Lee') },
    {
      userName: 'bob',
      ...name('Bob', 'Ray'),
      title: 'Boss',
      emails: [
        { value: 'bob@acme.test', type: 'work', primary: true },
        { value: 'bob@home.test', type: 'home', display: 'Home' },
      ],
      addresses: [
        { locality: 'Rome', type: 'work', primary: true },
        { locality: 'Lyon', country: 'FR', type: 'home' },
      ],
      [ENTERPRISE_SCHEMA]: { manager: { value: manager }, department: 'Ops' },
    },
    {
      userName: 'cleo',
      ...name('Cleo', 'Roe'),
      active: false,
      phoneNumbers: [
        { value: '+46701234567', type: 'mobile', primary: true },
        { value: '555', type: 'work', display: 'Desk' },
      ],
      emails: [{ value: 'cleo@acme.test', type: 'home' }],
    },
    {
      userName: 'dan',
      ...name('Dan', 'Home'),
      addresses: [{ country: 'FR', type: 'work' }],
      phoneNumbers: [{ value: '555', type: 'home' }],
    },
  ])
    expect(await directory.send('POST', '/Users', userWith(filter))).toMatchObject({ status: 201 });
  people = (await directory.get('/Users?count=500')).found;
});
afterAll(() => portal.close());

const LISTS: Record<string, readonly string[]> = {
  emails: ['value', 'type', 'display', 'primary'],
  phoneNumbers: ['value', 'type', 'display', 'primary'],
  addresses: ['locality', 'country', 'type', 'region', 'primary'],
};
const SINGLE = [
  'schemas',
  'userName',
  'title',
  'name.givenName',
  'name.familyName',
  'displayName',
  'department',
  'active',
];
const WORDS = [
  'bob@home.test',
  'home',
  'work',
  '555',
  'Rome',
  'FR',
  'bob',
  'Ops',
  'Boss',
  'o',
  'cleo@home.test',
  '@acme.test',
  'Desk',
  'MOBILE',
  ENTERPRISE_SCHEMA,
];
const FLAGS = new Set(['primary', 'active']);

type Node =
  | { op: 'and' | 'or'; parts: Node[] }
  | { op: 'not'; part: Node }
  | { op: 'in'; list: string; part: Node }
  | { op: 'pr'; path: string }
  | { op: 'eq' | 'ne' | 'co' | 'sw' | 'ew'; path: string; value: string | boolean };

const comparison = (paths: readonly string[]): fc.Arbitrary<Node> =>
  fc
    .tuple(
      fc.constantFrom(...paths),
      fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'pr'),
      fc.constantFrom(...WORDS),
      fc.boolean(),
    )
    .map(([path, op, word, flag]): Node => {
      if (op === 'pr') return { op, path };
      const isFlag = FLAGS.has(path.split('.').at(-1) ?? '');
      return isFlag ? { op: op === 'ne' ? 'ne' : 'eq', path, value: flag } : { op: op as 'eq', path, value: word };
    });

const combined = (one: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      one,
      fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('not' as const), part: tie('node') }),
    ),
  })).node;

const inList = fc
  .constantFrom(...Object.keys(LISTS))
  .chain((list) => combined(comparison(LISTS[list] ?? [])).map((part): Node => ({ op: 'in', list, part })));
const paths = [
  ...SINGLE,
  'emails',
  'phoneNumbers',
  ...Object.entries(LISTS).flatMap(([list, parts]) => parts.map((part) => `${list}.${part}`)),
];
const filters = combined(fc.oneof(comparison(paths), inList));

const written = (node: Node): string => {
  switch (node.op) {
    case 'and':
    case 'or':
      return `(${node.parts.map(written).join(` ${node.op} `)})`;
    case 'not':
      return `not (${written(node.part)})`;
    case 'in':
      return `${node.list}[${written(node.part)}]`;
    case 'pr':
      return `${node.path} pr`;
    default:
      return `${node.path} ${node.op} ${JSON.stringify(node.value)}`;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valuesAt(of: unknown, path: string): unknown[] {
  let found: unknown[] = [of];
  for (const name of path.split('.')) found = found.flatMap((one) => (isObject(one) ? [one[name] ?? []].flat() : []));
  return found.map((one) => (isObject(one) && 'value' in one ? one.value : one));
}

/** Evaluates a filter on a response. Implemented from the RFC, independently of the portal's code. */
function meets(of: Record<string, unknown>, node: Node): boolean {
  switch (node.op) {
    case 'and':
      return node.parts.every((part) => meets(of, part));
    case 'or':
      return node.parts.some((part) => meets(of, part));
    case 'not':
      return !meets(of, node.part);
    case 'in':
      return [of[node.list] ?? []].flat().some((one) => isObject(one) && meets(one, node.part));
    case 'pr':
      return valuesAt(of, node.path).some((one) => one !== '');
    default: {
      const value = String(node.value).toLowerCase();
      const texts = valuesAt(of, node.path).map((one) => String(one).toLowerCase());
      if (node.op === 'ne') return texts.every((one) => one !== value);
      const holds = {
        eq: (one: string) => one === value,
        co: (one: string) => one.includes(value),
        sw: (one: string) => one.startsWith(value),
        ew: (one: string) => one.endsWith(value),
      };
      return texts.some(holds[node.op]);
    }
  }
}

async function expectFound(node: Node): Promise<void> {
  const filter = written(node);
  const { status, found } = await directory.filter('Users', filter, 'count=500');
  const expected = people.filter((one) => meets(flat(one), node));
  expect({ filter, status, found: found.map(({ id }) => id) }).toEqual({
    filter,
    status: 200,
    found: expected.map(({ id }) => id),
  });
}

/** Copies enterprise extension attributes to the top level, because they can be named without the extension's URN. */
function flat(one: JsonObject): Record<string, unknown> {
  const extension = one[ENTERPRISE_SCHEMA];
  return { ...one, ...(isObject(extension) && extension) };
}

const INDEXED = ['userName', 'emails', 'emails.value', 'name.givenName', 'name.familyName', 'employeeNumber'];

test.each(INDEXED)(
  'finds exactly the matching users by an indexed comparison with %s',
  { tags: 'whole' },
  async (path) => {
    for (const value of WORDS)
      for (const op of ['eq', 'ne', 'co', 'sw', 'ew'] as const) await expectFound({ op, path, value });
  },
);

// covers: scim 52
test('finds exactly the matching users with any filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      filters.filter((node) => written(node).length < 1_500),
      expectFound,
    ),
    { numRuns: 200 },
  );
});
