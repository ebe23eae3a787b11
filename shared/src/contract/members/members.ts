import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, email, id, optionalText, orgCode, personName, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus, device, loginRecord, member } from '../models.ts';
import { signInDay, signInRecord, timeZone } from '../settings/audit.ts';
import { groupName } from './groups.ts';

/** Identifies a member. Default: the signed-in member. */
const memberQuery = z.object({ primaryAttr: text(254).optional(), suid: id.optional() });

/** A member's new email, pending until the code sent to it has been entered. */
const pendingEmail = z.object({
  email: z.string(),
  requestedAt: z.string(),
  expiresAt: z.string(),
});
export type PendingEmail = z.output<typeof pendingEmail>;

export const getUser = endpoint({
  method: 'GET',
  path: '/user',
  area: 'People',
  summary: 'Get a member with their registered devices',
  versioned: 'member',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery,
  reply: z.object({
    profile: member,
    devices: z.array(device),
    /** null if no email change is pending. The member's current email if that address is being verified. */
    pendingEmail: pendingEmail.nullable(),
    /** The member's groups, by name. Groups are separate from roles. */
    groups: z.array(groupName),
    /** Fields that `user/details` changes. null if the signed-in member lacks UPDATE_USER. */
    details: z
      .object({
        /** Mobile number in E.164 format, or empty. */
        mobileNumber: z.string(),
        managerSuid: z.string().nullable(),
        /** True if a directory manages these fields and the primary attribute, which makes them read-only here. */
        isProvisioned: z.boolean(),
      })
      .nullable(),
  }),
});

/** Cursor of the next page: the last row on this page. */
const loginHistoryKey = z.object({ timestamp: z.string(), id: z.string() });

export const getLoginHistory = endpoint({
  method: 'GET',
  path: '/user/loginhistory',
  area: 'People',
  summary: "List a member's sign-ins, newest first, with keyset pagination",
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery.extend({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** `LastEvaluatedKey` from the previous response, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({ records: z.array(loginRecord), LastEvaluatedKey: loginHistoryKey.nullable() }),
  refuses: ['AUTH_HISTORY_MISSING'],
});

/** Cursor of the next page of search results: the last row on this page. */
const searchKey = z.object({
  primaryAttr: z.string(),
  id: z.string(),
  /** The search step that the next page continues, for searches in any field. */
  part: z.number().int().optional(),
  /** Expiry of the last member's code, in milliseconds, for searches by codes that expire soon. */
  at: z.number().int().optional(),
});

/** The search term. One or two characters only match the start of names (or of the field's values). */
const searchText = z
  .string()
  .trim()
  .overwrite(composed)
  .max(254, 'At most 254 characters')
  .min(1, 'Provide a search term or a status');

export const SEARCH_SORTS = ['lastName', 'firstName', 'primaryEmail', 'newest', 'oldest'] as const;

/** Sort order. `newest` and `oldest` sort by creation time; names and addresses sort alphabetically. */
export const searchSort = z.enum(SEARCH_SORTS);
export type SearchSort = z.output<typeof searchSort>;

export const searchUsers = endpoint({
  method: 'GET',
  path: '/user/search',
  area: 'People',
  summary:
    'Search members by a term in one field or any field, ignoring case, or by status; deleted members can only be found by status; keyset pagination in a stable order',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    /** Search term. Default: all members with the given `status` or `codes`, one of which is then required. */
    q: searchText.optional(),
    /**
     * Field to search: `firstName`, `lastName`, `primaryEmail`, or the organisation's `primaryAttrField`; `any`
     * searches all of them, best matches first. With `any`, a page can be short or empty even though more pages
     * follow.
     */
    field: text(40).default('firstName'),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** `LastEvaluatedKey` from the previous response, as JSON. */
    lastItem: text(500).optional(),
    /** Account status. Default: all statuses except `deleted`. `unregistered` includes invited members. */
    status: accountStatus.optional(),
    /**
     * `expiring`: members with a valid activation code that expires within 6 h, soonest first. Can be combined with
     * `q`, but not with `status` or `sort`. With `q`, a page can be short or empty even though more pages follow.
     */
    codes: z.enum(['expiring']).optional(),
    /** Sort order, applied if at most 1,000 members are found. Default: the search's own order. */
    sort: searchSort.optional(),
  }),
  reply: z.object({ Items: z.array(member), LastEvaluatedKey: searchKey.nullable() }),
});

