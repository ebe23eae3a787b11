import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nameText } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

const area = 'Applications' as const;
/** Managing groups requires SESSION_MANAGEMENT, because groups decide who can use applications. */
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const params = z.object({ groupId: id });

/** A group's ID and display name. Groups are separate from roles. */
export const groupName = z.object({ groupId: z.string(), displayName: z.string() });
export type GroupName = z.output<typeof groupName>;

const group = groupName.extend({
  /** Number of members. */
  members: z.number().int(),
});
export type Group = z.output<typeof group>;

/** A group's editable fields. The name is unique among the organisation's groups and roles, ignoring case. */
export const groupForm = z.object({ displayName: nameText(LIMITS.groupNameMaxLength) });

export const listGroups = endpoint({
  method: 'GET',
  path: '/org/groups',
  area,
  summary: "List the organisation's groups, by name",
  access,
  reply: z.object({ Items: z.array(group) }),
});

export const createGroup = endpoint({
  method: 'POST',
  path: '/org/groups',
  area,
  access,
  unversioned: 'creates',
  summary: 'Create an empty group',
  body: groupForm,
  reply: z.object({ group }),
  events: ['group.created'],
});

export const renameGroup = endpoint({
  method: 'PUT',
  path: '/org/groups/:groupId',
  area,
  access,
  unversioned: 'one field',
  summary: 'Rename a group; its application assignments stay',
  params,
  body: groupForm,
  reply: z.object({ group }),
  events: ['group.updated'],
});

export const deleteGroup = endpoint({
  method: 'DELETE',
  path: '/org/groups/:groupId',
  area,
  access,
  unversioned: 'deletes',
  summary: 'Delete a group; its members stay, but lose the applications they had through it',
  params,
  reply: z.object({}),
  events: ['group.deleted'],
});

export const listGroupMembers = endpoint({
  method: 'GET',
  path: '/org/groups/:groupId/members',
  area,
  access,
  summary: `List a group's members, by name, at most ${LIMITS.groupMembersShown}`,
  params,
  reply: z.object({ Items: z.array(z.object({ suid: z.string(), name: z.string(), email: z.string() })) }),
});

export const addGroupMember = endpoint({
  method: 'PUT',
  path: '/org/groups/:groupId/members/:suid',
  area,
  access,
  unversioned: 'acts',
  summary: 'Add a member to a group',
  params: params.extend({ suid: id }),
  body: z.object({}),
  reply: z.object({ group }),
  events: ['group.member-added'],
});

export const removeGroupMember = endpoint({
  method: 'DELETE',
  path: '/org/groups/:groupId/members/:suid',
  area,
  access,
  unversioned: 'acts',
  summary: 'Remove a member from a group',
  params: params.extend({ suid: id }),
  reply: z.object({ group }),
  events: ['group.member-removed'],
});
