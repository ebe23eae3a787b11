import { t } from '@lingui/core/macro';
import type { AccountStatus } from '@orchestrate/shared';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { statusLabel } from '../shared/member-status.ts';
import type { ShownTotals } from './use-member-totals.ts';
import { type MemberFilter, SEARCH_STATUSES } from './use-search-address.ts';

interface StatusFilterProps<Filter extends MemberFilter> {
  /** Undefined for all except deleted members. */
  value: Filter | undefined;
  onChange: (filter: Filter | AccountStatus | undefined) => void;
  /** Counts by choice; absent if they aren't counted. */
  totals?: ShownTotals | undefined;
  /** Choices in addition to the statuses. */
  others?: readonly { value: Filter; label: string }[];
}

const allMembers = { value: undefined, label: t`All` };

/** Filters members by status. */
export function StatusFilter<Filter extends MemberFilter = AccountStatus>({
  others = [],
  totals,
  ...filter
}: StatusFilterProps<Filter>) {
  const statuses = SEARCH_STATUSES.map((value) => ({ value, label: statusLabel(value) }));
  const choices = [allMembers, ...statuses, ...others].map((choice) => ({
    ...choice,
    count: totals?.[choice.value ?? 'all']?.text,
  }));
  return <FilterChips<Filter | AccountStatus> label={t`Status`} choices={choices} {...filter} />;
}
