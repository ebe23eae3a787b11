import { useSyncExternalStore } from 'react';

/** A failing read of the visible page that could succeed later. */
export interface FailingRead {
  /** Unix milliseconds at which the displayed data was loaded; undefined while none is displayed. */
  readAt: number | undefined;
  again: () => void;
}

let failing: readonly FailingRead[] = [];
const listeners = new Set<() => void>();

function change(next: readonly FailingRead[]): void {
  failing = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds a failing read; call the returned function when it succeeds or is no longer visible. */
export function addFailingRead(read: FailingRead): () => void {
  change([...failing, read]);
  return () => change(failing.filter((other) => other !== read));
}

export const useFailingReads = () => useSyncExternalStore(subscribe, () => failing);
