import { auditRepo, memberBulkRepo } from '@orchestrate/db';
import { createRole, deleteUser, getUser, listGroups, renewScimCredentials } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { GROUP_SCHEMA } from '../attributes.ts';
import type { Json } from '../json.ts';
import { type Directory, directoryOf, groupWith } from '../testing.ts';

let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const USER = 'user@acme.test';
const OTHER = 'marcus.oyelaran@acme.test';
const named = (...emails: string[]) => emails.map((email) => ({ value: suidOf(email) }));

const make = (displayName: string, more: Parameters<typeof groupWith>[0] = {}) =>
  directory.send('POST', '/Groups', groupWith({ displayName, ...more }));
const idsIn = async (id: string): Promise<unknown[]> => {
  const { members } = (await directory.get(`/Groups/${id}`)).body;
  return Array.isArray(members) ? members.map((member) => Object(member).value) : [];
};
const groupsOf = async (email: string): Promise<unknown[]> => {
  const { groups } = (await directory.get(`/Users/${suidOf(email)}`)).body;
  return Array.isArray(groups) ? groups.map((group) => Object(group).display) : [];
};

describe('a group created by the directory', () => {
  test('is created with members who keep their roles', async () => {
    const made = await make('Tour Guides', { externalId: 'g-1', members: named(USER, OTHER) });
    const location = `${portal.url}/scim/v2/acme/Groups/${made.id}`;
    expect(made).toMatchObject({
      status: 201,
      headers: { location },
      body: {
        schemas: [GROUP_SCHEMA],
        displayName: 'Tour Guides',
        externalId: 'g-1',
        members: expect.arrayContaining([
          { value: suidOf(USER), $ref: expect.stringContaining('/Users/'), display: 'Daniel Ortiz', type: 'User' },
        ]),
        meta: { resourceType: 'Group', created: '2026-03-02T09:30:00.000Z', location },
      },
    });
    expect(made.headers.etag).toBe((await directory.get(`/Groups/${made.id}`)).headers.etag);
    expect(memberByEmail(portal, 'acme', USER).roleCode).toBe('USER');
    expect(await groupsOf(USER)).toEqual(['Org User', 'Tour Guides']);
  });

  test('can be one of many in the organisation and for each person', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Team ${String.fromCharCode(65 + at)}`);
    for (const name of names) expect((await make(name, { members: named(USER) })).status).toBe(201);
    expect(await groupsOf(USER)).toEqual(['Org User', ...names]);
    const { body, found } = await directory.get('/Groups?startIndex=8&count=3&sortBy=displayName&sortOrder=descending');
    expect(body).toMatchObject({ totalResults: 19, startIndex: 8, itemsPerPage: 3 });
    expect(found.map(({ displayName }) => displayName)).toEqual(['Team E', 'Team D', 'Team C']);
  });

  // covers: scim 27, scim 45
  test('must have a name no other group or role has', async () => {
    await make('Tour Guides');
    for (const taken of ['tour guides', ' super  ADMIN ', 'AUDITOR', 'help desk admin']) {
      expect(await make(taken)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    }
    const { id } = await make('Drivers');
    const rename = (value: string) => directory.patch(`/Groups/${id}`, [{ op: 'replace', path: 'displayName', value }]);
    expect(await rename('TOUR GUIDES')).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(await rename('DRIVERS')).toMatchObject({ status: 200, body: { displayName: 'DRIVERS' } });
    const { token } = await portal.signIn('super.admin@acme.test');
    const role = await portal.call(createRole, { body: { name: 'Drivers', permissions: [] } }, { token });
    expect(role.body).toMatchObject({ issues: [{ path: 'name', message: 'A group already has this name' }] });
    expect((await directory.send('POST', '/Groups', groupWith({}))).body).toMatchObject({ scimType: 'invalidValue' });
    expect((await directory.send('POST', '/Groups', { displayName: 'X' })).body).toMatchObject({
      scimType: 'invalidSyntax',
    });
  });

  test('is listed in the portal with its members', async () => {
    await make('Tour Guides', { members: named(USER) });
    await make('Drivers', { members: named(USER) });
    const { token } = await portal.signIn('super.admin@acme.test');
    const names = (groups: readonly { displayName: string }[]) => groups.map(({ displayName }) => displayName);
    expect(names((await portal.call(listGroups, {}, { token })).body.Items)).toEqual(['Drivers', 'Tour Guides']);
    const profileOf = async (email: string) =>
      (await portal.call(getUser, { query: { suid: suidOf(email) } }, { token })).body.groups;
    expect(names(await profileOf(USER))).toEqual(['Drivers', 'Tour Guides']);
    expect(await profileOf(OTHER)).toEqual([]);
  });

  // covers: scim 77
  test('can be deleted without changing any member’s role', async () => {
    const { id } = await make('Tour Guides', { members: named(USER) });
    expect((await directory.send('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await directory.get(`/Groups/${id}`)).status).toBe(404);
    expect((await directory.send('DELETE', `/Groups/${id}`)).status).toBe(404);
    expect((await directory.patch(`/Groups/${id}`, [{ op: 'remove', path: 'members' }])).status).toBe(404);
    expect(await groupsOf(USER)).toEqual(['Org User']);
  });

  test('is hidden from other organisations, which can use the same name', async () => {
    const { id } = await make('Tour Guides', { members: named(USER) });
    const { token } = await portal.signIn('admin@globex.test');
    await portal.call(renewScimCredentials, { body: {} }, { token });
    const other = directoryOf(portal, 'globex');
    expect((await other.get(`/Groups/${id}`)).status).toBe(404);
    expect((await other.filter('Groups', 'displayName eq "Tour Guides"')).found).toEqual([]);
    expect((await other.patch(`/Groups/${id}`, [{ op: 'remove', path: 'members' }])).status).toBe(404);
    const own = await other.send('POST', '/Groups', groupWith({ displayName: 'Tour Guides' }));
    expect(own.status).toBe(201);
    const add = [{ op: 'add', path: 'members', value: named(USER) }];
    expect(await other.patch(`/Groups/${own.id}`, add)).toMatchObject({ status: 400 });
  });
});

describe('members of a group created by the directory', () => {
  let id: string;
  beforeEach(async () => {
    id = (await make('Tour Guides', { members: named(USER) })).id;
  });
  const patch = (...operations: Json[]) => directory.patch(`/Groups/${id}`, operations);

  test.each<[string, (user: string, other: string) => Json[]]>([
    [
      'the syntax of RFC 7644',
      (user, other) => [
        { op: 'add', path: 'members', value: [{ value: other }] },
        { op: 'remove', path: `members[value eq "${user}"]` },
      ],
    ],
    [
      'the dialect of Entra',
      (user, other) => [
        { op: 'Add', path: 'members', value: [{ $ref: null, value: other }] },
        { op: 'Remove', path: 'members', value: [{ $ref: null, value: user }] },
      ],
    ],
    [
      'the dialect of Okta',
      (user, other) => [
        { op: 'replace', value: { id, displayName: 'Tour Guides' } },
        { op: 'remove', path: `members[value eq "${user}"]` },
        { op: 'add', path: 'members', value: [{ value: other, display: 'marcus' }] },
      ],
    ],
    ['a replacement of all members', (_user, other) => [{ op: 'replace', path: 'members', value: [{ value: other }] }]],
    [
      'the removal of all members before an addition',
      (_user, other) => [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: [{ value: other }] },
      ],
    ],
  ])('can be added and removed with %s', async (_name, operations) => {
    const changed = await patch(...operations(suidOf(USER), suidOf(OTHER)));
    expect(changed).toMatchObject({ status: 200, body: { id, members: [{ value: suidOf(OTHER) }] } });
    expect(await groupsOf(USER)).toEqual(['Org User']);
    expect(await groupsOf(OTHER)).toEqual(['Org User', 'Tour Guides']);
  });

  test('are replaced by PUT, but stay if omitted', async () => {
    const put = (input: Parameters<typeof groupWith>[0]) =>
      directory.send('PUT', `/Groups/${id}`, groupWith({ displayName: 'Guides', ...input }));
    expect(await put({ members: named(OTHER) })).toMatchObject({ status: 200, body: { displayName: 'Guides' } });
    expect(await idsIn(id)).toEqual([suidOf(OTHER)]);
    await put({});
    expect(await idsIn(id)).toEqual([suidOf(OTHER)]);
    await put({ members: [] });
    expect(await idsIn(id)).toEqual([]);
  });

  test('must be users, or the whole request is refused', async () => {
    const unknown = await patch(
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'add', path: 'members', value: [...named(OTHER), { value: 'nobody' }] },
    );
    expect(unknown).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue', detail: 'User nobody does not exist.' },
    });
    expect((await directory.get(`/Groups/${id}`)).body).toMatchObject({ displayName: 'Tour Guides' });
    expect(await idsIn(id)).toEqual([suidOf(USER)]);
    expect((await patch({ op: 'add', path: 'members', value: [{ value: id }] })).status).toBe(400);
  });

  test('leave the group when they are deleted by the directory or in the portal', async () => {
    await patch({ op: 'add', path: 'members', value: named(OTHER) });
    await directory.send('DELETE', `/Users/${suidOf(USER)}`);
    expect(await idsIn(id)).toEqual([suidOf(OTHER)]);
    const { token } = await portal.signIn('super.admin@acme.test');
    await portal.call(deleteUser, { body: { suid: suidOf(OTHER), org: 'acme' } }, { token });
    expect(await idsIn(id)).toEqual([]);
  });

  test('update the version and time of their group only if the membership changes', async () => {
    const { headers } = await directory.get(`/Groups/${id}?excludedAttributes=members`);
    const version = headers.etag ?? '';
    expect((await directory.get(`/Groups/${id}`, { 'if-none-match': version })).status).toBe(304);
    portal.clock.advance(60);
    const add = (email: string) =>
      directory.patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: named(email) }], { 'if-match': version });
    expect((await add(USER)).headers.etag).toBe(version);
    expect(await add(OTHER)).toMatchObject({
      status: 200,
      body: { meta: { lastModified: '2026-03-02T09:31:00.000Z' } },
    });
    expect((await add(USER)).status).toBe(412);
    expect((await directory.send('DELETE', `/Groups/${id}`, undefined, { 'if-match': version })).status).toBe(412);
  });

  test('appear in the audit trail with one entry per person', async () => {
    await patch({ op: 'replace', path: 'members', value: named(OTHER) });
    await patch({ op: 'replace', path: 'displayName', value: 'Guides' });
    await directory.send('DELETE', `/Groups/${id}`);
    const events = auditRepo.listEvents(portal.deps.db, 'acme', { objectType: 'group' }, { count: 10 });
    expect(events.map(({ action, objectName, suid, changes }) => [action, objectName, suid, changes])).toEqual([
      ['group.deleted', 'Guides', null, expect.arrayContaining([{ field: 'members', before: 1 }])],
      ['group.updated', 'Guides', null, [{ field: 'displayName', before: 'Tour Guides', after: 'Guides' }]],
      ['group.member-added', 'Tour Guides', suidOf(OTHER), [{ field: 'member', after: 'Marcus Oyelaran' }]],
      ['group.member-removed', 'Tour Guides', suidOf(USER), [{ field: 'member', before: 'Daniel Ortiz' }]],
      ['group.member-added', 'Tour Guides', suidOf(USER), [{ field: 'member', after: 'Daniel Ortiz' }]],
      ['group.created', 'Tour Guides', null, expect.arrayContaining([{ field: 'displayName', after: 'Tour Guides' }])],
    ]);
  });
});

describe('a query', () => {
  let guides: string;
  let drivers: string;
  beforeEach(async () => {
    guides = (await make('Tour Guides', { externalId: 'g-1', members: named(USER, OTHER) })).id;
    drivers = (await make('Drivers', { members: named(USER) })).id;
  });
  const found = async (filter: string) => {
    const reply = await directory.filter('Groups', filter, 'excludedAttributes=members');
    expect(reply.found.every(({ members }) => members === undefined)).toBe(true);
    expect(reply.body.totalResults).toBe(reply.found.length);
    return reply.found.map(({ id }) => id);
  };

  test('finds groups by name, by the directory’s ID, by member, and by ID and member', async () => {
    const other = suidOf(OTHER);
    expect(await found('displayName eq "tour GUIDES"')).toEqual([guides]);
    expect(await found('externalId eq "g-1"')).toEqual([guides]);
    expect(await found(`members.value eq "${other}"`)).toEqual(['USER', guides]);
    expect(await found(`members[value eq "${other}"]`)).toEqual(['USER', guides]);
    // Entra sends this filter before it changes members.
    expect(await found(`id eq "${guides}" and members eq "${other}"`)).toEqual([guides]);
    expect(await found(`id eq "${drivers}" and members eq "${other}"`)).toEqual([]);
    expect(await found('members.value eq "nobody"')).toEqual([]);
    expect(await found('displayName sw "d"')).toEqual([drivers]);
    expect(await found(`displayName co "r" and not (members.display co "marcus")`)).toContain(drivers);
    expect(await found(`members.display co "marcus" and displayName co "guide"`)).toEqual([guides]);
    expect(await found('meta.resourceType eq "Group" and externalId pr')).toEqual([guides]);
  });

  test('finds users by their groups', async () => {
    const users = async (filter: string) => {
      const { found: all } = await directory.filter('Users', filter, 'attributes=userName');
      return all.map(({ userName }) => userName);
    };
    expect(await users(`groups.value eq "${guides}"`)).toEqual(expect.arrayContaining([USER, OTHER]));
    expect(await users(`groups eq "${drivers}"`)).toEqual([USER]);
    expect(await users('groups.display eq "drivers"')).toEqual([USER]);
    expect(await users(`groups[display eq "Drivers"] and groups.value ne "${guides}"`)).toEqual([]);
    expect(await users(`groups.value eq "${guides}" and groups.value ne "${drivers}"`)).toEqual([OTHER]);
    expect(await users('groups.value eq "SUPER_ADMIN"')).toEqual(['super.admin@acme.test']);
  });

  test('returns a user’s groups as a read-only attribute', async () => {
    const path = `/Users/${suidOf(OTHER)}`;
    const [, group] = Object((await directory.get(path)).body).groups;
    expect(group).toEqual({
      value: guides,
      $ref: `${portal.url}/scim/v2/acme/Groups/${guides}`,
      display: 'Tour Guides',
      type: 'direct',
    });
    const { status } = await directory.patch(path, [{ op: 'add', path: 'groups', value: [{ value: drivers }] }]);
    expect([200, 400]).toContain(status);
    expect(await idsIn(drivers)).toEqual([suidOf(USER)]);
    const { found: all } = await directory.filter('Users', `id eq "${suidOf(OTHER)}"`);
    expect(all[0]).toEqual((await directory.get(path)).body);
  });
});

test('creates a group and its members in one bulk request', async () => {
  const user = (name: string) => ({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: name });
  const Operations = [
    {
      method: 'POST',
      path: '/Groups',
      bulkId: 'g',
      data: groupWith({ displayName: 'Newcomers', members: [{ value: 'bulkId:a' }, { value: 'bulkId:b' }] }),
    },
    { method: 'POST', path: '/Users', bulkId: 'a', data: user('ann') },
    { method: 'POST', path: '/Users', bulkId: 'b', data: user('bob') },
    {
      method: 'PATCH',
      path: '/Groups/bulkId:g',
      data: Object({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'add', path: 'members', value: named(USER) }],
      }),
    },
  ];
  const { body } = await directory.send('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations,
  });
  expect(Object(body).Operations.map((one: unknown) => Object(one).status)).toEqual(['201', '201', '201', '200']);
  const { found } = await directory.filter('Groups', 'displayName eq "Newcomers"');
  expect(found[0]?.members).toHaveLength(3);
});

describe('a thousand members', () => {
  const suids = Array.from({ length: 1_000 }, (_, index) => `many-${index}`);
  const members = suids.map((value) => ({ value }));
  beforeEach(() => {
    const people = suids.map((suid, index) => ({
      suid,
      primaryAttr: `MANY-${index}`,
      firstName: 'Ann',
      lastName: `Other ${index}`,
      primaryEmail: `many.${index}@acme.test`,
    }));
    const { db, clock } = portal.deps;
    const entered = { accountStatus: 'active' as const, now: clock.now() };
    db.transaction((tx) => memberBulkRepo.insertMembers(tx, 'acme', people, entered));
  });

  test('are added and removed in one request, while other requests are served', async () => {
    const { id } = await make('Everybody new');
    const order: string[] = [];
    const change = directory
      .patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: members }])
      .then((reply) => void order.push(String(reply.status)));
    await directory.get('/ServiceProviderConfig').then(() => void order.push('other'));
    await change;
    expect(order).toEqual(['other', '200']);
    expect(await idsIn(id)).toHaveLength(1_000);
    const path = members
      .map(({ value }) => `value eq "${value}"`)
      .slice(0, 40)
      .join(' or ');
    await directory.patch(`/Groups/${id}`, [{ op: 'remove', path: `members[${path}]` }]);
    expect(await idsIn(id)).toHaveLength(960);
    await directory.send('PUT', `/Groups/${id}`, groupWith({ displayName: 'Everybody new', members: [] }));
    expect(await idsIn(id)).toEqual([]);
  });

  test('stay unchanged if any of them is refused', async () => {
    const { id } = await make('Everybody new', { members });
    const value = [{ value: 'many-0' }, ...Array.from({ length: 200 }, () => ({ value: 'nobody' }))];
    expect((await directory.patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value }])).status).toBe(400);
    expect(await idsIn(id)).toHaveLength(1_000);
    expect(await make('Another', { members: value })).toMatchObject({ status: 400 });
    expect((await directory.filter('Groups', 'displayName eq "Another"')).found).toEqual([]);
  });
});
