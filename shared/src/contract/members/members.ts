import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, email, id, optionalText, orgCode, personName, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus, device, loginRecord, member } from '../models.ts';
import { groupName } from './groups.ts';

/** Identifies a member; by default the caller. */
const memberQuery = z.object({ primaryAttr: text(254).optional(), suid: id.optional() });

/** A member's new email that waits for the code sent there. */
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
    /** Null if no email change is pending; the member's present email if that is being verified. */
    pendingEmail: pendingEmail.nullable(),
    /** The member's groups, which are separate from the role, by name. */
    groups: z.array(groupName),
    /** Fields that `user/details` changes; null for readers without UPDATE_USER. */
    details: z
      .object({
        /** E.164, or empty. */
        mobileNumber: z.string(),
        managerSuid: z.string().nullable(),
        /** True if a directory manages these and the primary attribute, so that they cannot be changed here. */
        isProvisioned: z.boolean(),
      })
      .nullable(),
  }),
});

/** Cursor of the next page: the last row of this one. */
const loginHistoryKey = z.object({ timestamp: z.string(), id: z.string() });

export const getLoginHistory = endpoint({
  method: 'GET',
  path: '/user/loginhistory',
  area: 'People',
  summary: 'List the sign-ins of a member, newest first, keyset paged',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery.extend({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous response's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({ records: z.array(loginRecord), LastEvaluatedKey: loginHistoryKey.nullable() }),
  refuses: ['AUTH_HISTORY_MISSING'],
});

/** Cursor of the next page of a search: the last row of this one. */
const searchKey = z.object({
  primaryAttr: z.string(),
  id: z.string(),
  /** For searches in any field: the step that the next page continues. */
  part: z.number().int().optional(),
  /** For members with codes that expire soon: the expiry of the last one's code, in milliseconds. */
  at: z.number().int().optional(),
});

/** The text of a member search. One or two characters match the start of names (or of the field's values). */
const searchText = z
  .string()
  .trim()
  .overwrite(composed)
  .max(254, 'At most 254 characters')
  .min(1, 'A text or a status is required');

/** `newest` and `oldest` sort by creation; names and addresses sort alphabetically. */
export const searchSort = z.enum(['lastName', 'firstName', 'primaryEmail', 'newest', 'oldest']);
export type SearchSort = z.output<typeof searchSort>;

export const searchUsers = endpoint({
  method: 'GET',
  path: '/user/search',
  area: 'People',
  summary:
    'Search members by a text in one field or in any, ignoring case, or by status; deleted ones only by their status; keyset paged in one stable order',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    /** By default all members with the status, or with such a code, one of which is then required. */
    q: searchText.optional(),
    /**
     * `firstName`, `lastName`, `primaryEmail`, or the organisation's `primaryAttrField`; `any` for all of them, best
     * matches first. A page of `any` can be short or empty and still have a next one.
     */
    field: text(40).default('firstName'),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous response's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
    /** By default all statuses except `deleted`. `unregistered` includes invited members. */
    status: accountStatus.optional(),
    /**
     * `expiring`: members with a valid activation code that expires within 6 h, soonest first. Can be combined with
     * `q`, but not with `status` and `sort`. With `q`, a page can be short or empty and still have a next one.
     */
    codes: z.enum(['expiring']).optional(),
    /** Sort order, applied if at most 1 000 members are found. By default in the order of the search. */
    sort: searchSort.optional(),
  }),
  reply: z.object({ Items: z.array(member), LastEvaluatedKey: searchKey.nullable() }),
});

export const countUsers = endpoint({
  method: 'GET',
  path: '/user/search/count',
  area: 'People',
  summary: 'Count the members that a search finds, by status; without a text, all members',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    q: searchText.optional(),
    /** As in the search. */
    field: text(40).default('firstName'),
  }),
  reply: z.object({
    /** By status filter, so `unregistered` includes `invited`; `all` counts all statuses except `deleted`. */
    counts: z.record(z.enum(['all', ...accountStatus.options]), z.number().int()),
    /** Names of counts that stopped at 1 000: there may be more. */
    more: z.array(z.enum(['all', ...accountStatus.options, 'codesExpiring'])),
    /**
     * Members with a valid activation code that expires within 6 h. If more than 1 000 members are found, only 1 000
     * codes are checked.
     */
    codesExpiring: z.number().int(),
  }),
});

export const listReportees = endpoint({
  method: 'GET',
  path: '/user/reportee',
  area: 'People',
  summary: "List the caller's direct reports in the order in which they were added, at most 1 000",
  access: { who: 'permission', permission: 'GET_ALL_REPORTEES' },
  query: z.object({
    /** Accepted because the spec names it, but ignored, because the spec doesn't define its values. */
    userType: optionalText(40).optional(),
  }),
  reply: z.object({ reportee: z.array(member) }),
});

