import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './stored.ts';

export type ColourMode = 'light' | 'dark';

const KEY = 'orchestrate.colour-mode';
const listeners = new Set<() => void>();

const system = () => window.matchMedia('(prefers-color-scheme: dark)');
const chosen = (): ColourMode | null => {
  const stored = readStored(KEY);
  return stored === 'light' || stored === 'dark' ? stored : null;
};
const current = (): ColourMode => chosen() ?? (system().matches ? 'dark' : 'light');

function paint(): void {
  const mode = current();
  const root = document.documentElement;
  root.classList.toggle('dark', mode === 'dark');
  root.classList.toggle('light', mode === 'light');
  root.style.colorScheme = mode;
  for (const listener of listeners) listener();
}

/** Keeps the page in sync with the system's mode and with choices in other tabs. */
export function initColourMode(): void {
  // The page set its colours before this code was loaded. Set them again, because the system's mode can have changed
  // since.
  paint();
  system().addEventListener('change', paint);
  window.addEventListener('storage', paint);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the user's choice in this browser, or the system's current mode if there is none. */
export function useColourMode(): { mode: ColourMode; toggle: () => void } {
  const mode = useSyncExternalStore(subscribe, current);
  const toggle = () => {
    writeStored(KEY, mode === 'dark' ? 'light' : 'dark');
    paint();
  };
  return { mode, toggle };
}
