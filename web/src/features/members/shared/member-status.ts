import { t } from '@lingui/core/macro';
import type { AccountStatus } from '@orchestrate/shared';
import type { Tone } from '#ui/feedback/status-badge.tsx';

const badges: Record<AccountStatus, { status: string; tone: Tone }> = {
  active: { status: t`Active`, tone: 'success' },
  inactive: { status: t`Inactive`, tone: 'neutral' },
  unregistered: { status: t`Unregistered`, tone: 'info' },
  deleted: { status: t`Deleted`, tone: 'neutral' },
  unverified: { status: t`Unverified`, tone: 'warning' },
  invited: { status: t`Invited`, tone: 'info' },
};

export const statusBadge = (status: AccountStatus) => badges[status];
export const statusLabel = (status: AccountStatus): string => badges[status].status;

/** Returns true for members who can no longer sign in. They are greyed out (spec 1 §4). */
export const isGreyedOut = (status: AccountStatus): boolean => status === 'inactive' || status === 'deleted';

/** Parses the `status` from a URL. Returns undefined if it is invalid. */
export function parseStatus(text: string | null): AccountStatus | undefined {
  const statuses = Object.keys(badges) as AccountStatus[];
  return statuses.find((status) => status === text?.toLowerCase());
}
