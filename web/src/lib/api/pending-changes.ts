import type { Cache } from 'swr';

/** A change displayed before the server has confirmed it. */
export interface Preview {
  /** Ends the preview. Stores the change in the cache if it succeeded, and discards it otherwise. */
  settle: (isMade: boolean) => void;
}

interface Change<Data> {
  /** Declared as a method because method parameters are bivariant, which lets one list contain changes of all reads. */
  apply(data: Data): Data;
  /** True if the server has confirmed this change but an older change is still pending. */
  isMade: boolean;
}

/** Each cache's pending changes, oldest first, by the key of the read that displays them. */
const changesOf = new WeakMap<Cache, Map<string, readonly Change<unknown>[]>>();
const listeners = new Set<() => void>();
const NONE: readonly never[] = [];

export function subscribeToChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const pendingChanges = <Data>(cache: Cache, key: string): readonly Change<Data>[] =>
  // All changes under a key belong to the same read, so they have the same type.
  (changesOf.get(cache)?.get(key) as readonly Change<Data>[] | undefined) ?? NONE;

/** Returns a read's data with changes applied. */
export const withChanges = <Data>(data: Data, changes: readonly Change<Data>[]): Data =>
  changes.reduce((changed, { apply }) => apply(changed), data);

/**
 * Displays a change on top of a read's data until the change is settled. SWR's own optimistic updates don't work
 * here: if two overlap, SWR drops the older update and ignores its response. A confirmed change stays on top until
 * all older changes are settled, so none of them hides it.
 * @param keep stores changes in the cached data
 */
export function previewChange<Data>(
  cache: Cache,
  key: string,
  apply: (data: Data) => Data,
  keep: (made: readonly Change<Data>[]) => void,
): Preview {
  const all = changesOf.get(cache) ?? new Map<string, readonly Change<unknown>[]>();
  changesOf.set(cache, all);
  const present = () => pendingChanges<Data>(cache, key);
  const set = (next: readonly Change<Data>[]) => {
    all.set(key, next);
    for (const listener of listeners) listener();
  };
  const change: Change<Data> = { apply, isMade: false };
  set([...present(), change]);
  const settle = (isMade: boolean) => {
    change.isMade = isMade;
    const left = isMade ? present() : present().filter((other) => other !== change);
    const oldest = left.findIndex((other) => !other.isMade);
    const made = oldest < 0 ? left : left.slice(0, oldest);
    if (made.length > 0) keep(made);
    set(left.slice(made.length));
  };
  return { settle };
}
