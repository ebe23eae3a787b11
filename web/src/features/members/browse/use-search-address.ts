import { type AccountStatus, SEARCH_SORTS, type SearchSort } from '@orchestrate/shared';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';

/** Maximum length of a search text, as in the contract. Only a manually edited URL can exceed it. */
export const QUERY_MAX_LENGTH = 254;

/** Statuses in menu order. */
export const SEARCH_STATUSES = [
  'active',
  'inactive',
  'unregistered',
  'invited',
  'unverified',
  'deleted',
] as const satisfies readonly AccountStatus[];

/** Selects members with an account status, or members whose code expires soon. */
export type MemberFilter = AccountStatus | 'expiring';

/** The search as stored in the URL, so that Back, a reload or a link restores it. */
export interface SearchAddress {
  /** Search text as entered. */
  query: string;
  /** Set if the text was submitted with Enter, which also searches for one or two characters (spec 1 §5). */
  entered: 'yes' | undefined;
  /** API name of the field to search. */
  field: string;
  /** Undefined to list all members except deleted ones. */
  status: AccountStatus | undefined;
  /** Set to list members whose code expires soon. `status` and `sort` are then ignored. */
  codes: 'expiring' | undefined;
  /** Undefined for the server's default order. */
  sort: SearchSort | undefined;
  /** ID of the member in the preview. */
  peek?: string | undefined;
}

const names = {
  query: 'q',
  entered: 'entered',
  field: 'by',
  status: 'status',
  codes: 'codes',
  sort: 'sort',
  peek: 'peek',
} as const satisfies Record<keyof SearchAddress, string>;

/** Reads and changes the search in the URL. A change replaces the current history entry. */
export function useSearchAddress(fields: readonly string[]) {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const requested = search.get(names.field);
  const address: SearchAddress = {
    query: (search.get(names.query) ?? '').slice(0, QUERY_MAX_LENGTH),
    entered: search.get(names.entered) === 'yes' ? 'yes' : undefined,
    field: fields.find((field) => field === requested) ?? fields[0] ?? '',
    status: SEARCH_STATUSES.find((status) => status === search.get(names.status)),
    codes: search.get(names.codes) === 'expiring' ? 'expiring' : undefined,
    sort: SEARCH_SORTS.find((sort) => sort === search.get(names.sort)),
    peek: search.get(names.peek) ?? undefined,
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
