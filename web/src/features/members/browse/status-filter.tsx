import { t } from '@lingui/core/macro';
import type { AccountStatus } from '@orchestrate/shared';
import { FilterChips, type FilterChoice } from '#ui/list/filter-chips.tsx';
import { statusLabel } from '../shared/member-status.ts';
import type { OptionalTotals } from './use-member-totals.ts';
import { type MemberFilter, SEARCH_STATUSES } from './use-search-address.ts';

interface StatusFilterProps<Filter extends MemberFilter> {
  /** Undefined to list all members except deleted ones. */
  value: Filter | undefined;
  onChange: (filter: Filter | AccountStatus | undefined) => void;
  /** Number of members per choice. Undefined if they aren't counted. */
  totals?: OptionalTotals | undefined;
  /** Additional choices after the statuses. */
  others?: readonly FilterChoice<Filter>[];
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
  return <FilterChips<Filter | AccountStatus> label={t`Status`} look="tabs" choices={choices} {...filter} />;
}
