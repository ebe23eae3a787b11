import { t } from '@lingui/core/macro';
import type { AccountStatus } from '@orchestrate/shared';

const labels: Record<AccountStatus, string> = {
  active: t`Active`,
  inactive: t`Inactive`,
  unregistered: t`Unregistered`,
  deleted: t`Deleted`,
  unverified: t`Unverified`,
  invited: t`Invited`,
};

export const statusLabel = (status: AccountStatus): string => labels[status];

/** Members who can no longer sign in are shown in grey (spec 1 §4). */
export const isGrey = (status: AccountStatus): boolean => status === 'inactive' || status === 'deleted';

/** The `status` of an address, undefined for anything that isn't one. */
export function readStatus(text: string | null): AccountStatus | undefined {
  const statuses = Object.keys(labels) as AccountStatus[];
  return statuses.find((status) => status === text?.toLowerCase());
}
