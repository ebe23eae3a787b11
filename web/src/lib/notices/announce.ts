import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Says to screen readers what everybody else sees: a change that shows by itself and has no toast. */
export function announce(said: string): void {
  // A region whose text stays the same stays silent.
  text = said === text ? `${said}\u00a0` : said;
  for (const listener of listeners) listener();
}

/** What was last announced. */
export function useAnnouncement(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => text,
  );
}
