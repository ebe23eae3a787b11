import { useEffect, useSyncExternalStore } from 'react';

let names: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What places with an id in their path are called, by that path, as far as their screens have told. */
export const usePlaceNames = () => useSyncExternalStore(subscribe, () => names);

/** Tells the breadcrumbs what a path is called; it is remembered for as long as the page lives. */
export function usePlaceName(path: string, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined || names.get(path) === name) return;
    names = new Map(names).set(path, name);
    for (const listener of listeners) listener();
  }, [path, name]);
}
