import type { Cache, ScopedMutator } from 'swr';

/** The lists of each cache that were read page by page: a list's key, and the first part of its pages' keys. */
const listsOf = new WeakMap<Cache, Map<string, string>>();

/** Registers a list for `freshenLists`; its pages' keys begin with `call`. */
export function knowList(cache: Cache, listKey: string, call: string): void {
  const lists = listsOf.get(cache) ?? new Map<string, string>();
  listsOf.set(cache, lists.set(listKey, call));
}

/**
 * Drops the pages of stale lists, which the cache's own `mutate` with a filter does not reach. A visible list is read
 * again immediately, any other when it is next shown; until then both show their old pages.
 */
export async function freshenLists(
  cache: Cache,
  mutate: ScopedMutator,
  isStale: (call: string) => boolean,
): Promise<void> {
  for (const [listKey, call] of listsOf.get(cache) ?? []) {
    if (!isStale(call)) continue;
    await mutate((key) => Array.isArray(key) && key[0] === call, undefined, { revalidate: false });
    await mutate(listKey);
  }
}
