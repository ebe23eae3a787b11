import { Box, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import type { Ref } from 'react';
import { useTypedQuery } from '../../../lib/address/use-typed-query.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { Select } from '../../../ui/select.tsx';
import type { SearchBy } from './search-fields.ts';
import { StatusFilter } from './status-filter.tsx';
import { isShort } from './use-member-search.ts';
import type { ShownTotals } from './use-member-totals.ts';
import { QUERY_MAX_LENGTH, type SearchAddress } from './use-search-address.ts';

interface SearchBarProps {
  address: SearchAddress;
  onChange: (changed: Partial<SearchAddress>) => void;
  fields: readonly SearchBy[];
  /** A choice that lists nobody before something is searched for has none. */
  totals: ShownTotals | undefined;
  ref?: Ref<{ focus: () => void }>;
}

const EXPIRING = [{ value: 'expiring', label: t`Code expires soon` }] as const;

/** The search field, the text to search for, and the status filter. */
export function SearchBar({ address, onChange, fields, totals, ref }: SearchBarProps) {
  const { typed, type, submit } = useTypedQuery(address.query, (query) => onChange({ query, entered: undefined }));
  const enter = () => (isShort(typed) ? onChange({ query: typed, entered: 'yes' }) : submit());
  const by = fields.find(({ field }) => field === address.field) ?? fields[0];
  return (
    <Flex gap="3" wrap="wrap" role="search">
      <Select
        aria-label={t`Search by`}
        width="36"
        value={address.field}
        onChange={({ target }) => onChange({ field: target.value, query: typed })}
      >
        {fields.map(({ field, label }) => (
          <option key={field} value={field}>
            {label}
          </option>
        ))}
      </Select>
      <Box flex="1 1 15rem" display="flex">
        <SearchField
          ref={ref}
          label={t`Search members`}
          placeholder={t`At least ${LIMITS.searchMinLength} characters of the ${by?.inSentence ?? ''}`}
          maxLength={QUERY_MAX_LENGTH}
          value={typed}
          onChange={type}
          onSubmit={enter}
        />
      </Box>
      <StatusFilter
        value={address.codes ?? address.status}
        onChange={(filter) =>
          filter === 'expiring'
            ? onChange({ codes: filter, status: undefined, sort: undefined, query: typed })
            : onChange({ codes: undefined, status: filter, query: typed })
        }
        totals={totals}
        others={EXPIRING}
      />
    </Flex>
  );
}
