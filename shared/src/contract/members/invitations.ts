import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, queryNumber, text, time } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus } from '../models.ts';
import { appType } from './activation.ts';

/** States of an invitation. */
export const INVITATION_STATES = ['waiting', 'early', 'opened', 'expired', 'moved'] as const;

/** An emailed invitation whose member has not yet registered a device for the app. One per member and app. */
const openInvitation = z.object({
  suid: z.string(),
  primaryAttr: z.string(),
  accountStatus,
  name: z.string(),
  /** The address that the invitation was emailed to. */
  email: z.string(),
  type: appType,
  invitedAt: z.string(),
  /** The inviting member. Absent if the invitation was not sent by a member. */
  invitedBy: z.object({ suid: z.string(), name: z.string() }).optional(),
  /** Time from which the invitation link is valid. */
  validFrom: z.string(),
  /** Time until which the invitation link is valid. */
  expiresAt: z.string(),
  /** Time at which opening the link last emailed a code. null if the link was never opened. */
  openedAt: z.string().nullable(),
  /**
   * `early` before `validFrom`; `moved` if the member's email has changed since, which invalidates the link;
   * otherwise `expired`, `opened` or `waiting`.
   */
  state: z.enum(INVITATION_STATES),
  /**
   * True if the signed-in member can withdraw the invitation. False if the invited member has permissions that the
   * signed-in member lacks.
   */
  canWithdraw: z.boolean(),
});
export type OpenInvitation = z.output<typeof openInvitation>;

/** Maximum count of open invitations. Counting stops at this number. */
export const INVITATION_COUNT_MAX = 10_000;

/** Cursor of the next page: the last invitation on this page. */
export const invitationKey = z.object({ expiresAt: time, suid: id, type: appType });

export const listInvitations = endpoint({
  method: 'GET',
  path: '/user/invitations',
  area: 'People',
  summary: 'List the open invitations, latest expiry first, with keyset pagination',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: z.object({
    state: z.enum(['valid', 'expired']).optional(),
    type: appType.optional(),
    /** Part of the member's name or current email, ignoring case. */
    q: z.string().trim().overwrite(composed).max(254, 'At most 254 characters').optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** `LastEvaluatedKey` from the previous response, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({
    Items: z.array(openInvitation),
    /**
     * Cursor of the next page. A call examines a limited number of invitations, so with rare filters a page can be
     * short or empty even though more pages follow.
     */
    LastEvaluatedKey: invitationKey.nullable(),
    /** Counts of all invitations regardless of filters, at most `INVITATION_COUNT_MAX` each. */
    counts: z.object({ valid: z.number().int(), expired: z.number().int() }),
  }),
});

const invitationBody = z.object({ suid: id, type: appType });

/** Renews an invitation. Returns ID_DOESNOT_EXIST if the member has no open invitation to this app. */
export const resendInvitation = endpoint({
  method: 'POST',
  path: '/user/invitations/resend',
  unversioned: 'acts',
  area: 'People',
  summary: 'Email a new link and issue a new code, which replace the current ones',
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

/**
 * Withdraws an invitation: the link and the code stop working. Without another open invitation, the member becomes
 * `unregistered` again.
 */
export const withdrawInvitation = endpoint({
  method: 'POST',
  path: '/user/invitations/withdraw',
  unversioned: 'acts',
  area: 'People',
  summary: 'Withdraw an invitation: its link and code stop working',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: invitationBody,
  reply: z.object({}),
  refuses: ['ID_DOESNOT_EXIST'],
  events: ['member.invitation-withdrawn'],
});
