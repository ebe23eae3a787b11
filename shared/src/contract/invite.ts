import { z } from 'zod';
import { composed } from '../composed.ts';
import { endpoint } from '../endpoint.ts';
import { displayText, id, optionalText, queryNumber, text, time } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { appType } from './activation.ts';
import { accountStatus, member } from './models.ts';
import { editUserForm } from './people.ts';

/**
 * What became of the invited people; each is counted once. The lists are comma-separated e-mails, the first
 * `INVITE_LIST_MAX` of each.
 */
const inviteReply = z.object({
  /** Addresses that nobody in the organisation has, and texts that aren't addresses. */
  emailsNotExist: z.string(),
  desktopAppNotEnabled: z.string(),
  mobileAppNotEnabled: z.string(),
  emailsNotExistCount: z.number().int(),
  desktopAppNotEnabledCount: z.number().int(),
  mobileAppNotEnabledCount: z.number().int(),
  /** How many were invited. */
  invited: z.number().int(),
  /** How many needed no invitation: already active, or invited and still able to use it. */
  unchanged: z.number().int(),
  /** How many repeat somebody who was invited by an earlier row of the same list or file. */
  duplicates: z.number().int(),
  /**
   * People who could not be invited for another reason, e.g. a disabled account: the first `REJECTED_LIST_MAX`. `line`
   * is the line of the file, or the position in `orgEmails`, from 1.
   */
  rejected: z.array(z.object({ line: z.number().int(), value: z.string(), reason: z.string() })),
  rejectedCount: z.number().int(),
});

/** Maximum number of e-mails in one call of user/invite; longer lists go by CSV file. */
export const INVITE_EMAILS_MAX = 1_000;

/** Maximum number of e-mails in each list of an answer; the counts say how many there were. */
export const INVITE_LIST_MAX = 20_000;
export const REJECTED_LIST_MAX = 1_000;

