import type { Cache, ScopedMutator } from 'swr';

/** Each cache's paged lists: maps a list's key to the prefix of its pages' keys. */
const listsOf = new WeakMap<Cache, Map<string, string>>();

/** Registers a list for `revalidateLists`. The keys of its pages start with `call`. */
export function registerList(cache: Cache, listKey: string, call: string): void {
  const lists = listsOf.get(cache) ?? new Map<string, string>();
  listsOf.set(cache, lists.set(listKey, call));
}

/**
 * Drops the pages of stale lists, which SWR's `mutate` with a filter doesn't reach. Visible lists are reloaded
 * immediately, and hidden lists when they are next displayed. Both show their old pages until then.
 */
export async function revalidateLists(
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
