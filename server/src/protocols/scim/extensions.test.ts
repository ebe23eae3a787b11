import {
  createScimSchema,
  listActivity,
  listScimSchemas,
  renewScimCredentials,
  updateScimSchema,
} from '@orchestrate/shared';
import SCIMMY from 'scimmy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type Directory, directoryOf, userWith } from './testing.ts';

const HR = 'urn:example:hr:2.0:User';
/** Example from the Entra ID documentation. */
const CONTOSO = 'urn:ietf:params:scim:schemas:extension:Contoso:2.0:User';

const ATTRIBUTES = [
  { name: 'costCode', description: 'Who pays' },
  { name: 'exactCode', caseExact: true },
  { name: 'level', type: 'integer' },
  { name: 'quota', type: 'decimal' },
  { name: 'remote', type: 'boolean' },
  { name: 'hiredAt', type: 'dateTime' },
  { name: 'page', type: 'reference' },
  { name: 'key', type: 'binary', caseExact: true },
  { name: 'grade', canonicalValues: ['Junior', 'Senior'] },
  { name: 'tags', multiValued: true },
  { name: 'rooms', type: 'integer', multiValued: true },
  { name: 'badge', type: 'complex', subAttributes: [{ name: 'number', type: 'integer' }, { name: 'Type' }] },
  {
    name: 'phones',
    type: 'complex',
    multiValued: true,
    subAttributes: [{ name: 'number', required: true }, { name: 'kind' }],
  },
] as const;

let portal: TestPortal;
let acme: Directory;
let admin: Awaited<ReturnType<TestPortal['signIn']>>;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
  acme = directoryOf(portal);
});
afterEach(() => portal.close());

type Attributes = readonly { name: string; [characteristic: string]: unknown }[];

/** Registers a schema through the same API as the screen. */
const register = (attributes: Attributes = ATTRIBUTES, urn = HR, as = admin) =>
  portal.call(createScimSchema, { body: { urn, name: 'HR', attributes } as never }, as);

const enter = async (values: JsonObject, userName = 'anna@acme.test') => {
  const { id, status, body } = await acme.send('POST', '/Users', userWith({ userName, [HR]: values }));
  expect([status, body.detail]).toEqual([201, undefined]);
  return id;
};
const valuesOf = async (id: string) => (await acme.get(`/Users/${id}`)).body[HR];
const change = (id: string, operation: JsonObject) => acme.patch(`/Users/${id}`, [operation]);
const refused = (scimType: string, detail: string | RegExp) => ({
  status: 400,
  body: { scimType, detail: expect.stringMatching(detail) },
});

test('announces a registered schema only to its own organisation', async () => {
  expect((await acme.get(`/Schemas/${HR}`)).status).toBe(404);
  await register();
  const { body } = await acme.get(`/Schemas/${HR.toUpperCase()}`);
  expect(body).toMatchObject({ id: HR, name: 'HR', meta: { resourceType: 'Schema' } });
  expect(body.attributes).toHaveLength(ATTRIBUTES.length);
  expect(body.attributes).toContainEqual({
    name: 'costCode',
    description: 'Who pays',
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
  });
  expect((await acme.get('/Schemas')).found.map(({ id }) => id)).toContain(HR);
  const extensionsOf = async (directory: Directory) =>
    (await directory.get('/ResourceTypes/User')).body.schemaExtensions;
  const enterprise = { schema: ENTERPRISE_SCHEMA, required: false };
  expect(await extensionsOf(acme)).toEqual([enterprise, { schema: HR, required: false }]);

  const other = await portal.signIn('admin@globex.test');
  await portal.call(renewScimCredentials, { body: {} }, other);
  const globex = directoryOf(portal, 'globex');
  expect((await globex.get(`/Schemas/${HR}`)).status).toBe(404);
  expect((await globex.get('/Schemas')).found.map(({ id }) => id)).not.toContain(HR);
  expect(await extensionsOf(globex)).toEqual([enterprise]);
  expect((await portal.call(listScimSchemas, {}, other)).body.schemas).toEqual([]);
  const made = await globex.send('POST', '/Users', userWith({ userName: 'g@globex.test', [HR]: { costCode: 'A' } }));
  expect(made.body).not.toHaveProperty([HR]);
  expect(await globex.filter('Users', `${HR}:costCode eq "A"`)).toMatchObject(refused('invalidFilter', ''));
  expect(await globex.patch(`/Users/${made.id}`, [{ op: 'add', path: `${HR}:costCode`, value: 'A' }])).toMatchObject(
    refused('invalidPath', ''),
  );
});

