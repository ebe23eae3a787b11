import { memberCountRepo, memberRepo, roleRepo } from '@orchestrate/db';
import {
  checkConfiguration,
  createRole,
  deleteRole,
  editRole,
  getProfile,
  getRole,
  listPermissions,
  listRoles,
  PERMISSIONS,
  type Permission,
  SYSTEM_ROLE_CODES,
  searchUsers,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { roleCodeFor } from '#core/members/role-names.ts';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const create = (name: string, permissions: Permission[] = ['SEARCH_USER'], by = token) =>
  portal.call(createRole, { body: { name, permissions } }, { token: by });
const edit = (roleCode: string, name: string, permissions: Permission[], by = token) =>
  portal.call(editRole, { body: { roleCode, name, permissions } }, { token: by });
const remove = (roleCode: string, by = token) => portal.call(deleteRole, { body: { roleCode } }, { token: by });
const read = (roleCode: string) => portal.call(getRole, { params: { roleCode } }, { token });

/** Gives a seeded member a role with these permissions and signs them in. */
async function signInWith(email: string, roleCode: string, permissions: Permission[]) {
  const { db } = portal.deps;
  roleRepo.insertRole(db, { orgCode: 'acme', roleCode, name: roleCode, type: 'custom', permissions });
  const { suid, ...member } = memberByEmail(portal, 'acme', email);
  memberRepo.editMember(db, 'acme', suid, { ...member, roleCode });
  return (await portal.signIn(email)).token;
}

// covers: spec 1.7.27, spec 2.6.3, spec 2.7.18
test('has a label and a group for every permission', async () => {
  const { body } = await portal.call(listPermissions, {}, { token });
  expect(body.permissions.map(({ name }) => name)).toEqual(PERMISSIONS);
  expect(body.permissions[0]).toEqual({ name: 'REMOVE_DEVICE', label: 'Delete own devices', group: 'Own devices' });
});

// covers: spec 1.7.27, spec 2.7.20
test('returns a role with its permissions, or code 21 if the role is unknown', async () => {
  expect((await read('AUDITOR')).body.data).toMatchObject({ name: 'Auditor', type: 'custom' });
  expect((await read('SUPER_ADMIN')).body.data.permissions).toContain('SESSION_MANAGEMENT');
  expect(await read('NOBODY')).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
});

test('treats another organisation’s role as unknown', async () => {
  const { token: elsewhere } = await portal.signIn('admin@globex.test');
  for (const call of [
    portal.call(getRole, { params: { roleCode: 'AUDITOR' } }, { token: elsewhere }),
    edit('AUDITOR', 'Mine', [], elsewhere),
    remove('AUDITOR', elsewhere),
  ]) {
    expect((await call).body.resultName).toBe('ID_DOESNOT_EXIST');
  }
});

// covers: spec 2.7.21
test('creates a role with a code derived from its name and sorted permissions', async () => {
  const { body } = await create('  Café team 2 ', ['SEARCH_USER', 'REMOVE_DEVICE', 'SEARCH_USER']);
  expect(body.roleCode).toBe('CAFE_TEAM_2');
  expect((await read('CAFE_TEAM_2')).body.data).toEqual({
    roleCode: 'CAFE_TEAM_2',
    name: 'Café team 2',
    type: 'custom',
    permissions: ['REMOVE_DEVICE', 'SEARCH_USER'],
  });
});

test('derives codes that differ from existing and system role codes', () => {
  expect(roleCodeFor('Super admin', [])).toBe('SUPER_ADMIN_2');
  expect(roleCodeFor('Ops!', ['OPS', 'OPS_2'])).toBe('OPS_3');
  expect(roleCodeFor('運用', [])).toBe('ROLE');
  expect(roleCodeFor(`${'x'.repeat(57)} y`, [])).toBe('X'.repeat(57));
});

test.each(['auditor', ' AUDITOR ', 'org  user', 'Super\u00a0Admin'])(
  'rejects the name %j because a role already has it',
  async (name) => {
    for (const answer of [await create(name), await edit('ONBOARDING_TEAM', name, [])]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'name', message: 'A role already has this name' }] },
      });
    }
  },
);

