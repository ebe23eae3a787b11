import { type AccountStatus, type SearchSort, searchSort } from '@orchestrate/shared';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';

/** The contract's limit; a longer text can only come from a made-up address. */
export const QUERY_MAX_LENGTH = 254;

/** In the order in which they are offered. */
export const SEARCH_STATUSES = [
  'active',
  'inactive',
  'unregistered',
  'invited',
  'unverified',
  'deleted',
] as const satisfies readonly AccountStatus[];

/** The members of a status, or those with a code that expires soon. */
export type MemberFilter = AccountStatus | 'expiring';

/** The search as it is in the address, so that Back, a reload or a link restores it. */
export interface SearchAddress {
  /** As it was typed. */
  query: string;
  /** Whether the text was entered with Enter, so that one or two characters are searched for too (spec 1 §5). */
  entered: 'yes' | undefined;
  /** The name of the field that is searched. */
  field: string;
  /** undefined for all but the deleted. */
  status: AccountStatus | undefined;
  /** Whether it is those with a code that expires soon; then neither a status nor an order is asked for. */
  codes: 'expiring' | undefined;
  /** undefined: as they are found. */
  sort: SearchSort | undefined;
}

const names = {
  query: 'q',
  entered: 'entered',
  field: 'by',
  status: 'status',
  codes: 'codes',
  sort: 'sort',
} as const satisfies Record<keyof SearchAddress, string>;

/** The search in the address; changing it replaces the browser's history entry. */
export function useSearchAddress(fields: readonly string[]) {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const asked = search.get(names.field);
  const address: SearchAddress = {
    query: (search.get(names.query) ?? '').slice(0, QUERY_MAX_LENGTH),
    entered: search.get(names.entered) === 'yes' ? 'yes' : undefined,
    field: fields.find((field) => field === asked) ?? fields[0] ?? '',
    status: SEARCH_STATUSES.find((status) => status === search.get(names.status)),
    codes: search.get(names.codes) === 'expiring' ? 'expiring' : undefined,
    sort: searchSort.options.find((sort) => sort === search.get(names.sort)),
  };

  const change = useCallback(
    (changed: Partial<SearchAddress>) => {
      const parameters = Object.entries(changed).map(([part, value]) => [names[part as keyof SearchAddress], value]);
      changeAddress(Object.fromEntries(parameters));
    },
    [changeAddress],
  );
  return { address, change };
}