const ALL = {
  costCode: 'A-1',
  exactCode: 'aB',
  level: 7,
  quota: 0.5,
  remote: true,
  hiredAt: '2026-02-01T08:00:00+02:00',
  page: 'https://example.com/anna',
  key: 'AQID',
  grade: 'Senior',
  tags: ['red', 'blue'],
  rooms: [1, 12],
  badge: { number: 5, Type: 'door' },
  phones: [{ number: '1', kind: 'desk' }],
};

// covers: scim 6, scim 15
test('stores values of every type and returns them unchanged, regardless of name spelling', async () => {
  await register();
  const id = await enter(ALL);
  const { body } = await acme.get(`/Users/${id}`);
  expect(body[HR]).toEqual(ALL);
  expect(body.schemas).toEqual([USER_SCHEMA, ENTERPRISE_SCHEMA, HR]);

  // Names are case-insensitive, and full names are also accepted.
  await acme.send(
    'PUT',
    `/Users/${id}`,
    userWith({
      userName: 'anna@acme.test',
      [HR.toUpperCase()]: { COSTCODE: 'B', badge: { NUMBER: 6, type: 'gate' } },
      [`${HR}:LEVEL`]: 8,
    }),
  );
  expect(await valuesOf(id)).toEqual({ costCode: 'B', level: 8, badge: { number: 6, Type: 'gate' } });

  const nothing = await acme.send('PUT', `/Users/${id}`, userWith({ userName: 'anna@acme.test', [HR]: { tags: [] } }));
  expect(nothing.body).not.toHaveProperty([HR]);
  expect(nothing.body.schemas).toEqual([USER_SCHEMA, ENTERPRISE_SCHEMA]);
});

// covers: scim 6
test.each([
  ['costCode', 5, 'a string'],
  ['costCode', ['a'], 'a string'],
  ['costCode', { value: 'a' }, 'a string'],
  ['level', 'seven', 'an integer'],
  ['level', 1.5, 'an integer'],
  ['level', 2 ** 60, 'an integer'],
  ['quota', '0.5', 'a number'],
  ['remote', 'maybe', 'true or false'],
  ['hiredAt', '2026-02-01', 'a date and time'],
  ['hiredAt', 5, 'a date and time'],
  ['key', 'not base64', 'base64'],
  ['grade', 'Principal', 'one of Junior, Senior'],
  ['tags', [1], 'a string'],
  ['rooms', ['1'], 'an integer'],
  ['rooms', Array.from({ length: 51 }, (_, at) => at), 'at most 50 values'],
  ['badge', 'door', 'an object'],
  ['phones', ['112'], 'an object'],
  ['phones', [{ kind: 'desk' }], 'a value is required'],
  ['badge', { number: 'five' }, 'an integer'],
])('rejects an invalid value for %s (%j) and names the attribute', async (name, value, why) => {
  await register();
  const input = userWith({ userName: 'anna@acme.test', [HR]: { [name]: value } });
  const expected = refused('invalidValue', new RegExp(`^${HR}:${name}.*: .*${why}`));
  expect(await acme.send('POST', '/Users', input)).toMatchObject(expected);
  const id = await enter({ costCode: 'A' });
  expect(await acme.send('PUT', `/Users/${id}`, input)).toMatchObject(expected);
  expect((await change(id, { op: 'add', value: { [HR]: { [name]: value } } })).body).toMatchObject({
    scimType: 'invalidValue',
    detail: expect.stringContaining(name),
  });
  expect(await valuesOf(id)).toEqual({ costCode: 'A' });
});