test.each([
  ['Super-Admin', 'This looks like the name of a system role'],
  ['SUPERADMIN', 'This looks like the name of a system role'],
  ['Súper Administrators', 'This looks like the name of a system role'],
  ['Helpdesk admin', 'This looks like the name of a system role'],
  ['User', 'This looks like the name of a system role'],
  ['Super Admın', 'This looks like the name of a system role'],
  ['Super Adm1n', 'This looks like the name of a system role'],
  ['5uper Admin', 'This looks like the name of a system role'],
  ['Super Adrnin', 'This looks like the name of a system role'],
  ['Super @dmin!', 'This looks like the name of a system role'],
  ['ꜱᴜᴘᴇʀ ᴀᴅᴍɪɴ', 'This looks like the name of a system role'],
  ['HeIp Desk Admin', 'This looks like the name of a system role'],
  ['H3|pde5k Adm1ns', 'This looks like the name of a system role'],
  ['Ca11 Cent3r Administrat0r', 'This looks like the name of a system role'],
  ['0rg User', 'This looks like the name of a system role'],
  ['U5e\u0301r', 'This looks like the name of a system role'],
  ['\u0405uper Admin', 'Words cannot mix alphabets'],
  ['S\u057dper Admin', 'Words cannot mix alphabets'],
  ['Super \u13a0dmin', 'Words cannot mix alphabets'],
])('rejects the name %j as too similar to a system role', async (name, message) => {
  for (const answer of [await create(name), await edit('ONBOARDING_TEAM', name, [])])
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'name', message }] } });
  expect((await create('Администраторы')).body.resultCode).toBe(0);
});

test.each([
  'Level 1 support',
  'Admin 2',
  'Users of floor 5',
  'User 5',
  'User5',
  'Super Admin 2',
  'HR (5)',
  'ทีมIT',
  'ITチーム',
])('accepts the name %j', async (name) => {
  expect((await create(name)).body.resultCode).toBe(0);
});

test.each(['SUPER_ADM1N', '5UPER_ADMIN', 'USER_5'])(
  'rejects the role code %j in a file if it looks like a system role',
  async (code) => {
    const file = { organisations: [{ code: 'acme', roles: [{ code, name: 'Ordinary' }] }] };
    const { body } = await portal.call(checkConfiguration, { body: { configuration: file } }, { token });
    const issue = { path: expect.stringContaining('code'), message: 'This looks like the name of a system role' };
    expect(body.mistakes).toEqual(code === 'USER_5' ? [] : [expect.objectContaining(issue)]);
  },
);

// covers: spec 2.7.22
test('lets a role keep its name or change its case', async () => {
  expect((await edit('AUDITOR', 'AUDITOR', ['SEARCH_USER'])).body.resultCode).toBe(0);
  expect((await read('AUDITOR')).body.data).toMatchObject({ name: 'AUDITOR', permissions: ['SEARCH_USER'] });
});

// covers: spec 1.6.2, spec 2.6.2, spec 2.8.31, spec 2.9.3, security 2.3.2
test('rejects a sixth custom role (ROLE_LIMIT_REACHED) until one is deleted', async () => {
  for (const name of ['Third', 'Fourth', 'Fifth']) expect((await create(name)).body.resultCode).toBe(0);
  expect(await create('Sixth')).toMatchObject({
    status: 200,
    body: { resultName: 'ROLE_LIMIT_REACHED', message: 'Custom Role Limit Reached' },
  });
  expect((await remove('THIRD')).body).toEqual({ resultCode: 0, moved: 0 });
  expect((await create('Sixth')).body.roleCode).toBe('SIXTH');
});

// covers: spec 2.8.31
test('rejects a role with a missing code, an unknown permission or a name that is too long', async () => {
  expect(await portal.call(deleteRole, { body: JSON.parse('{}') }, { token })).toMatchObject({
    status: 400,
    body: { resultName: 'ROLE_CODE_MISSING' },
  });
  const strange = { name: 'Strange', permissions: ['EVERYTHING'] };
  expect((await portal.call(createRole, { body: Object(strange) }, { token })).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'permissions.0' }],
  });
  expect((await create('x'.repeat(61))).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'name' }],
  });
  expect((await create(' ')).body).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path: 'name' }] });
});

test('grants permissions for direct reports to managers but not through roles', async () => {
  const { token: manager } = await portal.signIn('manager@acme.test');
  expect((await create('Bosses', ['GET_ALL_REPORTEES'], manager)).body.resultName).toBe('INVALID_PERMISSIONS');
  for (const answer of [
    await create('Bosses', ['GET_ALL_REPORTEES']),
    await edit('AUDITOR', 'Auditor', ['SEARCH_USER', 'REMOVE_REPORTEE_DEVICE']),
  ]) {
    expect(answer.body).toMatchObject({ resultName: 'INVALID_REQUEST', issues: [{ path: 'permissions' }] });
  }
});

// covers: spec 2.8.31
test.each(SYSTEM_ROLE_CODES)('rejects editing or deleting %s (CANNOT_DELETE_DEFAULT_ROLE)', async (roleCode) => {
  const resultName = 'CANNOT_DELETE_DEFAULT_ROLE';
  expect((await edit(roleCode, 'Mine', [])).body).toMatchObject({
    resultName,
    message: "System roles can't be changed.",
  });
  expect((await remove(roleCode)).body).toMatchObject({
    resultName,
    message: "System roles can't be deleted.",
  });
});

