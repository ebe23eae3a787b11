import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, email, id, optionalText, orgCode, personName, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus, device, loginRecord, member } from '../models.ts';
import { groupName } from './groups.ts';

/** Identifies a member; the caller where both are absent. */
const memberQuery = z.object({ primaryAttr: text(254).optional(), suid: id.optional() });

/** A member's new address that is waiting for the code sent there. */
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
  summary: 'A member with the registered devices',
  versioned: 'member',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery,
  reply: z.object({
    profile: member,
    devices: z.array(device),
    /** Null where no change of the address is waiting; the member's own address where that is being verified. */
    pendingEmail: pendingEmail.nullable(),
    /** Those that the member is in beside the role, in the order of their names. */
    groups: z.array(groupName),
    /** What `user/details` changes; null for readers without UPDATE_USER. */
    details: z
      .object({
        /** E.164; empty for none. */
        mobileNumber: z.string(),
        managerSuid: z.string().nullable(),
        /** Whether a directory decides about these and the primary attribute: they cannot be changed here. */
        isProvisioned: z.boolean(),
      })
      .nullable(),
  }),
});

/** Where the next page begins: the last row of this one. */
const loginHistoryKey = z.object({ timestamp: z.string(), id: z.string() });

export const getLoginHistory = endpoint({
  method: 'GET',
  path: '/user/loginhistory',
  area: 'People',
  summary: 'Sign-ins of a member, newest first, keyset paged',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery.extend({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({ records: z.array(loginRecord), LastEvaluatedKey: loginHistoryKey.nullable() }),
  refuses: ['AUTH_HISTORY_MISSING'],
});

/** Where the next page of a search begins: the last row of this one. */
const searchKey = z.object({
  primaryAttr: z.string(),
  id: z.string(),
  /** Of a search in any field: which part of the results goes on. */
  part: z.number().int().optional(),
  /** Of people with codes that expire soon: when the last one's code does, in milliseconds. */
  at: z.number().int().optional(),
});

/** The text of a search for members: of one or two characters, the beginnings of names (or of the field's values) match. */
const searchText = z
  .string()
  .trim()
  .overwrite(composed)
  .max(254, 'At most 254 characters')
  .min(1, 'A text or a status is required');

/** `newest` and `oldest` are by when they were entered; names and addresses are in alphabetical order. */
export const searchSort = z.enum(['lastName', 'firstName', 'primaryEmail', 'newest', 'oldest']);
export type SearchSort = z.output<typeof searchSort>;

export const searchUsers = endpoint({
  method: 'GET',
  path: '/user/search',
  area: 'People',
  summary:
    'Members who have the text in a field or in any, whatever its case, or all of a status; deleted ones only where their status is asked for; keyset paged in one stable order',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    /** Absent: everybody of the status or with such a code, one of which must then be given. */
    q: searchText.optional(),
    /**
     * `firstName`, `lastName`, `primaryEmail`, or the organisation's `primaryAttrField`; `any` for all of them, best
     * matches first. Such a page may be short, or empty, and still have a next one.
     */
    field: text(40).default('firstName'),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
    /** Absent: in every status but `deleted`. `unregistered` includes invited members. */
    status: accountStatus.optional(),
    /**
     * `expiring`: those with a valid activation code that expires within 6 h, soonest first. It goes with `q`, but not
     * with `status` and `sort`. With `q` a page may be short, or empty, and still have a next one.
     */
    codes: z.enum(['expiring']).optional(),
    /** The order of the answer where at most 1 000 members are found. Absent: as they are found. */
    sort: searchSort.optional(),
  }),
  reply: z.object({ Items: z.array(member), LastEvaluatedKey: searchKey.nullable() }),
});

export const countUsers = endpoint({
  method: 'GET',
  path: '/user/search/count',
  area: 'People',
  summary: 'How many members a search finds, by status; without a text, how many there are',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    q: searchText.optional(),
    /** As in the search. */
    field: text(40).default('firstName'),
  }),
  reply: z.object({
    /** By status filter, so `unregistered` includes `invited`; `all` are those in every status but `deleted`. */
    counts: z.record(z.enum(['all', ...accountStatus.options]), z.number().int()),
    /** The counts that ended at 1 000: there may be more. */
    more: z.array(z.enum(['all', ...accountStatus.options, 'codesExpiring'])),
    /**
     * Those with a valid activation code that expires within 6 h. Where more than 1 000 members are found, 1 000 codes
     * are looked at.
     */
    codesExpiring: z.number().int(),
  }),
});

