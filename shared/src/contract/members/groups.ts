import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nameText } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

const area = 'Applications' as const;
/** Groups decide who may use applications. */
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const params = z.object({ groupId: id });

/** A group beside the roles, as it is shown. */
export const groupName = z.object({ groupId: z.string(), displayName: z.string() });
export type GroupName = z.output<typeof groupName>;

const group = groupName.extend({
  /** How many people are in it. */
  members: z.number().int(),
});
export type Group = z.output<typeof group>;

/** Unique in the organisation, whatever the case, among its groups and roles. */
export const groupForm = z.object({ displayName: nameText(LIMITS.groupNameMaxLength) });

export const listGroups = endpoint({
  method: 'GET',
  path: '/org/groups',
  area,
  summary: 'The groups of the organisation in the order of their names; applications may be for them',
  access,
  reply: z.object({ Items: z.array(group) }),
});

export const createGroup = endpoint({
  method: 'POST',
  path: '/org/groups',
  area,
  access,
  unversioned: 'creates',
  summary: 'Make a group, without anybody in it',
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
  summary: 'Give a group another name; applications that are for it stay so',
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
  summary: 'Delete a group: people stay, and lose the applications that they had by it',
  params,
  reply: z.object({}),
  events: ['group.deleted'],
});

export const listGroupMembers = endpoint({
  method: 'GET',
  path: '/org/groups/:groupId/members',
  area,
  access,
  summary: `Who is in a group, by name; at most ${LIMITS.groupMembersShown}`,
  params,
  reply: z.object({ Items: z.array(z.object({ suid: z.string(), name: z.string(), email: z.string() })) }),
});

export const addGroupMember = endpoint({
  method: 'PUT',
  path: '/org/groups/:groupId/members/:suid',
  area,
  access,
  unversioned: 'acts',
  summary: 'Put somebody into a group',
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
  summary: 'Take somebody out of a group',
  params: params.extend({ suid: id }),
  reply: z.object({ group }),
  events: ['group.member-removed'],
});
