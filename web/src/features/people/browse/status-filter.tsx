import { t } from '@lingui/core/macro';
import type { SearchStatus } from '@orchestrate/shared';
import { statusLabel } from '../../../members/member-status.ts';
import { FilterChips } from '../../../ui/filter-chips.tsx';
import type { MemberTotals } from './use-member-totals.ts';
import { type MemberFilter, SEARCH_STATUSES } from './use-search-address.ts';

interface StatusFilterProps<Filter extends MemberFilter> {
  /** undefined for all. */
  value: Filter | undefined;
  onChange: (filter: Filter | SearchStatus | undefined) => void;
  /** How many members each choice shows; absent where they are not counted. */
  totals?: MemberTotals | undefined;
  /** Choices beside the statuses. */
  others?: readonly { value: Filter; label: string }[];
}

const everybody = { value: undefined, label: t`All` };

/** Which members are shown, by their status. */
export function StatusFilter<Filter extends MemberFilter = SearchStatus>({
  others = [],
  totals,
  ...filter
}: StatusFilterProps<Filter>) {
  const statuses = SEARCH_STATUSES.map((value) => ({ value, label: statusLabel(value) }));
  const choices = [everybody, ...statuses, ...others].map((choice) => ({
    ...choice,
    count: totals?.[choice.value ?? 'all']?.text,
  }));
  return <FilterChips<Filter | SearchStatus> label={t`Status`} choices={choices} {...filter} />;
}