export const countUsers = endpoint({
  method: 'GET',
  path: '/user/search/count',
  area: 'People',
  summary: 'Count the members that match a search, by status; without a search term, count all members',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    q: searchText.optional(),
    /** Field to search, as in `user/search`. */
    field: text(40).default('firstName'),
  }),
  reply: z.object({
    /**
     * Counts by status filter. As in a filter, `unregistered` includes `invited`. `all` counts all statuses except
     * `deleted`.
     */
    counts: z.record(z.enum(['all', ...accountStatus.options]), z.number().int()),
    /** Status filters whose count is capped at 1,000. The actual number may be higher. */
    more: z.array(z.enum(['all', ...accountStatus.options, 'codesExpiring'])),
    /**
     * Number of members with a valid activation code that expires within 6 h. If more than 1,000 members are found,
     * only 1,000 codes are checked.
     */
    codesExpiring: z.number().int(),
  }),
});

export const listReportees = endpoint({
  method: 'GET',
  path: '/user/reportee',
  area: 'People',
  summary: 'List your direct reports, oldest first, at most 1 000',
  access: { who: 'permission', permission: 'GET_ALL_REPORTEES' },
  query: z.object({
    /** Accepted because the spec names this field, but ignored because the spec doesn't define its values. */
    userType: optionalText(40).optional(),
  }),
  reply: z.object({ reportee: z.array(member) }),
});

/**
 * Deletes a member. Refused with INVALID_PERMISSIONS for the signed-in member, the last Super Admin, and members with
 * a permission that the signed-in member lacks.
 */
export const deleteUser = endpoint({
  method: 'POST',
  path: '/user/delete',
  area: 'People',
  summary: 'Delete a member; their devices and sessions end immediately',
  access: { who: 'member', others: ['REMOVE_USER'] },
  unversioned: 'deletes',
  body: z.object({ suid: id, org: orgCode }),
  reply: z.object({}),
  events: ['member.deleted'],
});

export const manageUser = endpoint({
  method: 'POST',
  path: '/user/manage',
  area: 'People',
  summary: 'Disable a member, or re-enable them',
  access: { who: 'member', others: ['PAUSE_USER'] },
  unversioned: 'acts',
  body: z.object({ suid: id, action: z.enum(['pause', 'unpause']) }),
  reply: z.object({ accountStatus }),
  refuses: ['USER_NOT_REGISTERED_FOR_ORG'],
  events: ['member.paused', 'member.unpaused'],
});

/** The member editor's form, which is also the request body. */
export const editUserForm = z.object({
  firstName: personName('First Name is required'),
  lastName: personName('Last Name is required'),
  primaryEmail: z
    .string('Email is required')
    .trim()
    .min(1, 'Email is required')
    .max(254, 'At most 254 characters')
    .pipe(email),
  /** Code of the new role. Members can change other members' roles, but not their own. */
  roles: text(64).optional(),
});
export type EditUserForm = z.output<typeof editUserForm>;

/**
 * Edits a member. The signed-in member's own email changes only after the code sent to the new address has been
 * confirmed (decision 140); until then, the new address is in `pendingEmail`. Another member's email changes
 * immediately, and is then unverified.
 */
export const updateUser = endpoint({
  method: 'POST',
  path: '/user/update',
  area: 'People',
  summary: "Edit your own name and email, or another member's name, email and role",
  access: { who: 'member', own: true, others: ['UPDATE_USER'] },
  versioned: 'member',
  current: editUserForm.required().extend({ roleName: z.string() }),
  body: editUserForm.extend({ primaryAttr: text(254) }),
  reply: z.object({ profile: member, pendingEmail: pendingEmail.nullable() }),
  refuses: ['EMAIL_EXISTS', 'INVALID_DOMAIN', 'ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATION_INCOMPLETE'],
  events: ['member.updated', 'email.change-requested'],
});

/** The form for a member's details. The request body also contains the member's `suid`. Omitted fields are left unchanged. */
export const editDetailsForm = z.object({
  /** The organisation's own identifier for the member, e.g. an employee number. Unique within the organisation. */
  newPrimaryAttr: displayText(LIMITS.primaryAttrMaxLength, 'This field is required').overwrite(composed).optional(),
  /** Mobile number in international format, e.g. `+46701234567`, or empty. */
  mobileNumber: optionalText(40).optional(),
  /** `suid` of the member's manager, who is then marked as a manager. null for no manager. */
  managerSuid: id.nullable().optional(),
  hasPermissionForMobileApp: z.boolean().optional(),
  hasPermissionForWindowsApp: z.boolean().optional(),
});
export type EditDetailsForm = z.output<typeof editDetailsForm>;

/**
 * Changes a member's details. Each refusal names its field in `issues`. INVALID_REQUEST if the directory manages the
 * field.
 */
