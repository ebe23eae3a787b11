import { z } from 'zod';
import { secret } from '../fields.ts';
import { PERMISSIONS } from '../permissions.ts';

/** Entities from spec 1 §3, in their wire format. */

export const permission = z.enum(PERMISSIONS);

/** The client's languages, as BCP 47 tags. */
export const LANGUAGES = ['en', 'de'] as const;
export const language = z.enum(LANGUAGES);
export type Language = z.output<typeof language>;

export const profile = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** True if the email has been verified as the user's. */
  emailVerified: z.boolean(),
  primaryAttr: z.string(),
  suid: z.string(),
  /** ID of the device used for this sign-in. */
  zid: z.string(),
  active: z.boolean(),
  roleCode: z.string(),
  roleName: z.string(),
  isManager: z.boolean(),
  allowReporteeSearch: z.boolean(),
  hasPermissionForMobileApp: z.boolean(),
  hasPermissionForWindowsApp: z.boolean(),
  permissions: z.array(permission),
  orgId: z.string(),
  /** The user's portal language. null for the browser's language. */
  language: language.nullable(),
});
export type Profile = z.output<typeof profile>;

/** A sign-in's result, as returned to the client. */
export const authState = z.object({
  token: secret(z.string()),
  refreshToken: secret(z.string()),
  profile,
  orgId: z.string(),
  role: z.string(),
  /** Permission groups in which the user has at least one permission. */
  modules: z.array(z.string()),
});
export type AuthState = z.output<typeof authState>;

export const deviceType = z.enum(['mobile', 'desktop', 'webauthn']);
export const deviceStatus = z.enum(['active', 'paused']);

export const device = z.object({
  zid: z.string(),
  name: z.string(),
  nickName: z.string(),
  type: deviceType,
  status: deviceStatus,
  registeredDate: z.string(),
  lastLogin: z.string().nullable(),
  /**
   * Time from which the new device can approve changes, unless an older device confirms it first. Present while the
   * device is new.
   */
  approvesFrom: z.string().optional(),
});
export type Device = z.output<typeof device>;
export type DeviceType = Device['type'];

/** Requirements that a new device must meet before it can approve changes. */
export const confirmation = z.object({
  /** Time from which the device can approve changes at the latest. */
  approvesFrom: z.string(),
  /** Number to choose on an older device. Absent if no older device received a request. */
  matchNumber: z.string().optional(),
});
export type Confirmation = z.output<typeof confirmation>;

export const accountStatus = z.enum(['active', 'inactive', 'unregistered', 'deleted', 'unverified', 'invited']);
export type AccountStatus = z.output<typeof accountStatus>;

/**
 * Returns the statuses that a filter matches. `unregistered` also matches `invited`, because invited members have not
 * registered either.
 */
export const statusesFoundBy = (filter: AccountStatus): readonly AccountStatus[] =>
  filter === 'unregistered' ? ['unregistered', 'invited'] : [filter];

/** One app's activation data. `code` is '' for users who aren't allowed to see it. */
export const activationData = z.object({
  activationCode: secret(z.string()),
  activationExpiry: z.string().nullable(),
  activationExpired: z.boolean(),
  activationLocked: z.boolean(),
});
export type ActivationData = z.output<typeof activationData>;

export const member = z.object({
  id: z.string(),
  suid: z.string(),
  primaryAttr: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** The member's email. Returned under both names that the spec uses. */
  email: z.string(),
  primaryEmail: z.string(),
  /** True if the email has been verified as the member's. */
  emailVerified: z.boolean(),
  role: z.string(),
  roleName: z.string(),
  accountStatus,
  isManager: z.boolean(),
  deviceCount: z.number().int(),
  lastSeen: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
  hasPermissionForMobileApp: z.boolean(),
  hasPermissionForWindowsApp: z.boolean(),
  activationCode: secret(z.string()),
  activationExpiry: z.string().nullable(),
  activationExpired: z.boolean(),
  activationLocked: z.boolean(),
  desktopActivationCode: secret(z.string()),
  desktopActivationExpiry: z.string().nullable(),
  desktopActivationExpired: z.boolean(),
  desktopActivationLocked: z.boolean(),
});
export type Member = z.output<typeof member>;

export const loginRecord = z.object({
  id: z.string(),
  device: z.string(),
  nickName: z.string(),
  /** Device type, used for the icon. null if no device was involved. */
  deviceType: deviceType.nullable(),
  appName: z.string(),
  timestamp: z.string(),
  loginStatus: z.enum(['Success', 'Failed']),
  mode: z.string(),
  ip: z.string(),
  /** True if the member reported that the sign-in wasn't theirs. */
  isDisowned: z.boolean(),
});
export type LoginRecord = z.output<typeof loginRecord>;