// covers: spec 2.6.4
test('rejects granting, removing or deleting permissions the user lacks (INVALID_PERMISSIONS)', async () => {
  const by = await signInWith('user@acme.test', 'ROLE_KEEPER', [
    'SEARCH_USER',
    'CREATE_CUSTOM_ROLES',
    'UPDATE_CUSTOM_ROLES',
    'DELETE_CUSTOM_ROLES',
  ]);
  const before = (await read('ONBOARDING_TEAM')).body.data;
  const withoutInvite = before.permissions.filter((permission) => permission !== 'BULK_INVITE');
  for (const answer of [
    await create('More', ['SEARCH_USER', 'REMOVE_USER'], by),
    await edit('ONBOARDING_TEAM', before.name, [...before.permissions, 'REMOVE_USER'], by),
    await edit('ONBOARDING_TEAM', before.name, withoutInvite, by),
    await edit('ROLE_KEEPER', 'ROLE_KEEPER', ['SEARCH_USER', 'SESSION_MANAGEMENT'], by),
    await remove('ONBOARDING_TEAM', by),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { resultName: 'INVALID_PERMISSIONS' } });
  }
  expect((await read('ONBOARDING_TEAM')).body.data).toEqual(before);
  // The member can grant and remove their own permissions. The role's other permissions stay unchanged.
  const withoutSearch = before.permissions.filter((permission) => permission !== 'SEARCH_USER');
  expect((await edit('ONBOARDING_TEAM', 'Newcomers', withoutSearch, by)).body.resultCode).toBe(0);
  expect((await create('Searchers', ['SEARCH_USER'], by)).body.resultCode).toBe(0);
  expect((await remove('SEARCHERS', by)).body.resultCode).toBe(0);
});

test('rejects deleting your own role', async () => {
  const by = await signInWith('user@acme.test', 'ROLE_KEEPER', ['DELETE_CUSTOM_ROLES']);
  expect(await remove('ROLE_KEEPER', by)).toMatchObject({ status: 403, body: { resultName: 'INVALID_PERMISSIONS' } });
});

// covers: spec 2.7.22
test('applies role changes immediately to signed-in members', async () => {
  const by = await signInWith('user@acme.test', 'HELPERS', ['SEARCH_USER', 'BULK_INVITE']);
  const permissions = async () => (await portal.call(getProfile, {}, { token: by })).body.profile.permissions;
  expect(await permissions()).toEqual(['SEARCH_USER', 'BULK_INVITE']);
  await edit('HELPERS', 'Helpers', ['BULK_INVITE']);
  expect(await permissions()).toEqual(['BULK_INVITE']);
  const search = await portal.call(searchUsers, { query: { q: 'avery', field: 'firstName' } }, { token: by });
  expect(search.body.resultName).toBe('INVALID_PERMISSIONS');
});

// covers: spec 2.7.23
test('turns members of a deleted role into Org Users immediately, also in lists and search', async () => {
  const by = await signInWith('user@acme.test', 'HELPERS', ['SEARCH_USER', 'BULK_INVITE']);
  const { db } = portal.deps;
  const { suid, ...gone } = memberByEmail(portal, 'acme', 'zoe.lefevre@acme.test');
  memberRepo.editMember(db, 'acme', suid, { ...gone, roleCode: 'HELPERS' });
  memberRepo.setAccountStatus(db, 'acme', suid, { accountStatus: 'deleted', statusBeforePause: null });
  const users = async () =>
    (await portal.call(listRoles, {}, { token })).body.Items.find(({ roleCode }) => roleCode === 'USER')?.userCount;
  const before = await users();

  expect((await remove('HELPERS')).body).toEqual({ resultCode: 0, moved: 1 });
  expect(await users()).toBe((before ?? 0) + 1);
  const { profile } = (await portal.call(getProfile, {}, { token: by })).body;
  expect(profile.permissions).toEqual(['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE']);
  expect(memberByEmail(portal, 'acme', 'user@acme.test').roleCode).toBe('USER');
  expect(memberRepo.findMember(db, 'acme', suid)?.roleCode).toBe('USER');
  const left = memberCountRepo.listMemberCounts(db, 'acme').filter(({ roleCode }) => roleCode === 'HELPERS');
  expect(left.reduce((total, { members }) => total + members, 0)).toBe(0);
  const found = await portal.call(searchUsers, { query: { q: 'user@acme', field: 'primaryEmail' } }, { token });
  expect(found.body.Items).toMatchObject([{ primaryEmail: 'user@acme.test' }]);
});
