import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import { appType } from './activation.ts';

/** Who was not invited, and why; each a comma-separated list of e-mails. */
const inviteReply = z.object({
  emailsNotExist: z.string(),
  desktopAppNotEnabled: z.string(),
  mobileAppNotEnabled: z.string(),
  /** How many were invited. */
  invited: z.number().int(),
});

/** At most so many e-mails in one call of user/invite; more go by CSV file. */
export const INVITE_EMAILS_MAX = 1_000;

export const inviteUsers = endpoint({
  method: 'POST',
  path: '/user/invite',
  area: 'People',
  summary: 'Invite members by e-mail address',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: z.object({
    /** An address that is malformed is answered like one that nobody has. */
    orgEmails: z.array(text(254)).max(50_000),
    type: appType,
    sendEmail: z.boolean().default(false),
  }),
  reply: inviteReply,
  refuses: ['ORG_EMAIL_LIMIT_REACHED'],
});

/** Multipart: `type`, `sendEmail` and `uploadId` first, then `file`, so that the rows can be read as they arrive. */
export const bulkInviteFields = z.object({
  type: appType,
  sendEmail: z.enum(['true', 'false']).default('false'),
  /** Chosen by the client, to follow the upload on its channel. */
  uploadId: text(64).optional(),
});

export const bulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite',
  area: 'People',
  summary: 'Invite members by CSV file, at most 50 MB, multipart: type, sendEmail, uploadId, file',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  multipart: bulkInviteFields,
  reply: inviteReply.extend({
    /** Data rows read. */
    rows: z.number().int(),
    /** Members who were not known before and have been made from their row. */
    created: z.number().int(),
    /** Rows that could not be read, with the number of their line; the first thousand. */
    rejected: z.array(z.object({ line: z.number().int(), value: z.string(), reason: z.string() })),
    rejectedCount: z.number().int(),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR'],
});