test('ignores unknown user attributes, but rejects them in a path', async () => {
  await register();
  const id = await enter({ costCode: 'A', unknown: 1, ...JSON.parse('{"__proto__": {"level": 9}}') });
  expect(await valuesOf(id)).toEqual({ costCode: 'A' });
  for (const path of [
    `${HR}:unknown`,
    `${HR}:badge.unknown`,
    'urn:example:other:2.0:User:costCode',
    `${HR}:__proto__`,
  ]) {
    expect(await change(id, { op: 'add', path, value: 'x' }), path).toMatchObject(refused('invalidPath', ''));
  }
  const whole = { op: 'add', path: HR, value: { unknown: 1 } };
  expect(await change(id, whole)).toMatchObject(refused('invalidPath', 'unknown'));
  expect(await acme.send('POST', '/Users', userWith({ userName: 'x@acme.test', [HR]: 'A' }))).toMatchObject(
    refused('invalidValue', HR),
  );
});

describe('PATCH with an extension', () => {
  test.each<[string, Json, JsonObject]>([
    ['adds a value by its qualified name', { op: 'add', path: `${HR}:costCode`, value: 'B' }, { costCode: 'B' }],
    [
      'ignores the letter case of names',
      { op: 'replace', path: `${HR.toUpperCase()}:COSTCODE`, value: 'B' },
      { costCode: 'B' },
    ],
    ['accepts the extension as an object without a path', { op: 'add', value: { [HR]: { level: 9 } } }, { level: 9 }],
    ['accepts qualified names without a path', { op: 'Replace', value: { [`${HR}:level`]: 9 } }, { level: 9 }],
    ['merges an object into the extension', { op: 'replace', path: HR, value: { level: 9 } }, { level: 9 }],
    [
      'changes a sub-attribute',
      { op: 'replace', path: `${HR}:badge.NUMBER`, value: 9 },
      { badge: { number: 9, Type: 'door' } },
    ],
    [
      'changes only the named sub-attributes',
      { op: 'add', path: `${HR}:badge`, value: { type: 'x' } },
      { badge: { number: 5, Type: 'x' } },
    ],
    [
      'adds values to a list',
      { op: 'add', path: `${HR}:tags`, value: ['green', 'red'] },
      { tags: ['red', 'blue', 'green'] },
    ],
    ['adds a single value to a list', { op: 'add', path: `${HR}:rooms`, value: 3 }, { rooms: [1, 12, 3] }],
    [
      'adds a value in the form of an object',
      { op: 'add', path: `${HR}:tags`, value: [{ value: 'x' }] },
      { tags: ['red', 'blue', 'x'] },
    ],
    ['replaces a list', { op: 'replace', path: `${HR}:tags`, value: ['x'] }, { tags: ['x'] }],
    ['removes the listed values', { op: 'remove', path: `${HR}:tags`, value: ['red'] }, { tags: ['blue'] }],
    [
      'removes the values that match a filter',
      { op: 'remove', path: `${HR}:tags[value eq "RED"]` },
      { tags: ['blue'] },
    ],
    ['compares numbers numerically in a filter', { op: 'remove', path: `${HR}:rooms[value gt 9]` }, { rooms: [1] }],
    [
      'replaces the values that match a filter',
      { op: 'replace', path: `${HR}:tags[value sw "r"].value`, value: 'x' },
      { tags: ['x', 'blue'] },
    ],
    [
      'changes a sub-attribute of the matching values',
      { op: 'replace', path: `${HR}:phones[kind eq "desk"].number`, value: '2' },
      { phones: [{ number: '2', kind: 'desk' }] },
    ],
    [
      'adds a value if none matches the filter',
      { op: 'Replace', path: `${HR}:phones[KIND eq "home"].number`, value: '2' },
      {
        phones: [
          { number: '1', kind: 'desk' },
          { kind: 'home', number: '2' },
        ],
      },
    ],
    ['changes nothing if no value matches', { op: 'remove', path: `${HR}:phones`, value: [{ number: '3' }] }, {}],
  ])('%s', async (_what, operation, expected) => {
    await register();
    const id = await enter(ALL);
    const { status, body } = await acme.patch(`/Users/${id}`, [operation]);
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(body[HR]).toEqual({ ...ALL, ...expected });
    expect(await valuesOf(id)).toEqual({ ...ALL, ...expected });
  });

  test('removes an attribute, and the extension when its last attribute is removed', async () => {
    await register();
    const id = await enter({ costCode: 'A', level: 1, tags: ['x'] });
    expect((await change(id, { op: 'remove', path: `${HR}:costCode` })).body[HR]).toEqual({ level: 1, tags: ['x'] });
    expect((await change(id, { op: 'remove', path: `${HR}:tags[value eq "x"]` })).body[HR]).toEqual({ level: 1 });
    const { body } = await change(id, { op: 'remove', path: HR });
    expect(body).not.toHaveProperty([HR]);
    expect(body.schemas).not.toContain(HR);
  });

  test('leaves the values unchanged if the request only changes other attributes', async () => {
    await register();
    const id = await enter(ALL);
    await change(id, { op: 'replace', path: 'active', value: false });
    await change(id, { op: 'replace', path: 'department', value: 'Sales' });
    expect(await valuesOf(id)).toEqual(ALL);
  });
});

