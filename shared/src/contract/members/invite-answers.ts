import { z } from 'zod';
import { portalText } from '../../fields.ts';

/**
 * Outcomes of inviting people. Each person is counted once. The lists contain comma-separated emails, the first
 * `INVITE_LIST_MAX` of each outcome.
 */
export const inviteReply = z.object({
  /** Addresses that don't match any member, and entries that aren't addresses. */
  emailsNotExist: z.string(),
  desktopAppNotEnabled: z.string(),
  mobileAppNotEnabled: z.string(),
  emailsNotExistCount: z.number().int(),
  desktopAppNotEnabledCount: z.number().int(),
  mobileAppNotEnabledCount: z.number().int(),
  /** Number of invited people. */
  invited: z.number().int(),
  /**
   * Number of people who needed no invitation, because they are already active or have an invitation that they can
   * still use.
   */
  unchanged: z.number().int(),
  /** Number of rows that repeat a person from an earlier row in the same list or file. */
  duplicates: z.number().int(),
  /**
   * People who could not be invited for another reason, e.g. a disabled account: the first `REJECTED_LIST_MAX`.
   * `line` is the line in the file, or the position in `orgEmails`, starting at 1.
   */
  rejected: z.array(z.object({ line: z.number().int(), value: z.string(), reason: portalText(z.string()) })),
  rejectedCount: z.number().int(),
});

/** Expected outcome of inviting an address. */
export const inviteeCheck = z.object({
  /** Email in lower case. Returned unchanged if it isn't a valid address. */
  email: z.string(),
  /**
   * `member` gets a new link. `new` becomes a member with `addNew`, and otherwise isn't found. `registered` needs
   * nothing, because the member has a device of this type or, in a file, an invitation that still works. `duplicate`
   * repeats an earlier row that is invited. `refused` cannot be invited.
   */
  outcome: z.enum(['member', 'new', 'registered', 'duplicate', 'refused']),
  /** A sentence that explains `registered`, `refused` and, in a file, `duplicate`. */
  reason: portalText(z.string()).optional(),
});
export type InviteeCheck = z.output<typeof inviteeCheck>;
