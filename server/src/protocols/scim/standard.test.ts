import { listMemberActivity } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { type Directory, directoryOf, groupWith, userWith } from './testing.ts';

/** Tests rules of RFC 7643 and RFC 7644 that no other test file covers. docs/scim-coverage.md lists every rule. */
let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const ANN = { userName: 'ann@acme.test', name: { givenName: 'Ann', familyName: 'Lee' } };
const make = (input: JsonObject = {}) => directory.send('POST', '/Users', userWith({ ...ANN, ...input }));
const listOf = (value: Json | undefined) => (Array.isArray(value) ? value.filter(isObject) : []);

describe('the SCIM server (RFC 7643)', () => {
  // covers: scim 11, scim 14
  test('returns each schema of a resource once, regardless of the order received', async () => {
    const { body } = await directory.send('POST', '/Users', {
      ...ANN,
      schemas: [ENTERPRISE_SCHEMA, USER_SCHEMA, USER_SCHEMA],
    });
    expect(body.schemas).toEqual([USER_SCHEMA, ENTERPRISE_SCHEMA]);
  });

  // covers: scim 21
  test('returns the resource URL in meta, Location and Content-Location', async () => {
    const made = await make();
    const location = `${portal.url}/scim/v2/acme/Users/${made.id}`;
    for (const { body, headers } of [
      made,
      await directory.get(`/Users/${made.id}`),
      await directory.send('PUT', `/Users/${made.id}`, userWith(ANN)),
    ]) {
      expect(body.meta).toMatchObject({ location });
      expect(headers).toMatchObject({ location, 'content-location': location });
    }
  });

  // covers: scim 16, scim 17, scim 19, scim 44, scim 46
  test('assigns meta and id regardless of what the directory sends', async () => {
    const meta = { resourceType: 'Robot', created: '1999-01-01T00:00:00Z', location: 'https://elsewhere.test' };
    const made = await make({ id: 'bulkId:1', meta });
    expect(made.id).toMatch(/^[\w-]{22}$/);
    expect(made.body.meta).toMatchObject({ resourceType: 'User', created: '2026-03-02T09:30:00.000Z' });
    const group = await directory.send('POST', '/Groups', groupWith({ displayName: 'Guides', id: 'x', meta }));
    expect(group.body.meta).toMatchObject({ resourceType: 'Group', location: expect.stringContaining(group.id) });
  });

  // covers: scim 9, scim 29
  test('returns only URLs that exist', async () => {
    const boss = memberByEmail(portal, 'acme', 'manager@acme.test').suid;
    const { body } = await make({ [ENTERPRISE_SCHEMA]: { manager: { value: boss } } });
    const extension = body[ENTERPRISE_SCHEMA];
    const manager = isObject(extension) && isObject(extension.manager) ? extension.manager : {};
    const addresses = [manager.$ref, ...listOf(body.groups).map(({ $ref }) => $ref)];
    for (const address of addresses) {
      const path = String(address).replace(`${portal.url}/scim/v2/acme`, '');
      expect(await directory.get(path)).toMatchObject({ status: 200, body: { meta: { location: address } } });
    }
    expect(addresses).toHaveLength(2);
  });

  // covers: scim 26, scim 44
  test("changes a user's groups only through the group", async () => {
    const made = await make({ groups: [{ value: 'SUPER_ADMIN' }] });
    expect(made).toMatchObject({ status: 201, body: { groups: [{ value: 'USER' }] } });
    const { body } = await directory.send('PUT', `/Users/${made.id}`, { ...made.body, groups: [{ value: 'AUDITOR' }] });
    expect(body.groups).toMatchObject([{ value: 'USER' }]);
  });

  // covers: scim 13
  test('treats null and an empty list as unassigned', async () => {
    const made = await make({ title: 'Guide', addresses: [{ locality: 'Rome' }], externalId: 'x' });
    const nothing = { title: null, addresses: [], externalId: null };
    const { body } = await directory.send('PUT', `/Users/${made.id}`, userWith({ ...ANN, ...nothing }));
    for (const name of Object.keys(nothing)) expect(body).not.toHaveProperty(name);
  });

  // covers: scim 24, scim 35
  test('neither returns a password nor finds a user by it', async () => {
    const made = await make({ password: 'Tr0ub4dor' });
    expect(made.status).toBe(201);
    const response = await directory.get(`/Users/${made.id}?attributes=password`);
    expect(response.body).toEqual({ schemas: expect.any(Array), id: made.id });
    expect((await directory.filter('Users', 'password eq "Tr0ub4dor"')).body.totalResults).toBe(0);
    expect(JSON.stringify((await directory.get('/Users?count=500')).body)).not.toContain('Tr0ub4dor');
  });

  // covers: scim 12
  test('allows at most one primary value in a list', async () => {
    const two = [
      { value: 'a', primary: true },
      { value: 'b', primary: true },
    ];
    expect(await make({ ims: two })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  // covers: scim 8
  test('returns certificates as base64 without PEM lines', async () => {
    expect(await make({ x509Certificates: [{ value: 'MIIB' }] })).toMatchObject({ status: 201 });
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
    const refused = await make({ userName: 'other@acme.test', x509Certificates: [{ value: pem }] });
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  // covers: scim 33
  test('compares IDs case-sensitively and names case-insensitively', async () => {
    const totalOf = async (filter: string) => (await directory.filter('Groups', filter)).body.totalResults;
    const { suid } = memberByEmail(portal, 'acme', 'super.admin@acme.test');
    expect(await totalOf('id eq "AUDITOR"')).toBe(1);
    expect(await totalOf('id eq "auditor"')).toBe(0);
    expect(await totalOf('displayName eq "AUDITOR"')).toBe(1);
    expect(await totalOf(`members[value eq "${suid}"]`)).toBe(1);
    for (const filter of [
      `members.value eq "${suid.toUpperCase()}"`,
      `members eq "${suid.toUpperCase()}"`,
      `members[value eq "${suid.toUpperCase()}"]`,
    ]) {
      expect(await totalOf(filter)).toBe(0);
    }
  });

  // covers: scim 4, scim 89
  test('matches user names across Unicode compositions and widths', async () => {
    const made = await make({ userName: 'Zoe\u0308' });
    expect(made.body.userName).toBe('Zo\u00eb');
    for (const userName of ['Zo\u00eb', '\uff3ao\u00eb', 'zoe\u0308']) {
      expect(await make({ userName })).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
      expect((await directory.filter('Users', `userName eq "${userName}"`)).found).toMatchObject([{ id: made.id }]);
      expect((await directory.filter('Users', `userName sw "${userName}"`)).found).toMatchObject([{ id: made.id }]);
    }
  });
});

describe('the case of non-ASCII letters', () => {
  const FORMS = ['\u00c4NNE@acme.test', '\u00e4nne@acme.test', 'A\u0308nne@ACME.test'];

  // covers: scim 89
  test('is ignored in user names, for uniqueness and for search', async () => {
    const made = await make({ userName: FORMS[0] ?? '', emails: [{ value: 'anne@acme.test' }] });
    for (const userName of FORMS) {
      const other = await make({ userName, emails: [{ value: 'other@acme.test' }] });
      expect(other).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
      for (const op of ['sw', 'co', 'ew']) {
        const { found } = await directory.filter('Users', `userName ${op} "${userName}" and active eq true`);
        expect([userName, op, found?.map(({ id }) => id)]).toEqual([userName, op, expect.arrayContaining([made.id])]);
      }
      expect((await directory.filter('Users', `userName eq "${userName}"`)).found).toMatchObject([{ id: made.id }]);
    }
    const renamed = await directory.send('PUT', `/Users/${made.id}`, userWith({ ...ANN, userName: FORMS[1] ?? '' }));
    expect(renamed).toMatchObject({ status: 200, body: { userName: FORMS[1] } });
  });

  test('is ignored in names', async () => {
    const made = await make({ name: { givenName: 'Zo\u00cb', familyName: '\u0418\u0432\u0430\u043d\u043e\u0432' } });
    for (const filter of [
      'displayName eq "zo\u00eb \u0438\u0432\u0430\u043d\u043e\u0432"',
      'name.familyName sw "\u0418\u0412\u0410" and title eq null',
    ])
      expect((await directory.filter('Users', filter)).found).toMatchObject([{ id: made.id }]);
  });

  test('does not matter in email addresses, because non-ASCII addresses are refused', async () => {
    const refused = await make({ emails: [{ value: FORMS[1] ?? '' }] });
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });
});

describe('the SCIM server (RFC 7644)', () => {
  // covers: scim 63
  test('does not create a user by PUT', async () => {
    expect(await directory.send('PUT', '/Users/nobody', userWith(ANN))).toMatchObject({ status: 404 });
    expect(await directory.send('PUT', '/Groups/NIGHT', groupWith({ displayName: 'Night' }))).toMatchObject({
      status: 404,
    });
    expect((await directory.filter('Users', 'userName eq "ann@acme.test"')).body.totalResults).toBe(0);
  });

  // covers: scim 62
  test('refuses a PUT without a required attribute', async () => {
    const made = await make();
    const refused = await directory.send('PUT', `/Users/${made.id}`, userWith({ name: ANN.name }));
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  // covers: scim 58, scim 68
  test('returns the requested attributes in the response to a change', async () => {
    const made = await directory.send('POST', '/Users?attributes=userName', userWith(ANN));
    expect(made.body).toEqual({ schemas: expect.any(Array), id: made.id, userName: 'ann@acme.test' });
    const put = await directory.send('PUT', `/Users/${made.id}?attributes=title`, userWith({ ...ANN, title: 'Guide' }));
    expect(put.body).toEqual({ schemas: expect.any(Array), id: made.id, title: 'Guide' });
    const patched = await directory.send('PATCH', `/Users/${made.id}?attributes=active`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'remove', path: 'title' }],
    });
    expect(patched).toMatchObject({ status: 200, body: { active: true } });
    expect(patched.body).not.toHaveProperty('userName');
  });

  // covers: scim 70
  test('does not add an existing value again and reports no change', async () => {
    const made = await make({ addresses: [{ type: 'work', locality: 'Rome' }] });
    portal.clock.advance(60);
    const again = await directory.patch(`/Users/${made.id}`, [
      { op: 'add', path: 'addresses', value: [{ type: 'work', locality: 'Rome' }] },
    ]);
    expect(again.body).toEqual(made.body);
  });

  // covers: scim 69, scim 74
  test('adds to and replaces attributes without a value', async () => {
    const made = await make();
    const { body } = await directory.patch(`/Users/${made.id}`, [
      { op: 'add', path: 'nickName', value: 'Annie' },
      { op: 'replace', path: 'title', value: 'Guide' },
      { op: 'replace', path: 'ims', value: [{ value: 'ann' }] },
    ]);
    expect(body).toMatchObject({ nickName: 'Annie', title: 'Guide', ims: [{ value: 'ann' }] });
  });

  // covers: scim 12, scim 67
  test('clears primary on the old value when a new primary value is added', async () => {
    const addresses = [
      { type: 'work', locality: 'Rome', primary: true },
      { type: 'home', locality: 'Oslo' },
    ];
    const { id } = await make({ addresses });
    const primaries = async (operation: JsonObject) => {
      const { body } = await directory.patch(`/Users/${id}`, [operation]);
      return listOf(body.addresses).flatMap(({ locality, primary }) => (primary === true ? [locality] : []));
    };
    const home = 'addresses[type eq "home"]';
    expect(await primaries({ op: 'replace', path: `${home}.primary`, value: true })).toEqual(['Oslo']);
    const work = { type: 'work', locality: 'Milan', primary: true };
    expect(await primaries({ op: 'replace', path: 'addresses[type eq "work"]', value: work })).toEqual(['Milan']);
    expect(await primaries({ op: 'add', path: 'addresses', value: { locality: 'Bern', primary: true } })).toEqual([
      'Bern',
    ]);
  });

  // covers: scim 75
  test('replaces the whole value selected by a filter', async () => {
    const addresses = [{ type: 'work', locality: 'Rome', region: 'Lazio' }];
    const { id } = await make({ addresses });
    const value = { type: 'work', locality: 'Milan' };
    const path = 'addresses[type eq "work"]';
    const { body } = await directory.patch(`/Users/${id}`, [{ op: 'replace', path, value }]);
    expect(body.addresses).toEqual([value]);
  });

  // covers: scim 72
  test('removes the list when its last value is removed', async () => {
    const { id } = await make({ addresses: [{ type: 'work', locality: 'Rome' }] });
    const { body } = await directory.patch(`/Users/${id}`, [{ op: 'remove', path: 'addresses[type eq "work"]' }]);
    expect(body).not.toHaveProperty('addresses');
  });

  // covers: scim 56
  test('sorts users without a value last in ascending and first in descending order', async () => {
    await make({ title: 'Guide' });
    await make({ userName: 'bob@acme.test' });
    const sorted = async (order: string) => {
      const filter = 'userName eq "ann@acme.test" or userName eq "bob@acme.test"';
      return (await directory.filter('Users', filter, `sortBy=title${order}`)).found.map(({ userName }) => userName);
    };
    expect(await sorted('')).toEqual(['ann@acme.test', 'bob@acme.test']);
    expect(await sorted('&sortOrder=descending')).toEqual(['bob@acme.test', 'ann@acme.test']);
    await directory.send('POST', '/Groups', groupWith({ displayName: 'Zebras', externalId: 'z' }));
    const groups = await directory.get('/Groups?sortBy=externalId&attributes=displayName');
    expect(groups.found[0]).toMatchObject({ displayName: 'Zebras' });
  });

  // covers: scim 51
  test('treats an attribute of the other resource type as unassigned in a root search', async () => {
    const { found } = await directory.send('POST', '/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'userName eq "user@acme.test" or (members pr and displayName eq "Auditor")',
      attributes: 'displayName',
    });
    expect(found.map(({ displayName }) => displayName)).toEqual(['Daniel Ortiz', 'Auditor']);
  });

  // covers: scim 53
  test('evaluates not before and, and and before or', async () => {
    const totalOf = async (filter: string) => (await directory.filter('Users', filter)).body.totalResults;
    const [daniel, manager] = ['userName eq "user@acme.test"', 'userName eq "manager@acme.test"'];
    expect(await totalOf(`${daniel} or ${manager} and active eq false`)).toBe(1);
    expect(await totalOf(`(${daniel} or ${manager}) and active eq false`)).toBe(0);
    expect(await totalOf(`not (${daniel}) and ${daniel} or ${manager}`)).toBe(1);
  });

  // covers: scim 88
  test('refuses paging, projection and changes at the discovery endpoints', async () => {
    const plain = await directory.get('/Schemas');
    const response = await directory.get('/Schemas?attributes=id&startIndex=2&count=1&sortBy=id');
    expect(response.body).toEqual(plain.body);
    for (const path of ['/ServiceProviderConfig', '/ResourceTypes/User', `/Schemas/${USER_SCHEMA}`]) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await directory.send(method, path, {})).status).toBe(405);
      }
      expect((await directory.get(`${path}?filter=id%20pr`)).status).toBe(403);
    }
  });
});