describe('filters on extension attributes', () => {
  test.each<[string, string[]]>([
    ['costCode eq "a-1"', ['anna']],
    ['costCode ne "a-1"', ['bert', 'carl']],
    ['costCode co "-"', ['anna', 'bert']],
    ['costCode sw "B"', ['bert']],
    ['costCode ew "1"', ['anna']],
    ['costCode gt "a-1"', ['bert']],
    ['costCode pr', ['anna', 'bert']],
    ['exactCode eq "aB"', ['anna']],
    ['exactCode eq "AB"', []],
    ['exactCode co "B"', ['anna']],
    ['level eq 7', ['anna']],
    ['level eq "7"', ['anna']],
    ['level gt 7', ['bert']],
    ['level ge 7.0', ['anna', 'bert']],
    ['level lt 100', ['anna', 'bert']],
    ['quota le 0.5', ['anna']],
    ['remote eq true', ['anna']],
    ['remote eq "False"', ['bert']],
    ['remote ne true', ['bert', 'carl']],
    ['hiredAt eq "2026-02-01T06:00:00Z"', ['anna']],
    ['hiredAt gt "2026-02-01T06:00:00.001Z"', ['bert']],
    ['hiredAt pr', ['anna', 'bert']],
    ['tags eq "RED"', ['anna']],
    ['tags co "re"', ['anna', 'bert']],
    ['tags ne "red"', ['bert', 'carl']],
    ['tags pr', ['anna', 'bert']],
    ['tags eq null', ['carl']],
    ['tags[value eq "red"]', ['anna']],
    ['rooms gt 11', ['anna']],
    ['badge.number eq 5', ['anna']],
    ['badge.type eq "door"', ['anna']],
    ['badge pr', ['anna']],
    ['badge[number eq 5 and type eq "door"]', ['anna']],
    ['phones[number eq "1" and kind eq "desk"]', ['anna']],
    ['phones[number eq "2" and kind eq "desk"]', []],
    ['phones.number eq "2"', ['bert']],
    ['phones[not (kind pr)]', ['bert']],
  ])('find the matching users with %s', { tags: 'whole' }, async (filter, expected) => {
    await register();
    await enter(ALL, 'anna@acme.test');
    await enter(
      {
        costCode: 'B-2',
        level: 10,
        quota: 2,
        remote: false,
        hiredAt: '2026-03-01T00:00:00Z',
        tags: ['green'],
        phones: [{ number: '2' }, { number: '3', kind: 'desk' }],
      },
      'bert@acme.test',
    );
    await enter({}, 'carl@acme.test');
    const prefixed = filter.replace(/^/, `${HR}:`);
    const mine = '(userName eq "anna@acme.test" or userName eq "bert@acme.test" or userName eq "carl@acme.test")';
    const names = (found: JsonObject[]) => found.map(({ userName }) => String(userName).split('@')[0]);
    const { status, found, body } = await acme.filter('Users', `${mine} and ${prefixed}`);
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(names(found)).toEqual(expected);
    // The same search with POST on the root endpoint, in capitals.
    const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] };
    const upper = prefixed.replace(HR, HR.toUpperCase());
    for (const path of ['/Users/.search', '/.search']) {
      const { found: same } = await acme.send('POST', path, { ...search, filter: `${mine} and ${upper}` });
      expect(names(same)).toEqual(expected);
    }
  });

  test.each([
    'unknown eq "x"',
    'level co 7',
    'level eq "many"',
    'remote gt true',
    'remote eq "maybe"',
    'key gt "AQID"',
    'hiredAt sw "2026"',
    'hiredAt gt "yesterday"',
    'badge eq "door"',
    'badge.unknown pr',
    'phones[unknown eq "x"]',
    'phones[number eq "x" and kind[value pr]]',
    'costCode gt null',
  ])('reject the filter %s', async (filter) => {
    await register();
    expect(await acme.filter('Users', `${HR}:${filter}`)).toMatchObject(refused('invalidFilter', ''));
  });

  test('find users with any value of an extension by its schema', async () => {
    await register();
    await enter(ALL, 'anna@acme.test');
    await enter({}, 'carl@acme.test');
    const all = (await acme.get('/Users')).body.totalResults;
    const { found } = await acme.filter('Users', `schemas eq "${HR.toUpperCase()}"`);
    expect(found.map(({ userName }) => userName)).toEqual(['anna@acme.test']);
    const others = await acme.filter('Users', `schemas ne "${HR}"`);
    expect(others.body.totalResults).toBe(Number(all) - 1);
  });

  test('return users sorted by the value type', async () => {
    await register();
    await enter({ level: 9, costCode: 'b', hiredAt: '2026-01-02T00:00:00+10:00', rooms: [3] }, 'anna@acme.test');
    await enter({ level: 10, costCode: 'A', hiredAt: '2026-01-01T20:00:00Z', rooms: [2, 9] }, 'bert@acme.test');
    const by = async (name: string, order = 'ascending') => {
      const query = `filter=${encodeURIComponent(`${HR}:level pr`)}&sortBy=${HR}:${name}&sortOrder=${order}`;
      const { status, found } = await acme.get(`/Users?${query}`);
      return status === 200 ? found.map(({ userName }) => userName) : status;
    };
    const [anna, bert] = ['anna@acme.test', 'bert@acme.test'];
    expect(await by('level')).toEqual([anna, bert]);
    expect(await by('LEVEL', 'descending')).toEqual([bert, anna]);
    expect(await by('costCode')).toEqual([bert, anna]);
    expect(await by('hiredAt')).toEqual([anna, bert]);
    expect(await by('rooms')).toEqual([bert, anna]);
    expect(await by('badge')).toBe(400);
    expect(await by('unknown')).toBe(400);
  });
});

