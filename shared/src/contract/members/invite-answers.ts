import { z } from 'zod';
import { portalText } from '../../fields.ts';

/**
 * Outcomes of inviting people; each person is counted once. The lists contain comma-separated emails, the first
 * `INVITE_LIST_MAX` of each.
 */
export const inviteReply = z.object({
  /** Addresses that no member has, and texts that aren't addresses. */
  emailsNotExist: z.string(),
  desktopAppNotEnabled: z.string(),
  mobileAppNotEnabled: z.string(),
  emailsNotExistCount: z.number().int(),
  desktopAppNotEnabledCount: z.number().int(),
  mobileAppNotEnabledCount: z.number().int(),
  /** Number of invited people. */
  invited: z.number().int(),
  /** Number of people who needed no invitation: already active, or invited and still able to use it. */
  unchanged: z.number().int(),
  /** Number of rows that repeat a person invited by an earlier row of the same list or file. */
  duplicates: z.number().int(),
  /**
   * People who could not be invited for another reason, e.g. a disabled account: the first `REJECTED_LIST_MAX`. `line`
   * is the line of the file, or the position in `orgEmails`, from 1.
   */
  rejected: z.array(z.object({ line: z.number().int(), value: z.string(), reason: portalText(z.string()) })),
  rejectedCount: z.number().int(),
});

/** The outcome of inviting an address. */
export const inviteeCheck = z.object({
  /** In lower case; unchanged if it is not an address. */
  email: z.string(),
  /**
   * `member` gets a new link; `new` becomes a member with `addNew`, and is otherwise not found; `registered` has a
   * device of this type, or in a file an invitation that still works, and needs nothing; `duplicate` repeats an earlier
   * row that is invited; `refused` cannot be invited.
   */
  outcome: z.enum(['member', 'new', 'registered', 'duplicate', 'refused']),
  /** A sentence that explains `registered`, `refused` and, in a file, `duplicate`. */
  reason: portalText(z.string()).optional(),
});
export type InviteeCheck = z.output<typeof inviteeCheck>;
