import { memberRepo, provisioningRepo, roleRepo, scimCredentialsRepo } from '@orchestrate/db';
import { getScimCredentials, manageUser, type Permission, renewScimCredentials, updateUser } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import type { Json } from '../json.ts';
import { type Directory, type DirectoryReply, directoryOf, groupWith, userWith } from '../testing.ts';

const SECURITY_ADMIN = 'security.admin@acme.test';
const SUPER_ADMIN = 'super.admin@acme.test';
const HELPDESK_ADMIN = 'helpdesk.admin@acme.test';
const USER = 'user@acme.test';
const OTHER = 'marcus.oyelaran@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const rowOf = (suid: string) => memberRepo.findMember(portal.deps.db, 'acme', suid);
const roleOf = (email: string) => memberByEmail(portal, 'acme', email).roleCode;

/** Returns a directory that uses credentials just created by this person. */
async function directoryMadeBy(email: string): Promise<Directory> {
  const { token } = await portal.signIn(email);
  const { body } = await portal.call(renewScimCredentials, { body: {} }, { token });
  expect(body.resultCode).toBe(0);
  return directoryOf(portal);
}

function expectRefused(reply: DirectoryReply, detail: RegExp): void {
  expect(reply).toMatchObject({
    status: 403,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '403',
      detail: expect.stringMatching(detail),
    },
  });
}

const bulk = (...operations: Json[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
  Operations: operations,
});