// covers: scim 35
test('applies attributes and excludedAttributes to extension attributes', async () => {
  await register([
    { name: 'costCode' },
    { name: 'stays', returned: 'always' },
    { name: 'hidden', returned: 'request' },
    { name: 'badge', type: 'complex', subAttributes: [{ name: 'number' }, { name: 'kind' }] },
  ]);
  const id = await enter({ costCode: 'A', stays: 'B', hidden: 'C', badge: { number: '1', kind: 'door' } });
  const shown = async (query: string) => (await acme.get(`/Users/${id}${query}`)).body[HR];
  const usual = { costCode: 'A', stays: 'B', badge: { number: '1', kind: 'door' } };
  expect(await shown('')).toEqual(usual);
  expect(await shown('?attributes=userName')).toEqual({ stays: 'B' });
  expect(await shown(`?attributes=${HR}:COSTCODE`)).toEqual({ costCode: 'A', stays: 'B' });
  expect(await shown(`?attributes=${HR}:hidden,${HR}:badge.kind`)).toEqual({
    stays: 'B',
    hidden: 'C',
    badge: { kind: 'door' },
  });
  expect(await shown(`?attributes=${HR}`)).toEqual({ ...usual, hidden: 'C' });
  expect(await shown(`?excludedAttributes=${HR}:costCode,${HR}:badge.kind,${HR}:stays`)).toEqual({
    stays: 'B',
    badge: { number: '1' },
  });
  expect(await shown(`?excludedAttributes=${HR}`)).toEqual({ stays: 'B' });
  const { found } = await acme.filter('Users', `${HR}:hidden eq "C"`);
  expect(found.map((one) => one[HR])).toEqual([usual]);
});

