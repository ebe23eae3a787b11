import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { appType } from './activation.ts';
import { inviteeCheck, inviteReply } from './invite-answers.ts';

export type { InviteeCheck } from './invite-answers.ts';

/** Maximum number of emails per call to user/invite. Longer lists need a CSV file. */
export const INVITE_EMAILS_MAX = 1_000;

/** Maximum number of emails in each list of a response. The counts include all emails. */
export const INVITE_LIST_MAX = 20_000;
export const REJECTED_LIST_MAX = 1_000;

export const inviteUsers = endpoint({
  method: 'POST',
  path: '/user/invite',
  unversioned: 'creates',
  area: 'People',
  summary: 'Invite members by email address',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: z.object({
    /** Addresses to invite. A malformed address gets the same result as an address that doesn't match any member. */
    orgEmails: z.array(z.string().trim().max(1_000, 'At most 1000 characters')).max(50_000),
    type: appType,
    sendEmail: z.boolean().default(false),
    /**
     * True to create members for unknown addresses. Their name is derived from the address until they enter their
     * own.
     */
    addNew: z.boolean().default(false),
  }),
  reply: inviteReply.extend({
    /** Number of newly created members among the people invited. */
    created: z.number().int(),
  }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATOR_DISALLOWED'],
  events: ['member.invited'],
});

export const checkInvitees = endpoint({
  method: 'POST',
  path: '/user/invite/check',
  unversioned: 'reads',
  area: 'People',
  summary: 'Check the outcome for each address without writing anything',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  /** If `type` is omitted, its requirements are not checked: disabled apps, devices, codes. */
  body: inviteUsers.body.pick({ orgEmails: true, type: true }).partial({ type: true }),
  reply: z.object({ people: z.array(inviteeCheck) }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATOR_DISALLOWED'],
  // A check doesn't modify any data, so there is no audit event.
  events: [],
});