/** Refused for yourself, the last Super Admin, and members with a permission that you lack: INVALID_PERMISSIONS. */
export const deleteUser = endpoint({
  method: 'POST',
  path: '/user/delete',
  area: 'People',
  summary: 'Delete a member: their devices and sessions end immediately',
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
  summary: 'Disable a member, or enable them again',
  access: { who: 'member', others: ['PAUSE_USER'] },
  unversioned: 'acts',
  body: z.object({ suid: id, action: z.enum(['pause', 'unpause']) }),
  reply: z.object({ accountStatus }),
  refuses: ['USER_NOT_REGISTERED_FOR_ORG'],
  events: ['member.paused', 'member.unpaused'],
});

/** The form of the member editor and the body of its call. */
export const editUserForm = z.object({
  firstName: personName('First Name is required'),
  lastName: personName('Last Name is required'),
  primaryEmail: z
    .string('Email is required')
    .trim()
    .min(1, 'Email is required')
    .max(254, 'At most 254 characters')
    .pipe(email),
  /** Code of the new role. You can change the role of others, but not your own. */
  roles: text(64).optional(),
});
export type EditUserForm = z.output<typeof editUserForm>;

/**
 * The caller's own email changes only once the code sent to the new one has been confirmed (decision 140); until then
 * it is in `pendingEmail`. Another member's email changes immediately, and is then unverified.
 */
export const updateUser = endpoint({
  method: 'POST',
  path: '/user/update',
  area: 'People',
  summary: 'Edit your own name and email, or those and the role of another member',
  access: { who: 'member', own: true, others: ['UPDATE_USER'] },
  versioned: 'member',
  current: editUserForm.required().extend({ roleName: z.string() }),
  body: editUserForm.extend({ primaryAttr: text(254) }),
  reply: z.object({ profile: member, pendingEmail: pendingEmail.nullable() }),
  refuses: ['EMAIL_EXISTS', 'INVALID_DOMAIN', 'ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATION_INCOMPLETE'],
  events: ['member.updated', 'email.change-requested'],
});

/** The form of a member's details and, with the member, the body of its call. Missing fields don't change. */
export const editDetailsForm = z.object({
  /** The organisation's own name for the member, e.g. an employee number: unique among its members. */
  newPrimaryAttr: displayText(LIMITS.primaryAttrMaxLength, 'This field is required').overwrite(composed).optional(),
  /** In international format, e.g. `+46701234567`, or empty. */
  mobileNumber: optionalText(40).optional(),
  /** `suid` of the member's manager, who is then marked as a manager; null for none. */
  managerSuid: id.nullable().optional(),
  hasPermissionForMobileApp: z.boolean().optional(),
  hasPermissionForWindowsApp: z.boolean().optional(),
});
export type EditDetailsForm = z.output<typeof editDetailsForm>;

/**
 * Each refusal names its field in `issues`. Fields of a provisioned member are managed by the directory:
 * INVALID_REQUEST.
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
  summary: 'Send a code to your new address again, or to the present one to verify it',
  access: { who: 'signed-in' },
  body: z.object({}),
  reply: z.object({ pendingEmail }),
  /**
   * INVALID_EMAIL_VERIFICATION: no change is pending, and the present email is verified. ORG_EMAIL_LIMIT_REACHED: too
   * many codes.
   */
  refuses: ['INVALID_EMAIL_VERIFICATION', 'ORG_EMAIL_LIMIT_REACHED'],
  events: ['email.code-sent'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/user/email/verify',
  area: 'People',
  unversioned: 'acts',
  summary: 'Verify your new or present address with the code that was sent there',
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
  summary: 'Cancel a pending change of email',
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
  summary: "Get members by status, today's sign-ins and codes that expire soon",
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    /** Start of the caller's day, from which today's sign-ins count: by default midnight UTC, and at most 25 h ago. */
    since: z.iso.datetime().optional(),
  }),
  reply: z.object({
    members: z.object({
      /** All members except deleted ones. */
      total: z.number().int(),
      active: z.number().int(),
      inactive: z.number().int(),
      /** Members that the status filter of this name finds, including invited ones. */
      unregistered: z.number().int(),
    }),
    /** Successful sign-ins since `since`. */
    signIns: z.number().int(),
    /** Successful sign-ins in the same period one day earlier. */
    signInsBefore: z.number().int(),
    failed: z.number().int(),
    /** Failed sign-ins that the user denied. */
    denied: z.number().int(),
    /** Members with a valid activation code that expires within 6 h. */
    codesExpiring: z.number().int(),
    /** First steps in a new organisation, and whether they are done. */
    firstSteps: z.object({
      /** There is a member other than the first administrator. */
      people: z.boolean(),
      /** There is an application other than the portal. */
      application: z.boolean(),
      /** The sign-in page has its own logo, colour or texts. */
      branding: z.boolean(),
    }),
  }),
});
