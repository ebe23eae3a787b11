import { useSyncExternalStore } from 'react';

export interface ToastMessage {
  kind: 'success' | 'info' | 'error';
  text: string;
  /** Why something failed, on a line of its own. */
  reason?: string | undefined;
}

const waiting: ToastMessage[] = [];
const listeners = new Set<() => void>();
let show: ((message: ToastMessage) => void) | undefined;
let isWanted = false;

function add(kind: ToastMessage['kind'], text: string, reason?: string): void {
  isWanted = true;
  if (show) show({ kind, text, reason });
  else waiting.push({ kind, text, reason });
  for (const listener of listeners) listener();
}

/** Shows news that leaves no other trace: top-centre, for 3 s, at most 3 at once. */
export const toast = {
  success: (text: string) => add('success', text),
  info: (text: string) => add('info', text),
  error: (text: string, reason?: string) => add('error', text, reason),
};

/** Whether there has ever been a toast: until then the code that draws them isn't even loaded. */
export function useHasToasts(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWanted,
  );
}

/** The renderer takes over, beginning with the toasts from before it had loaded. */
export function connectToasts(draw: (message: ToastMessage) => void): void {
  show = draw;
  for (const message of waiting.splice(0)) draw(message);
}
