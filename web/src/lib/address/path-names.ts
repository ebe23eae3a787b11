import { useEffect, useSyncExternalStore } from 'react';

let names: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Breadcrumb names by path, as reported by the screens whose path contains an id. */
export const usePathNames = () => useSyncExternalStore(subscribe, () => names);

/** Removes all names, because they are personal data of the session. */
export function clearPathNames(): void {
  names = new Map();
  for (const listener of listeners) listener();
}

/** Reports a path's name to the breadcrumbs, until the session ends or the page is reloaded. */
export function usePathName(path: string, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined || names.get(path) === name) return;
    names = new Map(names).set(path, name);
    for (const listener of listeners) listener();
  }, [path, name]);
}