export const inviteUsers = endpoint({
  method: 'POST',
  path: '/user/invite',
  unversioned: 'creates',
  area: 'People',
  summary: 'Invite users by email address',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: z.object({
    /** A malformed address is answered like one that nobody has. */
    orgEmails: z.array(z.string().trim().max(1_000, 'At most 1000 characters')).max(50_000),
    type: appType,
    sendEmail: z.boolean().default(false),
    /** Whether addresses that nobody has become new members, with a name made of the address until they say theirs. */
    addNew: z.boolean().default(false),
  }),
  reply: inviteReply.extend({
    /** New members, among those who were invited. */
    created: z.number().int(),
  }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATOR_DISALLOWED'],
  events: ['member.invited'],
});

/** What would become of an address. */
const inviteeCheck = z.object({
  /** In lower case; as it was sent where it is not an address. */
  email: z.string(),
  /**
   * `member` is sent a new link; `new` becomes a member with `addNew`, and is not found without; `registered` has a device
   * of this type and needs nothing; `duplicate` was named before by a row that is invited; `refused` cannot be invited.
   */
  outcome: z.enum(['member', 'new', 'registered', 'duplicate', 'refused']),
  /** A sentence, where it is refused, or a duplicate in a file. */
  reason: z.string().optional(),
});
export type InviteeCheck = z.output<typeof inviteeCheck>;

export const checkInvitees = endpoint({
  method: 'POST',
  path: '/user/invite/check',
  unversioned: 'reads',
  area: 'People',
  summary: 'What would become of each address if it was invited; nothing is written',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: inviteUsers.body.pick({ orgEmails: true, type: true }),
  reply: z.object({ people: z.array(inviteeCheck) }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATOR_DISALLOWED'],
  // Writes nothing.
  events: [],
});

/** What a column of the file may hold. */
export const CSV_FIELDS = ['email', 'firstName', 'lastName', 'primaryAttr'] as const;
export type CsvField = (typeof CSV_FIELDS)[number];

const COLUMN_NAMED_TWICE = 'Each field has one column';

/** What each column holds, in their order, e.g. `lastName,,email`: empty for a column that is left out. */
const csvColumns = text(2_000)
  .transform((named) => named.split(',').map((name) => name.trim()))
  .pipe(
    z
      .array(z.enum(['', ...CSV_FIELDS], `Name ${CSV_FIELDS.join(', ')}, or nothing`))
      .refine(
        (named) => CSV_FIELDS.every((field) => named.filter((name) => name === field).length < 2),
        COLUMN_NAMED_TWICE,
      ),
  );

/** What the columns hold; where it is not said, they are recognised by their names. */
const csvQuery = z.object({ columns: csvColumns.optional() });

/** If these come before `file`, the rows are read as they arrive; otherwise only once the file is complete. */
export const bulkInviteFields = z.object({
  type: appType,
  sendEmail: z.enum(['true', 'false']).default('false'),
  /** Chosen by the client, to follow the upload on its channel. */
  uploadId: text(64).optional(),
});

export const bulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite',
  unversioned: 'creates',
  area: 'People',
  summary: 'Invite users by CSV file, at most 50 MB, multipart: type, sendEmail, uploadId, file',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  multipart: bulkInviteFields,
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: inviteReply.extend({
    /** Data rows read. */
    rows: z.number().int(),
    /** Members who were unknown and have been created from their row. */
    created: z.number().int(),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  events: ['members.upload-began', 'members.invited'],
});

/** Maximum number of rows that a check judges; the rows after them are read only when the file is uploaded. */
export const CHECKED_ROWS_MAX = 100_000;
/** Maximum number of people of each outcome in the answer of a check; the counts are of all. */
export const CHECKED_PEOPLE_MAX = 1_000;
/** Maximum number of columns in the answer of a check. */
export const CHECKED_COLUMNS_MAX = 100;

const checkedRow = inviteeCheck.extend({
  /** Line of the file, from 1. */
  line: z.number().int(),
  /** As in the row; empty where it has none. */
  name: z.string(),
});
export type CheckedRow = z.output<typeof checkedRow>;

const csvColumn = z.object({
  /** Its cell in the header; empty where the file has none. */
  header: z.string(),
  /** Its first cell below that. */
  sample: z.string(),
  /** What it holds; null where it is left out. */
  field: z.enum(CSV_FIELDS).nullable(),
});
export type CsvColumn = z.output<typeof csvColumn>;

/** `utf-16` where the file begins with its byte order mark; `windows-1252` where it is not UTF-8. */
const csvEncoding = z.enum(['utf-8', 'utf-16', 'windows-1252']);
export type CsvEncoding = z.output<typeof csvEncoding>;

export const checkBulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite/check',
  unversioned: 'reads',
  area: 'People',
  summary: 'What would become of each row of a CSV file if it was uploaded; nothing is written',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  multipart: bulkInviteFields.omit({ uploadId: true }),
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: z.object({
    /** At most `CHECKED_COLUMNS_MAX`. */
    columns: z.array(csvColumn),
    /** In which it was read. */
    encoding: csvEncoding,
    /** Data rows judged: at most `CHECKED_ROWS_MAX`. */
    rows: z.number().int(),
    /** Whether the whole file was judged. */
    isWhole: z.boolean(),
    counts: z.record(inviteeCheck.shape.outcome, z.number().int()),
    /** In the order of the file: the first `CHECKED_PEOPLE_MAX` of each outcome. */
    people: z.array(checkedRow),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  // Writes nothing.
  events: [],
});

/** The form that adds one person, and the body of its call. */
export const addUserForm = editUserForm.extend({
  /** The organisation's own name for people, e.g. an employee number: unique among its members. */
  primaryAttr: displayText(LIMITS.primaryAttrMaxLength, 'This field is required').overwrite(composed),
  /** International form, e.g. `+46701234567`; empty for none. */
  mobileNumber: optionalText(40).default(''),
  /** Who the person reports to, and who thereby becomes a manager. */
  managerSuid: id.optional(),
  hasPermissionForMobileApp: z.boolean().default(true),
  hasPermissionForWindowsApp: z.boolean().default(true),
  /** The app for which the person is mailed an invitation at once; absent: none is sent. */
  invite: appType.optional(),
});
export type AddUserForm = z.output<typeof addUserForm>;

/**
 * `roles` other than USER needs UPDATE_USER as well, and nobody grants more than they have: INVALID_PERMISSIONS. Each
 * refusal names its field in `issues`: USER_EXISTS is the primary attribute of another member, ID_DOESNOT_EXIST a role
 * or a manager that there is not.
 */
export const addUser = endpoint({
  method: 'POST',
  path: '/user/add',
  unversioned: 'creates',
  area: 'People',
  summary: 'Add one person, and invite them when asked to',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: addUserForm,
  reply: z.object({ profile: member }),
  refuses: [
    'EMAIL_EXISTS',
    'USER_EXISTS',
    'ID_DOESNOT_EXIST',
    'INVALID_DOMAIN',
    'INVALID_MOBILE_NUMBER',
    'PHONE_ALREADY_EXISTS',
    'MOBILE_APP_NOT_ENABLED',
    'DESKTOP_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
  ],
  events: ['member.created', 'member.invited'],
});

/** How an invitation stands. */
export const INVITATION_STATES = ['waiting', 'early', 'opened', 'expired', 'moved'] as const;

/** A mailed invitation whose person has not registered a device for its app yet; one per person and app. */
const openInvitation = z.object({
  suid: z.string(),
  primaryAttr: z.string(),
  accountStatus,
  name: z.string(),
  /** The address that it was mailed to. */
  email: z.string(),
  type: appType,
  invitedAt: z.string(),
  /** Absent where it was nobody who is a member. */
  invitedBy: z.object({ suid: z.string(), name: z.string() }).optional(),
  /** When its link begins to work. */
  validFrom: z.string(),
  /** When its link ends; once it has been opened, when the code that it led to does. */
  expiresAt: z.string(),
  /** When the link was opened, and a code mailed; null where it was not. */
  openedAt: z.string().nullable(),
  /**
   * `early` before `validFrom`; `moved` where the person has another address now, so that the link leads nowhere;
   * otherwise `expired`, `opened` or `waiting` for the person.
   */
  state: z.enum(INVITATION_STATES),
  /** Whether the caller may withdraw it: not one to somebody who has permissions that they lack. */
  canWithdraw: z.boolean(),
});
export type OpenInvitation = z.output<typeof openInvitation>;

/** Open invitations are counted up to this. */
export const INVITATION_COUNT_MAX = 10_000;

/** Where the next page begins: the last invitation of this one. */
export const invitationKey = z.object({ expiresAt: time, suid: id, type: appType });

export const listInvitations = endpoint({
  method: 'GET',
  path: '/user/invitations',
  area: 'People',
  summary: 'The open invitations, the one that expires last first, keyset paged',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: z.object({
    state: z.enum(['valid', 'expired']).optional(),
    type: appType.optional(),
    /** Part of the name or the present address; case does not count. */
    q: z.string().trim().overwrite(composed).max(254, 'At most 254 characters').optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({
    Items: z.array(openInvitation),
    /**
     * Where the next page begins. One call looks at a limited number of invitations, so with rare filters a page may be
     * short, or empty, and still have a next one.
     */
    LastEvaluatedKey: invitationKey.nullable(),
    /** Of all, whatever the filters: at most `INVITATION_COUNT_MAX` each. */
    counts: z.object({ valid: z.number().int(), expired: z.number().int() }),
  }),
});

const invitationBody = z.object({ suid: id, type: appType });

/** ID_DOESNOT_EXIST where the person has no open invitation to this app. */
export const resendInvitation = endpoint({
  method: 'POST',
  path: '/user/invitations/resend',
  unversioned: 'acts',
  area: 'People',
  summary: 'Mail a new link and issue a new code, in place of the present ones',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: invitationBody,
  reply: z.object({ expiresAt: z.string() }),
  refuses: [
    'ID_DOESNOT_EXIST',
    'USER_INACTIVE',
    'MOBILE_UNVERIFIED',
    'MOBILE_APP_NOT_ENABLED',
    'DESKTOP_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
  ],
  events: ['member.invited'],
});

/** The link and the code stop working; the person stays a member who has not registered. */
export const withdrawInvitation = endpoint({
  method: 'POST',
  path: '/user/invitations/withdraw',
  unversioned: 'acts',
  area: 'People',
  summary: 'End an invitation: its link and code stop working',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: invitationBody,
  reply: z.object({}),
  refuses: ['ID_DOESNOT_EXIST'],
  events: ['member.invitation-withdrawn'],
});