export const listReportees = endpoint({
  method: 'GET',
  path: '/user/reportee',
  area: 'People',
  summary: "The caller's direct reports in the order in which they were entered, at most 1 000",
  access: { who: 'permission', permission: 'GET_ALL_REPORTEES' },
  query: z.object({
    /** Accepted because the spec names it, but ignored, because it does not say which. */
    userType: optionalText(40).optional(),
  }),
  reply: z.object({ reportee: z.array(member) }),
});

/** Never yourself, the last Super Admin, or somebody with a permission that you lack: INVALID_PERMISSIONS. */
export const deleteUser = endpoint({
  method: 'POST',
  path: '/user/delete',
  area: 'People',
  summary: 'Delete a member: devices and sessions end at once',
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
 * The caller's own address changes only once the code sent to the new one has been confirmed (decision 140); until then
 * `pendingEmail` is the waiting address. Another member's address changes immediately, and is then unverified.
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

/** The form of a member's details and, with the member, the body of its call. Fields that are absent stay as they are. */
export const editDetailsForm = z.object({
  /** The organisation's own name for the person, e.g. an employee number: unique among its members. */
  newPrimaryAttr: displayText(LIMITS.primaryAttrMaxLength, 'This field is required').overwrite(composed).optional(),
  /** International form, e.g. `+46701234567`; empty for none. */
  mobileNumber: optionalText(40).optional(),
  /** Who the person reports to, and who thereby becomes a manager; null for nobody. */
  managerSuid: id.nullable().optional(),
  hasPermissionForMobileApp: z.boolean().optional(),
  hasPermissionForWindowsApp: z.boolean().optional(),
});
export type EditDetailsForm = z.output<typeof editDetailsForm>;

/** Each refusal names its field in `issues`. Fields of a provisioned member are the directory's: INVALID_REQUEST. */
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
   * INVALID_EMAIL_VERIFICATION: no change is waiting, and the present address is verified. ORG_EMAIL_LIMIT_REACHED: too
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
  summary: 'Cancel a change of address that is waiting for its code',
  access: { who: 'member', own: true, others: ['UPDATE_USER'] },
  body: z.object({ suid: id.optional() }),
  reply: z.object({}),
  refuses: ['INVALID_EMAIL_VERIFICATION'],
  events: ['email.change-cancelled'],
});

/** What the dashboard shows to people who may search users. */
export const getSummary = endpoint({
  method: 'GET',
  path: '/org/summary',
  area: 'People',
  summary: 'Members by status, sign-ins of today and codes that expire soon',
  access: { who: 'permission', permission: 'SEARCH_USER' },
  query: z.object({
    /**
     * When the caller's day began, which decides what counts as today: midnight UTC unless given, and at most 25 h ago.
     */
    since: z.iso.datetime().optional(),
  }),
  reply: z.object({
    members: z.object({
      /** Everybody who has not been deleted. */
      total: z.number().int(),
      active: z.number().int(),
      inactive: z.number().int(),
      /** Members that the status filter of this name finds: invited ones too. */
      unregistered: z.number().int(),
    }),
    /** Successful ones, since `since`. */
    signIns: z.number().int(),
    /** Successful ones in the same span one day earlier. */
    signInsBefore: z.number().int(),
    failed: z.number().int(),
    /** The failed ones that their person refused. */
    denied: z.number().int(),
    /** Members with a valid activation code that expires within 6 h. */
    codesExpiring: z.number().int(),
    /** Which of the first things in a new organisation have been done. */
    firstSteps: z.object({
      /** Somebody beside the first administrator is a member. */
      people: z.boolean(),
      /** There is an application beside the portal. */
      application: z.boolean(),
      /** The sign-in page has a logo, a colour or words of its own. */
      branding: z.boolean(),
    }),
  }),
});
