import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, queryNumber, text, time } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus } from '../models.ts';
import { appType } from './activation.ts';

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
  /** When its link ends. */
  expiresAt: z.string(),
  /** When opening the link last mailed a code; null where it was not opened. */
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

/** The link and the code stop working; without another open invitation the person is `unregistered` again. */
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
