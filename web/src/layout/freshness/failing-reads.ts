import { useSyncExternalStore } from 'react';

/** A read of the page in view that fails although it might succeed later. */
export interface FailingRead {
  /** When what is shown was read, in milliseconds; undefined while nothing is shown. */
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

/** @returns ends it: the read succeeds again, or is no longer in view */
export function addFailingRead(read: FailingRead): () => void {
  change([...failing, read]);
  return () => change(failing.filter((other) => other !== read));
}

export const useFailingReads = () => useSyncExternalStore(subscribe, () => failing);
