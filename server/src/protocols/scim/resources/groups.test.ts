import { memberBulkRepo, memberRepo } from '@orchestrate/db';
import { createRole, editRole, getProfile } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TOPIC } from '#platform/live/bus.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { GROUP_SCHEMA, USER_SCHEMA } from '../attributes.ts';
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
const roleOf = (email: string) => memberByEmail(portal, 'acme', email).roleCode;
const membersOf = async (id: string) => (await directory.get(`/Groups/${id}`)).body.members;
const USER = 'user@acme.test';
const OTHER = 'marcus.oyelaran@acme.test';

describe('the Groups endpoint', () => {
  // covers: scim 28
  test("lists the organisation's roles with their members", async () => {
    const { body, found } = await directory.get('/Groups?sortBy=displayName');
    expect(body.totalResults).toBe(found.length);
    expect(found.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'SUPER_ADMIN',
        'HELPDESK_ADMIN',
        'SECURITY_ADMIN',
        'CALL_CENTER_ADMIN',
        'USER',
        'AUDITOR',
      ]),
    );
    expect(found.find(({ id }) => id === 'SUPER_ADMIN')).toMatchObject({
      schemas: [GROUP_SCHEMA],
      displayName: 'Super Admin',
      members: [
        {
          value: suidOf('super.admin@acme.test'),
          $ref: `${portal.url}/scim/v2/acme/Users/${suidOf('super.admin@acme.test')}`,
          display: 'Avery Lindqvist',
          type: 'User',
        },
      ],
      meta: { resourceType: 'Group', location: `${portal.url}/scim/v2/acme/Groups/SUPER_ADMIN` },
    });
  });

  test('finds roles by name or member and omits members if they are excluded', async () => {
    const byName = await directory.filter('Groups', 'displayName eq "super admin"', 'excludedAttributes=members');
    expect(byName.found).toMatchObject([{ id: 'SUPER_ADMIN' }]);
    expect(byName.found[0]?.members).toBeUndefined();
    const byMember = await directory.filter('Groups', `members.value eq "${suidOf(USER)}"`, 'attributes=displayName');
    expect(byMember.found).toEqual([{ schemas: [GROUP_SCHEMA], id: 'USER', displayName: 'Org User' }]);
    expect((await directory.filter('Groups', 'displayName is "x"')).body).toMatchObject({ scimType: 'invalidFilter' });
    // Reject unknown attributes. Otherwise, a misspelt attribute would look like an empty result.
    for (const unknown of ['name eq "x"', 'not (owner pr)', 'members.name eq "x"', 'members[name eq "x"]']) {
      expect((await directory.filter('Groups', unknown)).body).toMatchObject({ scimType: 'invalidFilter' });
      const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter: unknown };
      expect((await directory.send('POST', '/Groups/.search', search)).body).toMatchObject({
        scimType: 'invalidFilter',
      });
    }
    expect((await directory.get('/Groups?startIndex=2&count=1')).body).toMatchObject({
      itemsPerPage: 1,
      startIndex: 2,
    });
  });

  test('returns 404 for an unknown group', async () => {
    for (const [method, path] of [
      ['GET', '/Groups/NOBODY'],
      ['DELETE', '/Groups/NOBODY'],
    ] as const) {
      expect((await directory.send(method, path)).status).toBe(404);
    }
  });
});

describe('a role', () => {
  test.each([
    ['HELPDESK_ADMIN', 'Help Desk Admin'],
    ['AUDITOR', 'Auditor'],
  ])('cannot be renamed or deleted by a directory: %s', async (id, name) => {
    const isRole = `This group is the role ${name}.`;
    expect(await directory.send('DELETE', `/Groups/${id}`)).toMatchObject({
      status: 403,
      body: { detail: `${isRole} Delete it under Role Management.` },
    });
    expect(
      await directory.patch(`/Groups/${id}`, [{ op: 'replace', path: 'displayName', value: 'Help' }]),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'mutability', detail: `${isRole} Rename it under Role Management.` },
    });
    expect((await directory.get(`/Groups/${id}`)).body).toMatchObject({ displayName: name });
  });

  test('keeps its name and stores the directory’s externalId', async () => {
    const same = await directory.patch('/Groups/HELPDESK_ADMIN', [
      { op: 'replace', value: { displayName: 'Help Desk Admin', externalId: 'g-2' } },
    ]);
    expect(same).toMatchObject({ status: 200, body: { externalId: 'g-2' } });
  });

  test('is assigned and removed with immediate effect on signed-in members', async () => {
    const { token } = await portal.signIn(USER);
    const permissions = async () => (await portal.call(getProfile, {}, { token })).body.profile.permissions;
    await directory.patch('/Groups/HELPDESK_ADMIN', [{ op: 'add', path: 'members', value: [{ value: suidOf(USER) }] }]);
    expect(await permissions()).toContain('SEARCH_USER');
    await directory.patch('/Groups/HELPDESK_ADMIN', [{ op: 'remove', path: `members[value eq "${suidOf(USER)}"]` }]);
    expect(await permissions()).not.toContain('SEARCH_USER');
    expect(roleOf(USER)).toBe('USER');
  });

  test('always keeps a Super Admin, but can be handed over', async () => {
    const last = suidOf('super.admin@acme.test');
    for (const refused of [
      await directory.patch('/Groups/SUPER_ADMIN', [{ op: 'remove', path: `members[value eq "${last}"]` }]),
      await directory.patch('/Groups/SUPER_ADMIN', [{ op: 'remove', path: 'members' }]),
      await directory.send('PUT', '/Groups/SUPER_ADMIN', groupWith({ displayName: 'Super Admin', members: [] })),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { detail: 'At least one Super Admin must remain active.' } });
    }
    expect(roleOf('super.admin@acme.test')).toBe('SUPER_ADMIN');
    const passed = await directory.patch('/Groups/SUPER_ADMIN', [
      { op: 'replace', path: 'members', value: [{ value: suidOf(USER) }] },
    ]);
    expect(passed.body.members).toMatchObject([{ value: suidOf(USER) }]);
    expect(roleOf('super.admin@acme.test')).toBe('USER');
  });
});

