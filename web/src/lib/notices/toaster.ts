import { useSyncExternalStore } from 'react';

export interface ToastMessage {
  kind: 'success' | 'info' | 'error';
  text: string;
  /** Reason for a failure, shown on its own line. */
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

/** Displays short messages at the top centre for 3 s each, at most 3 at a time. */
export const toast = {
  success: (text: string) => add('success', text),
  info: (text: string) => add('info', text),
  error: (text: string, reason?: string) => add('error', text, reason),
};

/** Returns true after the first toast, which is when the code that renders toasts is loaded. */
export function useHasToasts(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWanted,
  );
}

/** Connects the toast renderer and passes it the toasts created before it was loaded. */
export function connectToasts(draw: (message: ToastMessage) => void): void {
  show = draw;
  for (const message of waiting.splice(0)) draw(message);
}
