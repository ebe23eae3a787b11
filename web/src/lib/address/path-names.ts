import { useEffect, useSyncExternalStore } from 'react';

let names: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns breadcrumb names by path, as reported by screens whose path contains an ID. */
export const usePathNames = () => useSyncExternalStore(subscribe, () => names);

/** Removes all names. Call this when the session ends, because the names contain personal data. */
export function clearPathNames(): void {
  names = new Map();
  for (const listener of listeners) listener();
}

/** Reports a path's name to the breadcrumbs until the session ends or the page reloads. */
export function usePathName(path: string, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined || names.get(path) === name) return;
    names = new Map(names).set(path, name);
    for (const listener of listeners) listener();
  }, [path, name]);
}