describe('members', () => {
  // covers: scim 61
  test('are replaced as a whole, and left unchanged if omitted', async () => {
    const put = (input: Parameters<typeof groupWith>[0]) =>
      directory.send('PUT', '/Groups/AUDITOR', groupWith({ displayName: 'Auditor', ...input }));
    expect((await put({ members: [{ value: suidOf(USER) }, { value: suidOf(OTHER) }] })).status).toBe(200);
    expect(await membersOf('AUDITOR')).toHaveLength(2);
    await put({ members: [{ value: suidOf(OTHER) }] });
    expect(await membersOf('AUDITOR')).toMatchObject([{ value: suidOf(OTHER) }]);
    await put({});
    expect(await membersOf('AUDITOR')).toHaveLength(1);
  });

  test('can leave the group USER only by joining another group', async () => {
    const { status } = await directory.patch('/Groups/USER', [
      { op: 'remove', path: `members[value eq "${suidOf(USER)}"]` },
    ]);
    expect(status).toBe(200);
    expect(roleOf(USER)).toBe('USER');
  });

  // covers: scim 28, scim 34
  test('are refused if they don’t exist or are selected by anything but their value', async () => {
    const refused: [operation: Json, scimType: string][] = [
      [{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }, 'invalidValue'],
      [{ op: 'add', path: 'members', value: [{ display: 'Daniel' }] }, 'invalidValue'],
      [{ op: 'remove', path: 'members[display eq "Daniel Ortiz"]' }, 'invalidFilter'],
      [{ op: 'replace', path: `members[value eq "${suidOf(USER)}"]`, value: { display: 'x' } }, 'mutability'],
      [{ op: 'remove', path: `members[value eq "${suidOf(USER)}"].type` }, 'mutability'],
      [{ op: 'add', path: 'owners', value: [] }, 'invalidPath'],
      [{ op: 'replace', value: { id: 'X' } }, 'mutability'],
      [{ op: 'replace', path: 'id', value: 'X' }, 'mutability'],
    ];
    for (const [operation, scimType] of refused) {
      const mixed = await directory.patch('/Groups/AUDITOR', [
        { op: 'add', path: 'members', value: [{ value: suidOf(OTHER) }] },
        operation,
      ]);
      expect(mixed).toMatchObject({ status: 400, body: { scimType } });
    }
    expect(roleOf(OTHER)).toBe('USER');
  });

  test('change the version of their group', async () => {
    const { headers } = await directory.get('/Groups/AUDITOR');
    const version = headers.etag ?? '';
    expect((await directory.get('/Groups/AUDITOR', { 'if-none-match': version })).status).toBe(304);
    const add = () =>
      directory.patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value: [{ value: suidOf(USER) }] }], {
        'if-match': version,
      });
    expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(412);
  });
});

