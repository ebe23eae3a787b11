import { Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, type SearchSort, searchSort } from '@orchestrate/shared';
import { useId } from 'react';
import { formatNumber } from '../../../lib/format/number.ts';
import { Select } from '../../../ui/select.tsx';

const LABELS: Record<SearchSort, string> = {
  lastName: t`Last Name`,
  firstName: t`First Name`,
  primaryEmail: t`Email`,
  newest: t`Newest first`,
  oldest: t`Oldest first`,
};

interface SortMembersProps {
  value: SearchSort | undefined;
  onChange: (sort: SearchSort | undefined) => void;
  /** Whether the best matches come first where no order is chosen. */
  isRanked: boolean;
  isTooMany: boolean;
}

/** In which order the found members are shown. */
export function SortMembers({ value, onChange, isRanked, isTooMany }: SortMembersProps) {
  const reason = useId();
  // Without a text, members come in the order in which they were entered.
  const orders = isRanked ? searchSort.options : searchSort.options.filter((sort) => sort !== 'oldest');
  return (
    <Flex align="center" gap="2.5" wrap="wrap">
      {isTooMany && (
        <Text id={reason} textStyle="sm" color="fg.muted">
          {t`Up to ${formatNumber(LIMITS.searchCountMax)} can be sorted`}
        </Text>
      )}
      <Select
        aria-label={t`Sort by`}
        aria-describedby={isTooMany ? reason : undefined}
        size="sm"
        width="36"
        disabled={isTooMany}
        value={value ?? ''}
        onChange={({ target }) => onChange(orders.find((sort) => sort === target.value))}
      >
        <option value="">{isRanked ? t`Best match` : LABELS.oldest}</option>
        {orders.map((sort) => (
          <option key={sort} value={sort}>
            {LABELS[sort]}
          </option>
        ))}
      </Select>
    </Flex>
  );
}
