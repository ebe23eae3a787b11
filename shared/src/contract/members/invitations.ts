import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, queryNumber, text, time } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { accountStatus } from '../models.ts';
import { appType } from './activation.ts';

/** States of an invitation. */
export const INVITATION_STATES = ['waiting', 'early', 'opened', 'expired', 'moved'] as const;

/** An emailed invitation whose member has not registered a device for its app yet; one per member and app. */
const openInvitation = z.object({
  suid: z.string(),
  primaryAttr: z.string(),
  accountStatus,
  name: z.string(),
  /** The address that it was emailed to. */
  email: z.string(),
  type: appType,
  invitedAt: z.string(),
  /** Absent if the inviter is not a member. */
  invitedBy: z.object({ suid: z.string(), name: z.string() }).optional(),
  /** Start of its link's validity. */
  validFrom: z.string(),
  /** End of its link's validity. */
  expiresAt: z.string(),
  /** Time at which opening the link last emailed a code; null if it was never opened. */
  openedAt: z.string().nullable(),
  /**
   * `early` before `validFrom`; `moved` if the member has another email now, so that the link no longer works;
   * otherwise `expired`, `opened` or `waiting`.
   */
  state: z.enum(INVITATION_STATES),
  /** True if the caller can withdraw it: not if the member has permissions that the caller lacks. */
  canWithdraw: z.boolean(),
});
export type OpenInvitation = z.output<typeof openInvitation>;

/** Open invitations are counted up to this number. */
export const INVITATION_COUNT_MAX = 10_000;

/** Cursor of the next page: the last invitation of this one. */
export const invitationKey = z.object({ expiresAt: time, suid: id, type: appType });

export const listInvitations = endpoint({
  method: 'GET',
  path: '/user/invitations',
  area: 'People',
  summary: 'List the open invitations, latest expiry first, keyset paged',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: z.object({
    state: z.enum(['valid', 'expired']).optional(),
    type: appType.optional(),
    /** Part of the name or the present email, ignoring case. */
    q: z.string().trim().overwrite(composed).max(254, 'At most 254 characters').optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous response's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({
    Items: z.array(openInvitation),
    /**
     * Cursor of the next page. One call looks at a limited number of invitations, so with rare filters a page can be
     * short or empty and still have a next one.
     */
    LastEvaluatedKey: invitationKey.nullable(),
    /** Counts of all invitations, whatever the filters: at most `INVITATION_COUNT_MAX` each. */
    counts: z.object({ valid: z.number().int(), expired: z.number().int() }),
  }),
});

const invitationBody = z.object({ suid: id, type: appType });

/** ID_DOESNOT_EXIST if the member has no open invitation to this app. */
export const resendInvitation = endpoint({
  method: 'POST',
  path: '/user/invitations/resend',
  unversioned: 'acts',
  area: 'People',
  summary: 'Email a new link and issue a new code, which replace the present ones',
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

/** The link and the code stop working; without another open invitation, the member is `unregistered` again. */
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