export const editDetails = endpoint({
  method: 'POST',
  path: '/user/details',
  area: 'People',
  summary: "Change a member's primary attribute, mobile number, manager and permitted apps",
  access: { who: 'member', own: ['UPDATE_USER'], others: ['UPDATE_USER'] },
  unversioned: 'acts',
  body: editDetailsForm
    .extend({ suid: id })
    .refine(({ suid: _suid, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
      path: ['suid'],
      message: 'Provide at least one field to change',
    }),
  reply: z.object({ profile: member }),
  refuses: [
    'USER_EXISTS',
    'ID_DOESNOT_EXIST',
    'INVALID_MOBILE_NUMBER',
    'PHONE_ALREADY_EXISTS',
    'AUTHENTICATION_INCOMPLETE',
  ],
  events: ['member.updated'],
});

export const sendEmailCode = endpoint({
  method: 'POST',
  path: '/user/email/code',
  area: 'People',
  unversioned: 'acts',
  summary: 'Send another code to your new address, or a code to your current address to verify it',
  access: { who: 'signed-in' },
  body: z.object({}),
  reply: z.object({ pendingEmail }),
  /**
   * INVALID_EMAIL_VERIFICATION: no change is pending, and the current email is already verified.
   * ORG_EMAIL_LIMIT_REACHED: too many codes were sent.
   */
  refuses: ['INVALID_EMAIL_VERIFICATION', 'ORG_EMAIL_LIMIT_REACHED'],
  events: ['email.code-sent'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/user/email/verify',
  area: 'People',
  unversioned: 'acts',
  summary: 'Verify your new or current address with the code that was sent to it',
  access: { who: 'signed-in' },
  body: z.object({ otp: secret(text(20)) }),
  reply: z.object({ profile: member }),
  news: ['EMAIL_VERIFIED'],
  refuses: [
    'INVALID_OTP',
    'OTP_MISMATCH',
    'OTP_EXPIRED',
    'INVALID_EMAIL_VERIFICATION',
    'EMAIL_EXISTS',
    'INVALID_DOMAIN',
  ],
  events: ['email.changed', 'email.verified'],
});

export const cancelEmailChange = endpoint({
  method: 'POST',
  path: '/user/email/cancel',
  area: 'People',
  unversioned: 'acts',
  summary: 'Cancel a pending email change',
  access: { who: 'member', own: true, others: ['UPDATE_USER'] },
  body: z.object({ suid: id.optional() }),
  reply: z.object({}),
  refuses: ['INVALID_EMAIL_VERIFICATION'],
  events: ['email.change-cancelled'],
});

/** Dashboard data for members who can search. */
export const getSummary = endpoint({
  method: 'GET',
  path: '/org/summary',
  area: 'People',
  summary: "Get the dashboard's figures: members by status, sign-ins of the last 14 days, and what needs attention",
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    /** Start of the user's day, from which today's sign-ins are counted. Default: midnight UTC. At most 25 h ago. */
    since: z.iso.datetime().optional(),
    timeZone,
  }),
  reply: z.object({
    members: z.object({
      /** Number of members, excluding deleted members. */
      total: z.number().int(),
      active: z.number().int(),
      inactive: z.number().int(),
      /** Number of members that the `unregistered` filter matches, including invited members. */
      unregistered: z.number().int(),
      /** Number of members who signed up, but haven't verified their email address. */
      unverified: z.number().int(),
    }),
    /** Sign-ins of the last 14 days, by day in `timeZone`, oldest first. */
    days: z.array(signInDay),
    /** The latest sign-ins, newest first. null without the permission SESSION_MANAGEMENT. */
    latest: z.array(signInRecord).nullable(),
    /** Number of sign-ins that members reported as not theirs in the last 7 days, after they had approved them. */
    disowned: z.number().int(),
    /** Number of successful sign-ins since `since`. */
    signIns: z.number().int(),
    /** Number of successful sign-ins in the same period one day earlier. */
    signInsBefore: z.number().int(),
    failed: z.number().int(),
    /** Number of sign-ins that the user denied. */
    denied: z.number().int(),
    /** Number of members with a valid activation code that expires within 6 h. */
    codesExpiring: z.number().int(),
    /** Setup steps for a new organisation. Each is true once done. */
    firstSteps: z.object({
      /** True if there is a member other than the first administrator. */
      people: z.boolean(),
      /** True if the caller has a second device, with which they can still sign in after losing one. */
      secondDevice: z.boolean(),
      /** True if there is an application other than the portal. */
      application: z.boolean(),
      /** True if the sign-in page has a custom logo, colour or copy. */
      branding: z.boolean(),
    }),
  }),
});
