import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { appType } from './activation.ts';
import { inviteeCheck, inviteReply } from './invite-answers.ts';

export type { InviteeCheck } from './invite-answers.ts';

/** Maximum number of emails in one call of user/invite; longer lists go by CSV file. */
export const INVITE_EMAILS_MAX = 1_000;

/** Maximum number of emails in each list of an answer; the counts say how many there were. */
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

export const checkInvitees = endpoint({
  method: 'POST',
  path: '/user/invite/check',
  unversioned: 'reads',
  area: 'People',
  summary: 'What would become of each address if it was invited; nothing is written',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  /** Without a `type`, nothing that depends on it is judged: apps that are switched off, devices, codes. */
  body: inviteUsers.body.pick({ orgEmails: true, type: true }).partial({ type: true }),
  reply: z.object({ people: z.array(inviteeCheck) }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED', 'AUTHENTICATOR_DISALLOWED'],
  // Writes nothing.
  events: [],
});
