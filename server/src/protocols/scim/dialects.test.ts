import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './attributes.ts';
import type { Json, JsonObject } from './json.ts';
import { type Directory, directoryOf, userWith } from './testing.ts';

let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const NEW = 'isaac.brock@acme.test';
const isEmpty = { status: 200, body: { totalResults: 0, Resources: [] } };

describe('Okta', () => {
  // covers: scim 18, scim 50
  test('provisions a user and a group from the connection test to deletion', async () => {
    // Okta's connection test, then its search for the user.
    expect((await directory.get('/Users?startIndex=1&count=2')).body).toMatchObject({ itemsPerPage: 2 });
    expect(await directory.filter('Users', `userName eq "${NEW}"`, 'startIndex=1&count=100')).toMatchObject(isEmpty);

    const made = await directory.send('POST', '/Users', {
      schemas: [USER_SCHEMA],
      userName: NEW,
      name: { givenName: 'Isaac', familyName: 'Brock' },
      emails: [{ primary: true, value: NEW, type: 'work' }],
      displayName: 'Isaac Brock',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { userName: NEW, active: true, externalId: '00ujl29u0le5T6Aj10h7' },
    });
    const path = `/Users/${made.id}`;
    expect((await directory.filter('Users', `userName eq "${NEW}"`)).found).toMatchObject([{ id: made.id }]);

    // Okta reads the resource, modifies it and sends it back.
    const { body } = await directory.get(path);
    const renamed = await directory.send('PUT', path, { ...body, name: { givenName: 'Ike', familyName: 'Brock' } });
    expect(renamed).toMatchObject({ status: 200, body: { id: made.id, displayName: 'Ike Brock', active: true } });

    const group = await directory.send('POST', '/Groups', {
      schemas: [GROUP_SCHEMA],
      displayName: 'Test SCIMv2',
      members: [],
    });
    expect(group.status).toBe(201);
    const grown = await directory.patch(`/Groups/${group.id}`, [
      { op: 'replace', value: { id: group.id, displayName: 'Test SCIM' } },
      { op: 'add', path: 'members', value: [{ value: made.id, display: NEW }] },
    ]);
    expect(grown).toMatchObject({ status: 200, body: { displayName: 'Test SCIM', members: [{ value: made.id }] } });
    const shrunk = await directory.patch(`/Groups/${group.id}`, [
      { op: 'remove', path: `members[value eq "${made.id}"]` },
    ]);
    expect(shrunk.body).toMatchObject({ members: [] });
    expect((await directory.send('DELETE', `/Groups/${group.id}`)).status).toBe(204);

    // Okta disables unassigned users and enables them again later.
    const off = await directory.patch(path, [{ op: 'replace', value: { active: false } }]);
    expect(off).toMatchObject({ status: 200, body: { active: false } });
    const on = await directory.patch(path, [{ op: 'replace', value: { active: true } }]);
    expect(on.body).toMatchObject({ active: true });
    const whole = await directory.send('PUT', path, { ...body, active: false });
    expect(whole.body).toMatchObject({ active: false });
  });
});