describe('a required attribute', () => {
  const REQUIRED = [{ name: 'costCode', required: true }, { name: 'level' }, { name: 'tags', multiValued: true }];

  test('must be present in users with any other attribute of the extension', async () => {
    await register(REQUIRED);
    const missing = refused('invalidValue', `${HR}:costCode: a value is required`);
    const input = userWith({ userName: 'anna@acme.test', [HR]: { level: 'x' } });
    expect(await acme.send('POST', '/Users', input)).toMatchObject(missing);
    const id = await enter({});
    expect(await change(id, { op: 'add', path: `${HR}:level`, value: 'x' })).toMatchObject(missing);
    await change(id, { op: 'add', value: { [HR]: { level: 'x', costCode: 'A' } } });
    expect(await change(id, { op: 'remove', path: `${HR}:costCode` })).toMatchObject(refused('mutability', 'costCode'));
    expect((await change(id, { op: 'remove', path: HR })).status).toBe(200);
  });

  test('can be missing when a user is disabled, if it became required later', async () => {
    const { body } = await register([{ name: 'level' }, { name: 'grade' }]);
    const id = await enter({ level: 'x', grade: 'Other' });
    const { schemaId, version } = body.schema;
    const attributes = [
      { name: 'level' },
      { name: 'costCode', required: true },
      { name: 'grade', canonicalValues: ['A'] },
    ];
    const later = { params: { schemaId }, body: { name: 'HR', attributes } as never };
    expect(await portal.call(updateScimSchema, later, { ...admin, ifMatch: version })).toMatchObject({ status: 200 });
    expect((await change(id, { op: 'replace', path: 'active', value: false })).body.active).toBe(false);
    expect((await change(id, { op: 'replace', path: `${HR}:level`, value: 'y' })).body[HR]).toEqual({
      level: 'y',
      grade: 'Other',
    });
    expect(await change(id, { op: 'replace', path: `${HR}:grade`, value: 'New' })).toMatchObject(
      refused('invalidValue', 'one of A'),
    );
  });
});

// covers: scim 34
test('sets an immutable attribute only once, and keeps it if requests omit it', async () => {
  await register([{ name: 'number', mutability: 'immutable' }, { name: 'costCode' }]);
  const id = await enter({ costCode: 'A' });
  await change(id, { op: 'add', path: `${HR}:number`, value: '1' });
  const immutable = refused('mutability', 'number');
  expect(await change(id, { op: 'replace', path: `${HR}:number`, value: '2' })).toMatchObject(immutable);
  expect(await change(id, { op: 'remove', path: `${HR}:number` })).toMatchObject(immutable);
  expect(await change(id, { op: 'remove', path: HR })).toMatchObject(immutable);
  const put = (values: JsonObject) =>
    acme.send('PUT', `/Users/${id}`, userWith({ userName: 'anna@acme.test', [HR]: values }));
  expect(await put({ number: '2' })).toMatchObject(immutable);
  expect((await put({ number: '1', costCode: 'B' })).body[HR]).toEqual({ number: '1', costCode: 'B' });
  expect((await put({ costCode: 'C' })).body[HR]).toEqual({ number: '1', costCode: 'C' });
  expect((await put({})).body[HR]).toEqual({ number: '1' });
});

test('validates and stores each user in a bulk request separately', async () => {
  await register();
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
  const post = (bulkId: string, values: JsonObject) => ({
    method: 'POST',
    path: '/Users',
    bulkId,
    data: userWith({ userName: `${bulkId}@acme.test`, [HR]: values }),
  });
  const Operations = [
    post('good', { level: 1 }),
    post('bad', { level: 'x' }),
    {
      method: 'PATCH',
      path: '/Users/bulkId:good',
      data: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: `${HR}:level`, value: 2 }],
      },
    },
  ];
  const { body } = await acme.send('POST', '/Bulk', { schemas, Operations });
  const results = Array.isArray(body.Operations) ? body.Operations.filter(isObject) : [];
  expect(results.map(({ status }) => status)).toEqual(['201', '400', '200']);
  expect((await acme.filter('Users', 'userName eq "good@acme.test"')).found).toMatchObject([{ [HR]: { level: 2 } }]);
});

