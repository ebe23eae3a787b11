import {
  createScimSchema,
  deleteScimSchema,
  LIMITS,
  listActivity,
  listScimSchemas,
  updateScimSchema,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { directoryOf, userWith } from '#protocols/scim/testing.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const HR = 'urn:example:hr:2.0:User';

let portal: TestPortal;
let admin: Awaited<ReturnType<TestPortal['signIn']>>;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

type Sent = Record<string, unknown>;

const create = (body: Sent) =>
  portal.call(
    createScimSchema,
    { body: { urn: HR, name: 'HR', attributes: [{ name: 'costCode' }], ...body } as never },
    admin,
  );
const update = (schemaId: string, body: Sent, ifMatch?: string) =>
  portal.call(
    updateScimSchema,
    { params: { schemaId }, body: { name: 'HR', ...body } as never },
    { ...admin, ifMatch },
  );
const remove = (schemaId: string, deleteValues = false) =>
  portal.call(deleteScimSchema, { params: { schemaId }, body: { deleteValues } }, admin);
const list = async () => (await portal.call(listScimSchemas, {}, admin)).body.schemas;
const refused = (path: string, message: string) => ({
  status: 400,
  body: { issues: expect.arrayContaining([{ path, message: expect.stringContaining(message) }]) },
});

test('creates, changes and deletes a schema, and audits each change', async () => {
  const { schema } = (await create({ description: 'Of the HR system' })).body;
  expect(schema).toMatchObject({
    urn: HR,
    attributes: [
      { name: 'costCode', type: 'string', multiValued: false, mutability: 'readWrite', returned: 'default' },
    ],
  });
  const changed = await update(
    schema.schemaId,
    { attributes: [{ name: 'costCode' }, { name: 'level', type: 'integer' }] },
    schema.version,
  );
  expect(changed.body.schema.attributes.map(({ name }) => name)).toEqual(['costCode', 'level']);
  expect((await update(schema.schemaId, { attributes: [{ name: 'level' }] }, schema.version)).status).toBe(412);
  expect(await list()).toEqual([changed.body.schema]);
  await remove(schema.schemaId);
  expect(await list()).toEqual([]);
  expect(await remove(schema.schemaId)).toMatchObject({ body: { resultName: 'ID_DOESNOT_EXIST' } });
  const { Items } = (await portal.call(listActivity, { query: { q: 'scim-schema' } }, admin)).body;
  expect(Items.map(({ action, object }) => [action, object.name])).toEqual([
    ['scim-schema.deleted', 'HR'],
    ['scim-schema.updated', 'HR'],
    ['scim-schema.created', 'HR'],
  ]);
});

test('lets only provisioning administrators see and change their own organisation’s schemas', async () => {
  const { schemaId } = (await create({})).body.schema;
  const outsider = await portal.signIn('user@acme.test');
  for (const answer of [
    await portal.call(listScimSchemas, {}, outsider),
    await portal.call(deleteScimSchema, { params: { schemaId }, body: {} }, outsider),
  ]) {
    expect(answer.status).toBe(403);
  }
  const other = await portal.signIn('admin@globex.test');
  const missing = { body: { resultName: 'ID_DOESNOT_EXIST' } };
  const body = { name: 'Mine', attributes: [{ name: 'costCode' }] };
  expect(await portal.call(updateScimSchema, { params: { schemaId }, body }, other)).toMatchObject(missing);
  expect(await portal.call(deleteScimSchema, { params: { schemaId }, body: {} }, other)).toMatchObject(missing);
  expect((await portal.call(createScimSchema, { body: { ...body, urn: HR } }, other)).status).toBe(200);
  expect(await list()).toMatchObject([{ name: 'HR' }]);
});

describe('schema URNs', () => {
  test.each([
    ['', 'This field is required'],
    ['hr', 'Enter a URN'],
    ['urn:example', 'Enter a URN'],
    ['urn:example:', 'Enter a URN'],
    ['urn:example::User', 'Enter a URN'],
    ['urn:example:hr/2.0', 'Enter a URN'],
    ['urn:example:h r', 'Enter a URN'],
    ['urn:example:"x"', 'Enter a URN'],
    [`urn:example:${'a'.repeat(200)}`, 'At most 200 characters'],
    ['urn:ietf:params:scim:schemas:core:2.0:User', 'is reserved by a standard'],
    ['URN:IETF:params:scim:schemas:core:2.0:Mine', 'is reserved by a standard'],
    ['urn:ietf:params:scim:api:messages:2.0:Error', 'is reserved by a standard'],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', 'is reserved by a standard'],
    ['urn:ietf:params:scim:schemas:extension:Enterprise', 'is reserved by a standard'],
    ['urn:ietf:rfc:7643', 'is reserved by a standard'],
  ])('can’t be %j', async (urn, message) => {
    expect(await create({ urn })).toMatchObject(refused('urn', message));
  });

  test('are unique regardless of case and can’t extend one another', async () => {
    await create({});
    expect(await create({ urn: HR.toUpperCase() })).toMatchObject(
      refused('urn', 'Another schema already has this URN'),
    );
    expect(await create({ urn: `${HR}:more` })).toMatchObject(refused('urn', 'extends the URN of HR'));
    expect(await create({ urn: 'urn:example:HR' })).toMatchObject(refused('urn', 'extends this one'));
    expect((await create({ urn: 'urn:example:hr:2.0:UserToo' })).status).toBe(200);
  });
});

describe('attributes', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `a${at}` }));
  const complex = (subAttributes: Sent[]) => [{ name: 'badge', type: 'complex', subAttributes }];

  test.each<[string, unknown[], string, string]>([
    ['no attributes', [], 'attributes', 'at least one'],
    ['300 attributes', many(300), 'attributes', 'At most 50 attributes'],
    ['the name __proto__', [{ name: '__proto__' }], 'attributes.0.name', 'start with a letter'],
    ['a path as the name', [{ name: 'a.b' }], 'attributes.0.name', 'contain only letters'],
    ['a name with a quote', [{ name: 'a"b' }], 'attributes.0.name', 'contain only letters'],
    ['an overlong name', [{ name: 'a'.repeat(61) }], 'attributes.0.name', 'At most 60'],
    ['the name of a core attribute', [{ name: 'ID' }], 'attributes.0.name', 'Every user already has'],
    [
      'two names that differ only in letter case',
      [{ name: 'code' }, { name: 'Code' }],
      'attributes',
      'must have different names',
    ],
    ['an unknown type', [{ name: 'code', type: 'number' }], 'attributes.0.type', ''],
    [
      'allowed values for an integer',
      [{ name: 'level', type: 'integer', canonicalValues: ['1'] }],
      'attributes.0.canonicalValues',
      'Only string attributes',
    ],
    [
      'a complex attribute without sub-attributes',
      complex([]),
      'attributes.0.subAttributes',
      'must have sub-attributes',
    ],
    [
      'sub-attributes of a string attribute',
      [{ name: 'code', subAttributes: [{ name: 'a' }] }],
      'attributes.0.subAttributes',
      'must have sub-attributes',
    ],
    ['nested sub-attributes', complex([{ name: 'a', type: 'complex' }]), 'attributes.0.subAttributes.0.type', ''],
    ['too many sub-attributes', complex(many(21)), 'attributes.0.subAttributes', 'At most 20 sub-attributes'],
    [
      'more JSON than allowed in total',
      many(50).map((one) => ({
        ...one,
        canonicalValues: Array.from({ length: 50 }, (_, at) => `${'v'.repeat(90)}${at}`),
      })),
      'attributes',
      'characters of JSON',
    ],
  ])('are rejected with %s', async (_what, attributes, path, message) => {
    expect(await create({ attributes })).toMatchObject(refused(path, message));
  });

  test('are accepted up to the maximum number, even with names like constructor and toString', async () => {
    const attributes = [
      ...many(47),
      { name: 'constructor' },
      { name: 'toString', multiValued: true },
      { name: 'valueOf', type: 'complex', subAttributes: [{ name: 'hasOwnProperty' }] },
    ];
    expect((await create({ attributes })).status).toBe(200);
    const directory = directoryOf(portal);
    const created = await directory.send('POST', '/Users', userWith({ userName: 'anna@acme.test', [HR]: { a1: 'x' } }));
    expect(created.body[HR]).toEqual({ a1: 'x' });
    const patched = await directory.patch(`/Users/${created.id}`, [
      { op: 'add', path: `${HR}:constructor`, value: 'a' },
      { op: 'add', path: `${HR}:toString`, value: ['b'] },
      { op: 'add', path: `${HR}:valueOf.hasOwnProperty`, value: 'c' },
    ]);
    expect(patched.body[HR]).toEqual({ a1: 'x', constructor: 'a', toString: ['b'], valueOf: { hasOwnProperty: 'c' } });
    expect((await directory.filter('Users', `${HR}:valueOf.hasownproperty eq "c"`)).found).toHaveLength(1);
  });
});

