import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { appType } from './activation.ts';

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
  /** How many needed no invitation: already active, invited and still able to use it, or named before. */
  unchanged: z.number().int(),
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
  summary: 'Invite members by e-mail address',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: z.object({
    /** A malformed address is answered like one that nobody has. */
    orgEmails: z.array(z.string().trim().max(1_000, 'At most 1000 characters')).max(50_000),
    type: appType,
    sendEmail: z.boolean().default(false),
  }),
  reply: inviteReply,
  refuses: ['ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATOR_DISALLOWED'],
  events: ['member.invited'],
});

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
  summary: 'Invite members by CSV file, at most 50 MB, multipart: type, sendEmail, uploadId, file',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  multipart: bulkInviteFields,
  file: { maxBytes: LIMITS.csvUploadBytes },
  reply: inviteReply.extend({
    /** Data rows read. */
    rows: z.number().int(),
    /** Members who were unknown and have been created from their row. */
    created: z.number().int(),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  events: ['members.upload-began', 'members.invited'],
});
