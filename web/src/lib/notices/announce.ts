import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Announces a visible change to screen readers without showing a toast. */
export function announce(message: string): void {
  // Appends a no-break space if the message is unchanged, because screen readers ignore a live region whose text
  // stays the same.
  text = message === text ? `${message}\u00a0` : message;
  for (const listener of listeners) listener();
}

/** Returns the last announcement. */
export function useAnnouncement(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => text,
  );
}