describe('a Security Admin who creates credentials', () => {
  let directory: Directory;
  beforeEach(async () => {
    directory = await directoryMadeBy(SECURITY_ADMIN);
  });

  // covers: spec 2.3.8
  test('cannot use them to assign a role that a Security Admin could not assign', async () => {
    const me = suidOf(SECURITY_ADMIN);
    const members = [{ value: me }];
    const superAdmin = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
    const giving: [method: string, path: string, body: Json][] = [
      ['PATCH', '/Groups/SUPER_ADMIN', { ...superAdmin, Operations: [{ op: 'add', path: 'members', value: members }] }],
      [
        'PATCH',
        '/Groups/SUPER_ADMIN',
        { ...superAdmin, Operations: [{ op: 'replace', path: 'members', value: members }] },
      ],
      ['PATCH', '/Groups/SUPER_ADMIN', { ...superAdmin, Operations: [{ op: 'Add', value: { members } }] }],
      ['PUT', '/Groups/SUPER_ADMIN', groupWith({ displayName: 'Super Admin', members })],
      [
        'PATCH',
        `/Users/${me}`,
        { ...superAdmin, Operations: [{ op: 'replace', path: 'roles', value: [{ value: 'SUPER_ADMIN' }] }] },
      ],
      [
        'PATCH',
        `/Users/${me}`,
        { ...superAdmin, Operations: [{ op: 'replace', path: 'roles', value: 'Super Admin' }] },
      ],
      [
        'PATCH',
        `/Users/${me}`,
        {
          ...superAdmin,
          Operations: [{ op: 'replace', path: 'roles[value eq "SECURITY_ADMIN"].value', value: 'HELPDESK_ADMIN' }],
        },
      ],
      ['PUT', `/Users/${me}`, userWith({ userName: SECURITY_ADMIN, roles: [{ value: 'SUPER_ADMIN' }] })],
      ['POST', '/Users', userWith({ userName: 'new@acme.test', roles: [{ value: 'SUPER_ADMIN' }] })],
      ['POST', '/Users', userWith({ userName: 'new@acme.test', roles: [{ display: ' super  admin ' }] })],
    ];
    for (const [method, path, body] of giving) {
      expectRefused(await directory.send(method, path, body), /cannot assign or change the role/);
    }
    const made = await directory.send(
      'POST',
      '/Bulk',
      bulk(
        ...giving.map(([method, path, data], index) => ({ method, path, bulkId: `b${index}`, data })),
        {
          method: 'PATCH',
          path: '/Groups/SUPER_ADMIN',
          data: { ...superAdmin, Operations: [{ op: 'add', path: 'members', value: [{ value: 'bulkId:mine' }] }] },
        },
        { method: 'POST', path: '/Users', bulkId: 'mine', data: userWith({ userName: 'mine@acme.test' }) },
      ),
    );
    const { Operations: results } = made.body;
    expect(Array.isArray(results) && results.map((result) => (Object(result) as { status: string }).status)).toEqual([
      ...giving.map(() => '403'),
      '201',
      '403',
    ]);
    expect(roleOf(SECURITY_ADMIN)).toBe('SECURITY_ADMIN');
    const superAdmins = provisioningRepo.listMembersByRole(portal.deps.db, 'acme', 'SUPER_ADMIN', 10);
    expect(superAdmins.map(({ primaryEmail }) => primaryEmail)).toEqual([SUPER_ADMIN]);
  });

  test('cannot use them to change a member with more permissions', async () => {
    for (const email of [SUPER_ADMIN, HELPDESK_ADMIN]) {
      const before = memberByEmail(portal, 'acme', email);
      const path = `/Users/${before.suid}`;
      for (const operation of [
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'mine@acme.test' },
        { op: 'replace', path: 'userName', value: 'mine@acme.test' },
        { op: 'replace', path: 'active', value: false },
        { op: 'replace', path: 'name.givenName', value: 'Nobody' },
        { op: 'replace', path: 'phoneNumbers', value: [{ value: '+46701234567' }] },
        { op: 'replace', path: 'roles', value: [{ value: 'USER' }] },
      ]) {
        expectRefused(await directory.patch(path, [operation]), /cannot change a user with the role/);
      }
      expectRefused(await directory.send('PUT', path, userWith({ userName: email, active: false })), /cannot change/);
      expectRefused(await directory.send('DELETE', path), /cannot change/);
      for (const operations of [
        [{ op: 'remove', path: `members[value eq "${before.suid}"]` }],
        [{ op: 'remove', path: 'members' }],
      ]) {
        expectRefused(await directory.patch(`/Groups/${before.roleCode}`, operations), /cannot change/);
      }
      const moved = [{ op: 'add', path: 'members', value: [{ value: before.suid }] }];
      expectRefused(await directory.patch('/Groups/USER', moved), /cannot change/);
      expect(rowOf(before.suid)).toEqual(before);
      // Repeating the current value doesn't modify any data, so it is allowed.
      expect((await directory.patch(path, [{ op: 'replace', path: 'active', value: true }])).status).toBe(200);
    }
  });

  test('can still create people and assign the roles a Security Admin can assign', async () => {
    const made = await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test' }));
    expect(made.status).toBe(201);
    const members = [{ value: made.id }];
    expect(
      (await directory.patch('/Groups/SECURITY_ADMIN', [{ op: 'add', path: 'members', value: members }])).status,
    ).toBe(200);
    expect((await directory.patch(`/Users/${made.id}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(
      200,
    );
    expect((await directory.send('DELETE', `/Users/${made.id}`)).status).toBe(204);
  });

  test('cannot assign a role that has gained more permissions since', async () => {
    const { db, clock } = portal.deps;
    const role = { orgCode: 'acme', roleCode: 'GUIDES', name: 'Guides' };
    roleRepo.insertRole(db, { ...role, type: 'custom', permissions: ['REMOVE_DEVICE'] });
    const give = (email: string) =>
      directory.patch('/Groups/GUIDES', [{ op: 'add', path: 'members', value: [{ value: suidOf(email) }] }]);
    expect((await give(USER)).status).toBe(200);
    const permissions: Permission[] = ['REMOVE_DEVICE', 'CREATE_CUSTOM_ROLES'];
    roleRepo.editRole(db, { ...role, permissions }, clock.now());
    expectRefused(await give(OTHER), /cannot assign or change the role Guides/);
    const identify = [{ op: 'replace', path: 'externalId', value: 'harmless' }];
    expectRefused(await directory.patch('/Groups/GUIDES', identify), /cannot assign or change/);
    expectRefused(
      await directory.patch('/Groups/GUIDES', [{ op: 'remove', path: `members[value eq "${suidOf(USER)}"]` }]),
      /cannot change a user/,
    );
    expect([roleOf(USER), roleOf(OTHER)]).toEqual(['GUIDES', 'USER']);
  });

  test('can add anyone to a custom group, which grants no permissions in the portal', async () => {
    const members = [{ value: suidOf(SUPER_ADMIN) }];
    const made = await directory.send('POST', '/Groups', groupWith({ displayName: 'Travellers', members }));
    expect(made).toMatchObject({ status: 201, body: { members } });
    expect(roleOf(SUPER_ADMIN)).toBe('SUPER_ADMIN');
  });
});

describe('the maximum grantable role', () => {
  test('drops when the creator loses permissions or is disabled', async () => {
    const { token } = await portal.signIn(SUPER_ADMIN);
    provisioningRepo.setRole(portal.deps.db, 'acme', suidOf(HELPDESK_ADMIN), 'SUPER_ADMIN', portal.deps.clock.now());
    const directory = await directoryMadeBy(HELPDESK_ADMIN);
    const give = (roleCode: string) =>
      directory.patch(`/Groups/${roleCode}`, [{ op: 'add', path: 'members', value: [{ value: suidOf(USER) }] }]);
    expect((await give('CALL_CENTER_ADMIN')).status).toBe(200);
    const leave = { op: 'remove', path: `members[value eq "${suidOf(USER)}"]` };
    expect((await directory.patch('/Groups/CALL_CENTER_ADMIN', [leave])).status).toBe(200);
    const state = async () => (await portal.call(getScimCredentials, {}, { token })).body;
    expect(await state()).toMatchObject({ madeBy: 'Ruth Adeyemi', limitedBy: 'nothing' });

    const { suid, primaryAttr, firstName, lastName, primaryEmail } = memberByEmail(portal, 'acme', HELPDESK_ADMIN);
    const body = { primaryAttr, firstName, lastName, primaryEmail, roles: 'USER' };
    expect((await portal.call(updateUser, { body: body }, { token })).body).toMatchObject({ resultCode: 0 });
    expectRefused(await give('CALL_CENTER_ADMIN'), /cannot assign/);
    expect(await state()).toMatchObject({
      limitedBy: 'maker-lost',
      roles: expect.not.arrayContaining(['Call Center Admin']),
    });

    await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
    expectRefused(await give('CALL_CENTER_ADMIN'), /cannot assign/);
    expect(await state()).toMatchObject({ limitedBy: 'maker-inactive' });
    expect((await give('USER')).status).toBe(200);
  });

  test('excludes administrative roles for credentials without a recorded creator', async () => {
    const known = scimCredentialsRepo.findScimCredentials(portal.deps.db, 'acme');
    if (!known) throw new Error('The demo has credentials.');
    scimCredentialsRepo.saveScimCredentials(portal.deps.db, { ...known, madeBySuid: null, ceiling: [] });
    const directory = directoryOf(portal);
    const give = (roleCode: string) =>
      directory.patch(`/Groups/${roleCode}`, [{ op: 'add', path: 'members', value: [{ value: suidOf(USER) }] }]);
    expectRefused(await give('AUDITOR'), /create new credentials under User Provisioning/);
    expect((await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test' }))).status).toBe(201);
    const { token } = await portal.signIn(SUPER_ADMIN);
    const { body } = await portal.call(getScimCredentials, {}, { token });
    expect(body).toMatchObject({
      limitedBy: 'unknown-maker',
      madeBy: null,
      roles: expect.arrayContaining(['Org User']),
    });
    expect(body.roles).not.toContain('Auditor');
    await portal.call(renewScimCredentials, { body: {} }, { token });
    expect((await directoryOf(portal).patch('/Groups/AUDITOR', [])).status).toBe(400);
    expect(
      (
        await directoryOf(portal).send(
          'PUT',
          '/Groups/AUDITOR',
          groupWith({ displayName: 'Auditor', members: [{ value: suidOf(USER) }] }),
        )
      ).status,
    ).toBe(200);
  });

  test('hides the password from administrators with fewer permissions than the credentials', async () => {
    const { token } = await portal.signIn(SECURITY_ADMIN);
    const shown = (await portal.call(getScimCredentials, {}, { token })).body;
    expect(shown).toMatchObject({
      username: 'scim-acme',
      password: '',
      isPasswordHidden: true,
      madeBy: 'Avery Lindqvist',
    });
    const renewed = (await portal.call(renewScimCredentials, { body: {} }, { token })).body;
    expect(renewed).toMatchObject({
      isPasswordHidden: false,
      madeBy: 'Tomasz Wójcik',
      password: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(renewed.roles).toEqual(expect.arrayContaining(['Security Admin', 'Org User']));
    expect(renewed.roles).not.toContain('Super Admin');
  });
});
