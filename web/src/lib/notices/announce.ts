import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Announces a visible change without a toast to screen readers. */
export function announce(message: string): void {
  // Screen readers ignore a live region whose text doesn't change.
  text = message === text ? `${message}\u00a0` : message;
  for (const listener of listeners) listener();
}

/** The last announcement. */
export function useAnnouncement(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => text,
  );
}
