/** Permissions and system roles (spec 1 §6): wire names, and labels and groups for display. */
const definitions = {
  REMOVE_DEVICE: ['Delete own devices', 'Own devices'],
  PAUSE_DEVICE: ['Pause own devices', 'Own devices'],
  REPORT_LOST_DEVICE: ['Report own devices lost', 'Own devices'],
  SEARCH_USER: ['Search users', 'Users'],
  UPDATE_USER: ['Edit users', 'Users'],
  PAUSE_USER: ['Enable and disable users', 'Users'],
  REMOVE_USER: ['Delete users', 'Users'],
  BULK_INVITE: ['Invite users', 'Users'],
  GENERATE_ACT_CODE: ['Generate mobile activation codes', 'Activation codes'],
  GENERATE_ACT_CODE_DESKTOP: ['Generate desktop activation codes', 'Activation codes'],
  SEND_ACT_CODE_EMAIL: ['Email activation codes', 'Activation codes'],
  PAUSE_DEVICE_FOR_OTHER_USERS: ["Pause other users' devices", "Other users' devices"],
  REMOVE_DEVICE_FOR_OTHER_USERS: ["Delete other users' devices", "Other users' devices"],
  REPORT_LOST_DEVICE_FOR_OTHER_USERS: ["Report other users' devices lost", "Other users' devices"],
  GET_ALL_REPORTEES: ['See direct reports', 'Direct reports'],
  REMOVE_REPORTEE_DEVICE: ["Delete direct reports' devices", 'Direct reports'],
  VERBAL_AUTHENTICATION: ['Authenticate callers', 'Callers'],
  ADD_UPDATE_SAML_CONFIGURATION: ['Configure SAML applications', 'Applications'],
  ADD_UPDATE_OIDC_CONFIGURATION: ['Configure OIDC portal sign-in', 'Applications'],
  CREATE_CUSTOM_ROLES: ['Create custom roles', 'Roles'],
  UPDATE_CUSTOM_ROLES: ['Edit custom roles', 'Roles'],
  DELETE_CUSTOM_ROLES: ['Delete custom roles', 'Roles'],
  SCIM_PROVISIONING: ['Configure user provisioning', 'Settings'],
  SESSION_MANAGEMENT: ['Manage app settings, sessions and security', 'Settings'],
} as const satisfies Record<string, readonly [label: string, group: string]>;

export type Permission = keyof typeof definitions;
export type PermissionGroup = (typeof definitions)[Permission][1];

export const PERMISSIONS = Object.keys(definitions) as [Permission, ...Permission[]];

export function permissionLabel(permission: Permission): string {
  return definitions[permission][0];
}

export function permissionGroup(permission: Permission): PermissionGroup {
  return definitions[permission][1];
}

/**
 * Returns the auth state's `modules`: the permission groups in which the user has at least one permission, in table
 * order.
 */
export function modulesOf(permissions: readonly Permission[]): PermissionGroup[] {
  const held = new Set(permissions);
  return [...new Set(PERMISSIONS.filter((p) => held.has(p)).map(permissionGroup))];
}

/**
 * Permission groups that affect only the holder or their direct reports. Additional permissions from these groups
 * don't make a member more powerful.
 */
const HARMLESS: ReadonlySet<PermissionGroup> = new Set(['Own devices', 'Direct reports']);

/**
 * Returns true if members with one set of permissions can act on members with another set, and grant a role with that
 * other set. No one can act beyond their own permissions (decision 062). The server enforces this rule; the client
 * hides controls accordingly.
 */
export function hasAuthority(held: readonly Permission[], over: readonly Permission[]): boolean {
  return over.every((permission) => HARMLESS.has(permissionGroup(permission)) || held.includes(permission));
}

/** Additional permissions for managers while the organisation's `allowReporteeSearch` is on (contract §6). */
export const MANAGER_PERMISSIONS = [
  'GET_ALL_REPORTEES',
  'REMOVE_REPORTEE_DEVICE',
] as const satisfies readonly Permission[];

export const SYSTEM_ROLE_CODES = [
  'SUPER_ADMIN',
  'HELPDESK_ADMIN',
  'SECURITY_ADMIN',
  'CALL_CENTER_ADMIN',
  'USER',
] as const;
export type SystemRoleCode = (typeof SYSTEM_ROLE_CODES)[number];

export type RoleType = 'admin' | 'user' | 'custom';

export interface SystemRole {
  roleCode: SystemRoleCode;
  name: string;
  type: RoleType;
  permissions: readonly Permission[];
}

const OWN: readonly Permission[] = ['REMOVE_DEVICE', 'PAUSE_DEVICE', 'REPORT_LOST_DEVICE'];
const manager = new Set<Permission>(MANAGER_PERMISSIONS);

/**
 * The five system roles and their permissions. Manager isn't a role; its permissions are added through
 * `MANAGER_PERMISSIONS`.
 */
export const SYSTEM_ROLES: readonly SystemRole[] = [
  {
    roleCode: 'SUPER_ADMIN',
    name: 'Super Admin',
    type: 'admin',
    permissions: PERMISSIONS.filter((p) => !manager.has(p)),
  },
  {
    roleCode: 'HELPDESK_ADMIN',
    name: 'Help Desk Admin',
    type: 'admin',
    permissions: [
      ...OWN,
      'SEARCH_USER',
      'UPDATE_USER',
      'PAUSE_USER',
      'BULK_INVITE',
      'GENERATE_ACT_CODE',
      'GENERATE_ACT_CODE_DESKTOP',
      'SEND_ACT_CODE_EMAIL',
      'PAUSE_DEVICE_FOR_OTHER_USERS',
      'REMOVE_DEVICE_FOR_OTHER_USERS',
      'REPORT_LOST_DEVICE_FOR_OTHER_USERS',
      'VERBAL_AUTHENTICATION',
    ],
  },
  {
    roleCode: 'SECURITY_ADMIN',
    name: 'Security Admin',
    type: 'admin',
    permissions: [
      ...OWN,
      'SEARCH_USER',
      'PAUSE_USER',
      'PAUSE_DEVICE_FOR_OTHER_USERS',
      'REMOVE_DEVICE_FOR_OTHER_USERS',
      'REPORT_LOST_DEVICE_FOR_OTHER_USERS',
      'ADD_UPDATE_SAML_CONFIGURATION',
      'ADD_UPDATE_OIDC_CONFIGURATION',
      'SCIM_PROVISIONING',
      'SESSION_MANAGEMENT',
    ],
  },
  {
    roleCode: 'CALL_CENTER_ADMIN',
    name: 'Call Center Admin',
    type: 'admin',
    permissions: [...OWN, 'SEARCH_USER', 'VERBAL_AUTHENTICATION', 'GENERATE_ACT_CODE', 'SEND_ACT_CODE_EMAIL'],
  },
  { roleCode: 'USER', name: 'Org User', type: 'user', permissions: OWN },
];
