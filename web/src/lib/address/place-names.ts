import { useEffect, useSyncExternalStore } from 'react';

let names: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Names of places with an id in their path, by path, as reported by their screens so far. */
export const usePlaceNames = () => useSyncExternalStore(subscribe, () => names);

/** Forgets all names: they belong to the person who saw those screens. */
export function forgetPlaceNames(): void {
  names = new Map();
  for (const listener of listeners) listener();
}

/** Reports a path's name to the breadcrumbs, which remember it until the session ends or the page is reloaded. */
export function usePlaceName(path: string, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined || names.get(path) === name) return;
    names = new Map(names).set(path, name);
    for (const listener of listeners) listener();
  }, [path, name]);
}
