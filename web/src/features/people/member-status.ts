import type { AccountStatus } from '@orchestrate/shared';

const labels: Record<AccountStatus, string> = {
  active: 'Active',
  inactive: 'Inactive',
  unregistered: 'Unregistered',
  deleted: 'Deleted',
  unverified: 'Unverified',
  invited: 'Invited',
};

export const statusLabel = (status: AccountStatus): string => labels[status];

/** Who cannot sign in any more is shown in grey (spec 1 §4). */
export const isGrey = (status: AccountStatus): boolean => status === 'inactive' || status === 'deleted';

/** What an address says in its `status`, undefined for anything that is no status. */
export function readStatus(text: string | null): AccountStatus | undefined {
  const statuses = Object.keys(labels) as AccountStatus[];
  return statuses.find((status) => status === text?.toLowerCase());
}
