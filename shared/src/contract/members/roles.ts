import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nameText } from '../../fields.ts';
import { permission } from '../models.ts';

export const roleType = z.enum(['admin', 'user', 'custom']);

export const listRoles = endpoint({
  method: 'GET',
  path: '/org/roleslist',
  area: 'Roles',
  summary: "List the organisation's roles, admin roles first",
  access: { who: 'signed-in' },
  reply: z.object({
    Items: z.array(
      z.object({
        roleCode: z.string(),
        name: z.string(),
        type: roleType,
        userCount: z.number().int(),
        permissions: z.array(permission),
        version: z.string(),
      }),
    ),
  }),
});
export type RoleItem = z.output<typeof listRoles.reply>['Items'][number];

export const listPermissions = endpoint({
  method: 'GET',
  path: '/org/permissions',
  area: 'Roles',
  summary: 'List all permissions with their label and group, in display order',
  access: { who: 'signed-in' },
  reply: z.object({
    permissions: z.array(z.object({ name: permission, label: z.string(), group: z.string() })),
  }),
});

const role = z.object({
  roleCode: z.string(),
  name: z.string(),
  type: roleType,
  permissions: z.array(permission),
});

export const getRole = endpoint({
  method: 'GET',
  path: '/user/role/:roleCode',
  area: 'Roles',
  summary: 'Get a role with its permissions',
  access: { who: 'signed-in' },
  versioned: 'role',
  params: z.object({ roleCode: id }),
  reply: z.object({ data: role }),
});

/** A custom role's fields. Unknown permission names are refused. The order of permissions doesn't matter. */
export const roleForm = z.object({ name: nameText(60), permissions: z.array(permission).max(100) });
export type RoleForm = z.output<typeof roleForm>;

export const createRole = endpoint({
  method: 'POST',
  path: '/org/roles',
  area: 'Roles',
  summary: 'Create a custom role, limited to permissions that you have',
  access: { who: 'permission', permission: 'CREATE_CUSTOM_ROLES' },
  unversioned: 'creates',
  body: roleForm,
  reply: z.object({ roleCode: z.string() }),
  refuses: ['ROLE_LIMIT_REACHED'],
  events: ['role.created'],
});

export const editRole = endpoint({
  method: 'POST',
  path: '/org/editroles',
  area: 'Roles',
  summary: 'Change a custom role; you must have every permission that is added or removed',
  access: { who: 'permission', permission: 'UPDATE_CUSTOM_ROLES' },
  versioned: 'role',
  current: role,
  body: roleForm.extend({ roleCode: id }),
  reply: z.object({ roleCode: z.string() }),
  refuses: ['CANNOT_DELETE_DEFAULT_ROLE'],
  events: ['role.updated'],
});

export const deleteRole = endpoint({
  method: 'POST',
  path: '/org/role/delete',
  area: 'Roles',
  summary: 'Delete a custom role; its members become Org Users',
  access: { who: 'permission', permission: 'DELETE_CUSTOM_ROLES' },
  unversioned: 'deletes',
  body: z.object({ roleCode: id }),
  /** `moved`: number of members who became Org Users. */
  reply: z.object({ moved: z.number().int() }),
  refuses: ['CANNOT_DELETE_DEFAULT_ROLE'],
  events: ['role.deleted'],
});
