import { plural, t } from '@lingui/core/macro';
import { type bulkInvite, codeOf, csvText, type inviteUsers, type ReplyOf, resultOf } from '@orchestrate/shared';

export type InviteReply = ReplyOf<typeof inviteUsers> | ReplyOf<typeof bulkInvite>;

/** Person who couldn't be invited. */
export interface FailedUser {
  user: string;
  status: 'Rejected' | 'Failed';
  /** Translated reason. Empty if no member has the email address (spec 1 §8). */
  reason: string;
}

export interface InviteOutcome {
  invited: number;
  created: number;
  /** Number of people who didn't need an invitation. */
  unchanged: number;
  /** Number of entries that repeat an earlier entry. */
  duplicates: number;
  failed: number;
  notFound: number;
  /** Users listed as failed. The list can be shorter than `failed`. */
  failedUsers: FailedUser[];
}

const namesIn = (list: string): string[] => list.split(',').filter(Boolean);

export function outcomeOf(reply: InviteReply): InviteOutcome {
  const failedWith = (list: string, reason: string): FailedUser[] =>
    namesIn(list).map((user) => ({ user, status: 'Failed', reason }));
  const failedUsers: FailedUser[] = [
    ...namesIn(reply.emailsNotExist).map((user): FailedUser => ({ user, status: 'Rejected', reason: '' })),
    ...failedWith(reply.desktopAppNotEnabled, resultOf('DESKTOP_APP_NOT_ENABLED').sentence),
    ...failedWith(reply.mobileAppNotEnabled, resultOf('MOBILE_APP_NOT_ENABLED').sentence),
    ...reply.rejected.map(({ value, reason }): FailedUser => ({ user: value, status: 'Failed', reason })),
  ];
  return {
    invited: reply.invited,
    created: reply.created,
    unchanged: reply.unchanged,
    duplicates: reply.duplicates,
    notFound: reply.emailsNotExistCount,
    failed:
      reply.emailsNotExistCount +
      reply.desktopAppNotEnabledCount +
      reply.mobileAppNotEnabledCount +
      reply.rejectedCount,
    failedUsers,
  };
}

/** Returns text such as `1 user not found` or `3 users not found`. */
export const usersNotFoundText = (count: number): string =>
  plural(count, { one: '# user not found', other: '# users not found' });

export const failureLabel: Record<FailedUser['status'], string> = { Rejected: t`Rejected`, Failed: t`Failed` };

/** Returns the failed users as CSV with the columns #, User, Status, Reason (spec 1 §8). */
export const failedUsersCsv = (users: readonly FailedUser[]): string =>
  csvText([
    ['#', t`User`, t`Status`, t`Reason`],
    ...users.map(({ user, status, reason }, at) => [at + 1, user, failureLabel[status], reason]),
  ]);

/** Result codes whose message explains how to fix the file. Other result codes get a general message. */
const EXPLANATORY: ReadonlySet<number> = new Set(
  (['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'BAD_REQUEST', 'AUTHENTICATOR_DISALLOWED'] as const).map(codeOf),
);

export const isExplanatory = (resultCode: number): boolean => EXPLANATORY.has(resultCode);
