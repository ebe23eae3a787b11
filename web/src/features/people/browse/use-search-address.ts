import type { SearchStatus } from '@orchestrate/shared';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../../../lib/address/use-address-change.ts';

/** The contract's limit; a longer text can only come from a made-up address. */
export const QUERY_MAX_LENGTH = 254;

export const SEARCH_STATUSES = ['active', 'inactive', 'unregistered'] as const satisfies readonly SearchStatus[];

/** The search as it is in the address, so that Back, a reload or a link restores it. */
export interface SearchAddress {
  /** As it was typed. */
  query: string;
  /** The name of the field that is searched. */
  field: string;
  /** undefined for all. */
  status: SearchStatus | undefined;
}

const names = { query: 'q', field: 'by', status: 'status' } as const satisfies Record<keyof SearchAddress, string>;

/** The search in the address; changing it replaces the browser's history entry. */
export function useSearchAddress(fields: readonly string[]) {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const asked = search.get(names.field);
  const address: SearchAddress = {
    query: (search.get(names.query) ?? '').slice(0, QUERY_MAX_LENGTH),
    field: fields.find((field) => field === asked) ?? fields[0] ?? '',
    status: SEARCH_STATUSES.find((status) => status === search.get(names.status)),
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