describe('a second role for a member', () => {
  const add = (id: string, ...emails: string[]) =>
    directory.patch(`/Groups/${id}`, [
      { op: 'add', path: 'members', value: emails.map((email) => ({ value: suidOf(email) })) },
    ]);
  const refused = {
    status: 409,
    body: { status: '409', detail: expect.stringMatching(/in the group Auditor.* first/) },
  };
  beforeEach(async () => void (await add('AUDITOR', USER)));

  test('is refused in every form of the request, without moving any member', async () => {
    const members = [{ value: suidOf(OTHER) }, { value: suidOf(USER) }];
    for (const reply of [
      await add('HELPDESK_ADMIN', OTHER, USER),
      await add('USER', USER),
      await directory.send('PUT', '/Groups/HELPDESK_ADMIN', groupWith({ displayName: 'Help Desk Admin', members })),
    ]) {
      expect(reply).toMatchObject(refused);
    }
    expect([roleOf(USER), roleOf(OTHER)]).toEqual(['AUDITOR', 'USER']);
    expect((await add('AUDITOR', USER)).status).toBe(200);
  });

  test('is assigned once the first role has been removed', async () => {
    await directory.patch('/Groups/AUDITOR', [{ op: 'remove', path: `members[value eq "${suidOf(USER)}"]` }]);
    expect((await add('HELPDESK_ADMIN', USER)).status).toBe(200);
    expect(roleOf(USER)).toBe('HELPDESK_ADMIN');
  });

  test('is refused when creating a user', async () => {
    const path = `/Users/${suidOf(USER)}`;
    const second = await directory.patch(path, [{ op: 'add', path: 'roles', value: [{ value: 'HELPDESK_ADMIN' }] }]);
    expect(second).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    const other = await directory.patch(path, [{ op: 'replace', path: 'roles', value: [{ value: 'HELPDESK_ADMIN' }] }]);
    expect(other).toMatchObject({ status: 200, body: { roles: [{ value: 'HELPDESK_ADMIN' }] } });
  });
});

describe('group times (RFC 7643 §3.1)', () => {
  const timesOf = async (id: string) => {
    const { body, headers } = await directory.get(`/Groups/${id}`);
    return { meta: body.meta, version: headers.etag };
  };
  const MADE = '2026-03-02T09:30:00.000Z';
  const LATER = '2026-03-02T09:31:00.000Z';

  // covers: scim 20
  test('show when the group was created and last changed, including changes in the portal', async () => {
    const { token } = await portal.signIn('super.admin@acme.test');
    const role = { name: 'Tour Guides', permissions: [] };
    const { roleCode: id = '' } = (await portal.call(createRole, { body: role }, { token })).body;
    const made = await timesOf(id);
    expect(made.meta).toMatchObject({ created: MADE, lastModified: MADE });
    portal.clock.advance(60);
    const form = { roleCode: id, name: 'Tour Guides', permissions: ['SEARCH_USER' as const] };
    await portal.call(editRole, { body: form }, { token });
    const edited = await timesOf(id);
    expect(edited.meta).toMatchObject({ created: MADE, lastModified: LATER });
    expect(edited.version).not.toBe(made.version);
  });

  test('change for both groups when a member is moved', async () => {
    const before = [await timesOf('AUDITOR'), await timesOf('USER')];
    portal.clock.advance(60);
    await directory.patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value: [{ value: suidOf(USER) }] }]);
    for (const [at, id] of ['AUDITOR', 'USER'].entries()) {
      const now = await timesOf(id);
      expect(now.meta).toMatchObject({ lastModified: LATER });
      expect(now.version).not.toBe(before[at]?.version);
    }
    portal.clock.advance(60);
    await directory.send('DELETE', `/Users/${suidOf(USER)}`);
    expect((await timesOf('AUDITOR')).meta).toMatchObject({ lastModified: '2026-03-02T09:32:00.000Z' });
    portal.clock.advance(60);
    await directory.send('POST', '/Users', { schemas: [USER_SCHEMA], userName: 'new', roles: ['AUDITOR'] });
    expect((await timesOf('AUDITOR')).meta).toMatchObject({ lastModified: '2026-03-02T09:33:00.000Z' });
  });
});

describe('many members', () => {
  const MANY = 90;
  const suids = Array.from({ length: MANY }, (_, index) => `many-${index}`);
  const named = suids.map((value) => ({ value }));
  const rolesOf = () => new Set(suids.map((suid) => memberRepo.findMember(portal.deps.db, 'acme', suid)?.roleCode));

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

  test('are added and removed in batches, while other requests are served', async () => {
    const seen: number[] = [];
    const stop = portal.deps.bus.listen([TOPIC.member('many-0')], () => void seen.push(rolesOf().size));
    const added = await directory.patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value: named }]);
    expect(added.status).toBe(200);
    expect(rolesOf()).toEqual(new Set(['AUDITOR']));
    const replaced = await directory.send('PUT', '/Groups/AUDITOR', groupWith({ displayName: 'Auditor', members: [] }));
    expect(replaced.body.members ?? []).toEqual([]);
    expect(rolesOf()).toEqual(new Set(['USER']));
    stop();
    // The first member has moved, but the last one hasn't.
    expect(seen).toEqual([2, 2]);
  });

  // covers: scim 65
  test('stay unchanged if any of them is refused', async () => {
    const value = [...named, { value: 'nobody' }];
    const { status, body } = await directory.patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value }]);
    expect({ status, body }).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect(rolesOf()).toEqual(new Set(['USER']));
  });
});