describe('third-party directories', () => {
  test('support Entra ID, which sends full names with the documented URN', async () => {
    await register([{ name: 'CostCode' }, { name: 'Remote', type: 'boolean' }], CONTOSO);
    const made = await acme.send('POST', '/Users', {
      schemas: [USER_SCHEMA, CONTOSO],
      userName: 'anna@acme.test',
      active: true,
      [CONTOSO]: { CostCode: 'A', Remote: 'True' },
    });
    expect(made.body[CONTOSO]).toEqual({ CostCode: 'A', Remote: true });
    const { body } = await acme.patch(`/Users/${made.id}`, [
      { op: 'Replace', path: `${CONTOSO}:CostCode`, value: 'B' },
      { op: 'Add', path: `${CONTOSO}:Remote`, value: 'False' },
    ]);
    expect(body[CONTOSO]).toEqual({ CostCode: 'B', Remote: false });
    const cleared = await acme.patch(`/Users/${made.id}`, [{ op: 'Remove', path: `${CONTOSO}:CostCode` }]);
    expect(cleared.body[CONTOSO]).toEqual({ Remote: false });
    expect((await acme.filter('Users', `${CONTOSO}:Remote eq "False"`)).found).toHaveLength(1);
  });

  test('support Okta, which sends back the whole user with its changes', async () => {
    await register();
    const id = await enter({ costCode: 'A', tags: ['x'] });
    const { body } = await acme.get(`/Users/${id}`);
    const own = isObject(body[HR]) ? body[HR] : {};
    const put = await acme.send('PUT', `/Users/${id}`, { ...body, [HR]: { ...own, costCode: 'B' } });
    expect(put.body[HR]).toEqual({ costCode: 'B', tags: ['x'] });
    const patched = await acme.patch(`/Users/${id}`, [{ op: 'replace', value: { id, [HR]: { costCode: 'C' } } }]);
    expect(patched.body[HR]).toEqual({ costCode: 'C', tags: ['x'] });
  });

  test('support SCIMMY, which parses the schema and uses it to parse the user', async () => {
    await register(ATTRIBUTES, CONTOSO);
    const input = userWith({ userName: 'anna@acme.test', [CONTOSO]: ALL });
    const { body } = await acme.send('POST', '/Users', input);
    const { body: schema } = await acme.get(`/Schemas/${CONTOSO}`);
    const { SchemaDefinition, Attribute } = SCIMMY.Types;
    const simple = z.looseObject({ type: z.string(), name: z.string(), mutability: z.string(), returned: z.string() });
    const described = z.array(simple.extend({ subAttributes: z.array(simple).default([]) }));
    type Described = z.output<typeof simple>;
    const attributeOf = (
      { type, name, mutability: _mutability, returned: _returned, subAttributes: _parts, ...config }: Described,
      parts: Described[] = [],
    ): InstanceType<typeof Attribute> =>
      new Attribute(
        type as 'string',
        name,
        config,
        parts.map((part) => attributeOf(part)),
      );
    const attributes = described.parse(schema.attributes).map((one) => attributeOf(one, one.subAttributes));
    const definition = new SchemaDefinition(
      String(schema.name),
      String(schema.id),
      String(schema.description),
      attributes,
    );
    const {
      schemas: _schemas,
      meta: _meta,
      ...read
    } = JSON.parse(JSON.stringify(definition.coerce(body[CONTOSO] as object, 'both')));
    expect(read).toEqual({ ...ALL, hiredAt: '2026-02-01T06:00:00.000Z' });
  });
});

test('records directory changes in the audit trail, with full attribute names', async () => {
  await register();
  const id = await enter({ costCode: 'A', tags: ['x'], badge: { number: 1 } });
  await change(id, { op: 'replace', path: `${HR}:badge.number`, value: 2 });
  const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
  const changed = Items.find(({ action, object }) => action === 'member.updated' && object.id === id);
  expect(changed?.changes).toEqual([{ field: `${HR}:badge.number`, before: '1', after: '2' }]);
});