describe("a person's audit trail", () => {
  test('shows attributes that only the directory sets, before and after a change', async () => {
    const made = await make({
      title: 'Guide',
      name: { ...ANN.name, middleName: 'Jane' },
      addresses: [{ type: 'work', locality: 'Rome', primary: true }],
      [ENTERPRISE_SCHEMA]: { department: 'Tours' },
    });
    await directory.patch(`/Users/${made.id}`, [
      { op: 'replace', path: 'title', value: 'Head guide' },
      { op: 'replace', path: 'addresses[type eq "work"].locality', value: 'Milan' },
      { op: 'remove', path: `${ENTERPRISE_SCHEMA}:department` },
    ]);
    const { token } = await portal.signIn('super.admin@acme.test');
    const { body } = await portal.call(listMemberActivity, { query: { suid: made.id } }, { token });
    const [updated, created] = body.Items;
    expect(updated?.changes).toEqual(
      expect.arrayContaining([
        { field: 'title', before: 'Guide', after: 'Head guide' },
        { field: 'addresses', before: ['work: Rome (primary)'], after: ['work: Milan (primary)'] },
        { field: 'department', before: 'Tours' },
      ]),
    );
    expect(updated?.changes).toHaveLength(3);
    expect(created?.changes).toEqual(
      expect.arrayContaining([
        { field: 'title', after: 'Guide' },
        { field: 'middleName', after: 'Jane' },
        { field: 'department', after: 'Tours' },
      ]),
    );
  });
});
