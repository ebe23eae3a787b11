import {
  addGroupMember,
  createGroup,
  createRole,
  deleteGroup,
  getUser,
  listGroupMembers,
  listGroups,
  removeGroupMember,
  renameGroup,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: Awaited<ReturnType<TestPortal['signIn']>>;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

const make = async (displayName: string) =>
  (await portal.call(createGroup, { body: { displayName } }, admin)).body.group.groupId;
const list = async () => (await portal.call(listGroups, {}, admin)).body.Items;
const taken = { status: 400, body: { issues: [{ path: 'displayName' }] } };

test('creates, fills, renames and deletes a group', async () => {
  const { suid } = (await portal.signIn('user@acme.test')).profile;
  const groupId = await make('Night watch');
  const params = { groupId, suid };
  expect((await portal.call(addGroupMember, { params, body: {} }, admin)).body.group.members).toBe(1);
  // Adding a member twice has no effect.
  expect((await portal.call(addGroupMember, { params, body: {} }, admin)).body.group.members).toBe(1);
  expect((await portal.call(listGroupMembers, { params: { groupId } }, admin)).body.Items).toMatchObject([
    { suid, email: 'user@acme.test' },
  ]);
  await portal.call(renameGroup, { params: { groupId }, body: { displayName: 'Evening watch' } }, admin);
  expect(await list()).toEqual([{ groupId, displayName: 'Evening watch', members: 1 }]);
  const { body } = await portal.call(getUser, { query: { suid } }, admin);
  expect(body.groups).toEqual([{ groupId, displayName: 'Evening watch' }]);
  expect((await portal.call(removeGroupMember, { params }, admin)).body.group.members).toBe(0);
  await portal.call(deleteGroup, { params: { groupId } }, admin);
  expect(await list()).toEqual([]);
});

describe('group names', () => {
  test('are unique among groups and roles, ignoring case', async () => {
    const groupId = await make('Night watch');
    await portal.call(createRole, { body: { name: 'Planner', permissions: ['SEARCH_USER'] } }, admin);
    for (const displayName of ['night WATCH', 'Night  watch', 'planner', 'super  admin']) {
      expect(await portal.call(createGroup, { body: { displayName } }, admin), displayName).toMatchObject(taken);
    }
    const other = await make('Day watch');
    const rename = (id: string, displayName: string) =>
      portal.call(renameGroup, { params: { groupId: id }, body: { displayName } }, admin);
    expect(await rename(other, 'Night watch')).toMatchObject(taken);
    expect((await rename(other, 'Day   shift')).body.group.displayName).toBe('Day shift');
    expect((await rename(groupId, 'NIGHT WATCH')).body.group.displayName).toBe('NIGHT WATCH');
  });
});

test('doesn’t find other organisations’ groups and members', async () => {
  const groupId = await make('Night watch');
  const other = await portal.signIn('admin@globex.test');
  const missing = { body: { resultName: 'ID_DOESNOT_EXIST' } };
  const params = { groupId };
  expect(await portal.call(listGroupMembers, { params }, other)).toMatchObject(missing);
  expect(await portal.call(deleteGroup, { params }, other)).toMatchObject(missing);
  const outsider = { groupId, suid: other.profile.suid };
  expect(await portal.call(addGroupMember, { params: outsider, body: {} }, admin)).toMatchObject(missing);
  expect(await list()).toMatchObject([{ members: 0 }]);
});
