import type { Cache } from 'swr';

/** A change that is shown before the server has answered it. */
export interface Preview {
  /** Ends it: if the server made the change, it goes into what was read, and otherwise it disappears. */
  settle: (isMade: boolean) => void;
}

interface Change<Data> {
  /** A method, so that changes of any read fit into one list. */
  apply(data: Data): Data;
  /** The server has made it, but not yet answered an older change. */
  isMade: boolean;
}

/** The changes of each cache that are under way, oldest first, by the key of the read that shows them. */
const changesOf = new WeakMap<Cache, Map<string, readonly Change<unknown>[]>>();
const listeners = new Set<() => void>();
const NONE: readonly never[] = [];

export function subscribeToChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const pendingChanges = <Data>(cache: Cache, key: string): readonly Change<Data>[] =>
  // All changes of a key are of the same read, and so of the same type.
  (changesOf.get(cache)?.get(key) as readonly Change<Data>[] | undefined) ?? NONE;

/** What was read, with these changes on top. */
export const withChanges = <Data>(data: Data, changes: readonly Change<Data>[]): Data =>
  changes.reduce((changed, { apply }) => apply(changed), data);

/**
 * Shows a change on top of whatever is read until it is settled. SWR's own optimistic updates cannot be used: of two
 * that overlap it forgets the older one, whose answer then changes nothing. A newer change stays on top until the older
 * ones are settled, so that none of them covers it.
 * @param keep puts changes into what was read
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
