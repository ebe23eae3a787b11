import type { SearchStatus } from '@orchestrate/shared';
import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** As the contract bounds it; a longer one can only come from a made-up address. */
export const QUERY_MAX_LENGTH = 254;

export const SEARCH_STATUSES = ['active', 'inactive', 'unregistered'] as const satisfies readonly SearchStatus[];

/** What is searched for, as it stands in the address: so Back, a reload or a link brings it back. */
export interface SearchAddress {
  /** As it was typed. */
  query: string;
  /** The name of the field that is searched. */
  field: string;
  /** undefined for all. */
  status: SearchStatus | undefined;
}

const names = { query: 'q', field: 'by', status: 'status' } as const satisfies Record<keyof SearchAddress, string>;

/** The search in the address; changing it replaces the entry of the browser's history. */
export function useSearchAddress(fields: readonly string[]) {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const asked = search.get(names.field);
  const address: SearchAddress = {
    query: (search.get(names.query) ?? '').slice(0, QUERY_MAX_LENGTH),
    field: fields.find((field) => field === asked) ?? fields[0] ?? '',
    status: SEARCH_STATUSES.find((status) => status === search.get(names.status)),
  };

  const change = useCallback(
    (changed: Partial<SearchAddress>) => {
      // Another change, or a step to another page, may be under way and not yet drawn: the browser's own address has it.
      if (window.location.pathname !== pathname) return;
      const next = new URLSearchParams(window.location.search);
      for (const [part, value] of Object.entries(changed)) {
        const name = names[part as keyof SearchAddress];
        if (value) next.set(name, value);
        else next.delete(name);
      }
      setSearch(next, { replace: true, preventScrollReset: true });
    },
    [pathname, setSearch],
  );
  return { address, change };
}
