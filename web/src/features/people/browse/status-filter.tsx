import type { SearchStatus } from '@orchestrate/shared';
import { statusLabel } from '../../../members/member-status.ts';
import { FilterChips } from '../../../ui/filter-chips.tsx';
import { SEARCH_STATUSES } from './use-search-address.ts';

interface StatusFilterProps {
  /** undefined for all. */
  value: SearchStatus | undefined;
  onChange: (status: SearchStatus | undefined) => void;
}

const choices = [
  { value: undefined, label: 'All' },
  ...SEARCH_STATUSES.map((value) => ({ value, label: statusLabel(value) })),
];

/** Which members are shown, by their status. */
export const StatusFilter = (filter: StatusFilterProps) => <FilterChips label="Status" choices={choices} {...filter} />;
