import { t } from '@lingui/core/macro';
import type { AccountStatus } from '@orchestrate/shared';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { statusLabel } from '../shared/member-status.ts';
import type { ShownTotals } from './use-member-totals.ts';
import { type MemberFilter, SEARCH_STATUSES } from './use-search-address.ts';

interface StatusFilterProps<Filter extends MemberFilter> {
  /** undefined for all but the deleted. */
  value: Filter | undefined;
  onChange: (filter: Filter | AccountStatus | undefined) => void;
  /** How many members each choice shows; absent where they are not counted. */
  totals?: ShownTotals | undefined;
  /** Choices beside the statuses. */
  others?: readonly { value: Filter; label: string }[];
}

const everybody = { value: undefined, label: t`All` };

/** Which members are shown, by their status. */
export function StatusFilter<Filter extends MemberFilter = AccountStatus>({
  others = [],
  totals,
  ...filter
}: StatusFilterProps<Filter>) {
  const statuses = SEARCH_STATUSES.map((value) => ({ value, label: statusLabel(value) }));
  const choices = [everybody, ...statuses, ...others].map((choice) => ({
    ...choice,
    count: totals?.[choice.value ?? 'all']?.text,
  }));
  return <FilterChips<Filter | AccountStatus> label={t`Status`} choices={choices} {...filter} />;
}