test('limits the number of schemas and the size of a member’s attributes', async () => {
  for (let at = 0; at < LIMITS.scimSchemas; at += 1) await create({ urn: `urn:example:hr${at}:User` });
  expect(await create({})).toMatchObject({ status: 400, body: { message: 'You can have at most 10 schemas.' } });
  const directory = directoryOf(portal);
  const sent = {
    userName: 'anna@acme.test',
    'urn:example:hr1:User': { costCode: 'x'.repeat(LIMITS.directoryAttributes) },
  };
  expect(await directory.send('POST', '/Users', userWith(sent))).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue', detail: expect.stringContaining('at most 16384 characters') },
  });
});

describe('values that no longer fit', () => {
  const enter = async (userName: string, values: Sent) =>
    (await directoryOf(portal).send('POST', '/Users', userWith({ userName, [HR]: values as never }))).id;
  const valuesOf = async (id: string) => (await directoryOf(portal).get(`/Users/${id}`)).body[HR];
  const stored = (id: string) =>
    portal.deps.db.$client
      .prepare<[string], string | null>('SELECT scimAttributes FROM members WHERE suid = ?')
      .pluck()
      .get(id);
  const ATTRIBUTES = [
    { name: 'costCode' },
    { name: 'level', type: 'integer' },
    { name: 'badge', type: 'complex', multiValued: true, subAttributes: [{ name: 'a' }, { name: 'b' }] },
  ];

  test.each<[string, Sent[], unknown]>([
    [
      'a removed attribute',
      [{ name: 'costCode' }, ATTRIBUTES[2] ?? {}],
      { costCode: 'A', badge: [{ a: '1', b: '2' }] },
    ],
    [
      'an attribute whose type has changed',
      [{ name: 'costCode', type: 'integer' }, ...ATTRIBUTES.slice(1)],
      { level: 1, badge: [{ a: '1', b: '2' }] },
    ],
    [
      'an attribute that becomes a list',
      [{ name: 'costCode', multiValued: true }, ...ATTRIBUTES.slice(1)],
      { level: 1, badge: [{ a: '1', b: '2' }] },
    ],
    [
      'a removed sub-attribute',
      [...ATTRIBUTES.slice(0, 2), { ...ATTRIBUTES[2], subAttributes: [{ name: 'b' }] }],
      { costCode: 'A', level: 1, badge: [{ b: '2' }] },
    ],
  ])('of %s block the change until their deletion is confirmed', async (_what, attributes, left) => {
    const { schema } = (await create({ attributes: ATTRIBUTES })).body;
    const whole = { costCode: 'A', level: 1, badge: [{ a: '1', b: '2' }] };
    const anna = await enter('anna@acme.test', whole);
    await enter('bert@acme.test', whole);
    expect(await update(schema.schemaId, { attributes })).toMatchObject(
      refused('deleteValues', '2 members have values that this would delete'),
    );
    expect(await list()).toEqual([schema]);
    expect(await valuesOf(anna)).toEqual(whole);
    const changed = await update(schema.schemaId, { attributes, deleteValues: true });
    expect(changed.status).toBe(200);
    expect(await valuesOf(anna)).toEqual(left);
    // The values are gone for good, even if the attribute is added again.
    await update(schema.schemaId, { attributes: ATTRIBUTES });
    expect(await valuesOf(anna)).toEqual(left);
    const [event] = (await portal.call(listActivity, { query: { q: 'scim-schema.updated' } }, admin)).body.Items.slice(
      -1,
    );
    expect(event?.changes).toContainEqual({ field: 'peopleWhoLostValues', after: 2 });
  });

  test('don’t result from widening a type or removing an unused attribute', async () => {
    const { schemaId } = (await create({ attributes: [{ name: 'level', type: 'integer' }, { name: 'unused' }] })).body
      .schema;
    const id = await enter('anna@acme.test', { level: 1 });
    expect((await update(schemaId, { attributes: [{ name: 'level', type: 'decimal' }] })).status).toBe(200);
    expect(await valuesOf(id)).toEqual({ level: 1 });
  });

  test('are deleted together with the schema after confirmation', async () => {
    const { schemaId } = (await create({})).body.schema;
    const id = await enter('anna@acme.test', { costCode: 'A' });
    expect(await remove(schemaId)).toMatchObject(refused('deleteValues', 'One member has values'));
    expect(await list()).toHaveLength(1);
    expect((await remove(schemaId, true)).status).toBe(200);
    expect(stored(id)).toBeNull();
    await create({});
    expect(await valuesOf(id)).toBeUndefined();
  });

  test('stay hidden if a deletion was interrupted', async () => {
    const { schemaId } = (await create({})).body.schema;
    const id = await enter('anna@acme.test', { costCode: 'A' });
    portal.deps.db.$client.prepare('DELETE FROM scim_schemas WHERE id = ?').run(schemaId);
    expect(await valuesOf(id)).toBeUndefined();
    await create({});
    expect(await valuesOf(id)).toBeUndefined();
    expect(stored(id)).toBeNull();
  });

  test('can’t result from respelling an attribute name', async () => {
    const { schemaId } = (await create({})).body.schema;
    expect(await update(schemaId, { attributes: [{ name: 'CostCode' }] })).toMatchObject(
      refused('attributes.0.name', 'spelt costCode'),
    );
  });
});
