import { LIMITS, type Member, searchUsers } from '@orchestrate/shared';
import { useEffect, useRef, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import type { MemberQuery } from '../browse/use-member-search.ts';
import type { Selection } from './use-selection.ts';

/** Fetch in progress. Another selection or search aborts it. */
interface Reading {
  /** Members selected when the fetch started. */
  suids: Selection['suids'];
  /** Number of members fetched so far. Undefined after a failure. */
  read?: number;
  refusal?: ApiRefusal;
}

/**
 * Selects all results of a search, including those not displayed. Fetches them all first, so that a bulk action
 * applies to exactly the members in its confirmation.
 */
export function useWholeResult(query: MemberQuery | null, chosen: Selection) {
  const [reading, setReading] = useState<Reading>();
  const stopping = useRef<AbortController>(undefined);
  const { suids } = chosen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed selection must abort the read.
  useEffect(() => () => stopping.current?.abort(), [suids]);
  const now = reading?.suids === suids ? reading : undefined;

  const start = async () => {
    if (!query) return;
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    const found = new Map<string, Member>();
    try {
      let lastItem: string | undefined;
      do {
        setReading({ suids, read: found.size });
        // Leave the results unsorted, because the server refuses to sort large results.
        const input = { ...query, sort: undefined, pageSize: LIMITS.searchPageSizeMax, lastItem };
        const { Items, LastEvaluatedKey } = await call(searchUsers, { query: input }, { signal });
        signal.throwIfAborted();
        for (const member of Items) found.set(member.suid, member);
        lastItem = LastEvaluatedKey ? JSON.stringify(LastEvaluatedKey) : undefined;
      } while (lastItem);
      chosen.chooseWhole([...found.values()]);
    } catch (failure) {
      if (signal.aborted) return;
      if (!(failure instanceof ApiRefusal)) throw failure;
      setReading({ suids, refusal: failure });
    }
  };
  return {
    /** Number of members fetched so far. Undefined if no fetch is in progress. */
    read: now?.read,
    refusal: now?.refusal,
    start,
    stop: () => {
      stopping.current?.abort();
      setReading(undefined);
    },
  };
}
