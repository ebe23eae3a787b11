import { useSyncExternalStore } from 'react';

/** A failed read of the visible screen that could succeed if retried. */
export interface FailingRead {
  /** When the displayed data was loaded, in Unix milliseconds; undefined while no data is displayed. */
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

/**
 * Adds a failing read and returns a function that removes it. Call that function once the read succeeds or its data
 * is no longer visible.
 */
export function addFailingRead(read: FailingRead): () => void {
  change([...failing, read]);
  return () => change(failing.filter((other) => other !== read));
}

export const useFailingReads = () => useSyncExternalStore(subscribe, () => failing);