describe('Entra', () => {
  // covers: scim 5
  test('provisions a user in its legacy dialect, with capitals and string booleans', async () => {
    // Entra's connection test searches for a user who doesn't exist.
    expect(await directory.filter('Users', 'userName eq "c1ba3d5e-2b1d-4a0b-a2a5-8e0f0d3d3a3b"')).toMatchObject(
      isEmpty,
    );
    expect(await directory.filter('Users', 'externalId eq "c1ba3d5e"')).toMatchObject(isEmpty);

    const made = await directory.send('POST', '/Users', {
      schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: NEW,
      active: true,
      emails: [{ primary: true, type: 'work', value: NEW }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Isaac Brock', familyName: 'Brock', givenName: 'Isaac' },
      roles: [],
    });
    expect(made.status).toBe(201);
    const path = `/Users/${made.id}`;
    const manager = memberByEmail(portal, 'acme', 'manager@acme.test').suid;

    const changed = await directory.patch(path, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ike@acme.test' },
      { op: 'Replace', path: 'name.familyName', value: 'Brockson' },
      { op: 'Replace', path: 'displayName', value: 'Ike Brockson' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+46 70 123 45 67' },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:employeeNumber`, value: 'E-99001' },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager`, value: manager },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Tours' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'AUDITOR' },
    ]);
    expect(changed).toMatchObject({
      status: 200,
      body: {
        userName: NEW,
        name: { familyName: 'Brockson' },
        emails: [{ value: 'ike@acme.test', type: 'work' }],
        phoneNumbers: [{ value: '+46701234567' }],
        roles: [{ value: 'AUDITOR' }],
        [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-99001', manager: { value: manager } },
      },
    });
    // Without a path, Entra uses full paths as attribute names.
    const pathless = await directory.patch(path, [
      {
        op: 'Replace',
        value: {
          'name.givenName': 'Ike',
          [`${ENTERPRISE_SCHEMA}:employeeNumber`]: 'E-99002',
          'phoneNumbers[type eq "mobile"].value': '+46707654321',
          active: 'True',
        },
      },
    ]);
    expect(pathless.body).toMatchObject({
      active: true,
      name: { givenName: 'Ike' },
      phoneNumbers: [{ value: '+46707654321' }],
      [ENTERPRISE_SCHEMA]: { employeeNumber: 'E-99002' },
    });
    const unmanaged = await directory.patch(path, [{ op: 'Remove', path: `${ENTERPRISE_SCHEMA}:manager` }]);
    expect(unmanaged.body[ENTERPRISE_SCHEMA]).toEqual({ employeeNumber: 'E-99002', department: 'Tours' });

    // Entra soft-deletes the user, restores them, and deletes them 30 days later.
    expect((await directory.patch(path, [{ op: 'Replace', path: 'active', value: 'False' }])).body).toMatchObject({
      active: false,
    });
    expect((await directory.filter('Users', `userName eq "${NEW}"`)).found).toMatchObject([{ active: false }]);
    expect((await directory.patch(path, [{ op: 'Replace', path: 'active', value: 'True' }])).body).toMatchObject({
      active: true,
    });
    expect((await directory.send('DELETE', path)).status).toBe(204);
    expect((await directory.get(path)).status).toBe(404);
  });

  // covers: scim 73
  test.each([
    [{ op: 'Replace', path: `${ENTERPRISE_SCHEMA}:employeeNumber`, value: '' }],
    [{ op: 'Replace', path: `${ENTERPRISE_SCHEMA}:employeeNumber`, value: null }],
    [{ op: 'Remove', path: `${ENTERPRISE_SCHEMA}:employeeNumber` }],
    [{ op: 'Replace', value: { [`${ENTERPRISE_SCHEMA}:employeeNumber`]: '' } }],
    [{ op: 'remove', path: ENTERPRISE_SCHEMA }],
  ])('clears an employee number and applies the rest of the request: %j', async (emptied) => {
    const numberAfter = async (path: string, ...operations: Json[]) => {
      const { status, body } = await directory.patch(path, operations);
      return { status, title: body.title, ...Object(body[ENTERPRISE_SCHEMA]) };
    };
    const path = `/Users/${memberByEmail(portal, 'acme', 'user@acme.test').suid}`;
    const renamed = { op: 'Add', path: 'title', value: 'Guide' };
    // The result must be the same as for a user created without a number.
    expect(await numberAfter(path, emptied, renamed)).toMatchObject({
      status: 200,
      title: 'Guide',
      employeeNumber: 'user@acme.test',
    });
    const again = { op: 'Add', path: `${ENTERPRISE_SCHEMA}:employeeNumber`, value: 'E-10006' };
    expect(await numberAfter(path, again)).toMatchObject({ status: 200, employeeNumber: 'E-10006' });
    const named = await directory.send('POST', '/Users', userWith({ userName: 'isaac' }));
    await numberAfter(`/Users/${named.id}`, { ...again, value: 'E-1' });
    expect(await numberAfter(`/Users/${named.id}`, emptied)).toMatchObject({ employeeNumber: 'isaac' });
  });

  test('accepts a manager as a list with one element (legacy dialect) or as the ID alone', async () => {
    const path = `/Users/${memberByEmail(portal, 'acme', 'user@acme.test').suid}`;
    const [one = '', other = ''] = ['manager@acme.test', 'super.admin@acme.test'].map(
      (email) => memberByEmail(portal, 'acme', email).suid,
    );
    const managerAfter = async (operation: JsonObject) =>
      Object((await directory.patch(path, [operation])).body[ENTERPRISE_SCHEMA]).manager;
    const listed = [{ $ref: `https://portal.test/scim/Users/${one}`, value: one }];
    expect(await managerAfter({ op: 'Add', path: 'manager', value: listed })).toMatchObject({ value: one });
    expect(await managerAfter({ op: 'Replace', path: 'manager', value: other })).toMatchObject({ value: other });
    expect(await managerAfter({ op: 'Replace', path: 'manager', value: [] })).toBeUndefined();
    const { body } = await directory.get(path);
    const replaced = await directory.send('PUT', path, { ...body, [ENTERPRISE_SCHEMA]: { manager: listed } });
    expect(replaced.body[ENTERPRISE_SCHEMA]).toMatchObject({ manager: { value: one } });
  });

  test('provisions a group and its members', async () => {
    const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
    const other = memberByEmail(portal, 'acme', 'marcus.oyelaran@acme.test').suid;
    expect(await directory.filter('Groups', 'displayName eq "Guides"', 'excludedAttributes=members')).toMatchObject(
      isEmpty,
    );
    const made = await directory.send('POST', '/Groups', {
      schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Guides',
      meta: { resourceType: 'Group' },
    });
    expect(made).toMatchObject({ status: 201, body: { externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' } });
    const path = `/Groups/${made.id}`;
    await directory.patch(path, [{ op: 'Add', path: 'members', value: [{ $ref: null, value: suid }] }]);
    await directory.patch(path, [{ op: 'Add', path: 'members', value: [{ $ref: null, value: other }] }]);
    expect((await directory.get(path)).body).toMatchObject({ members: [{ value: suid }, { value: other }] });
    await directory.patch(path, [{ op: 'Replace', path: 'displayName', value: 'Tour Guides' }]);
    // Remove the member in the legacy dialect, then in the current dialect.
    await directory.patch(path, [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: suid }] }]);
    expect((await directory.get(`${path}?excludedAttributes=members`)).body.members).toBeUndefined();
    expect((await directory.get(path)).body).toMatchObject({ displayName: 'Tour Guides', members: [{ value: other }] });
    await directory.patch(path, [{ op: 'remove', path: `members[value eq "${other}"]` }]);
    expect((await directory.get(path)).body.members).toEqual([]);
    expect((await directory.send('DELETE', path)).status).toBe(204);
  });
});
