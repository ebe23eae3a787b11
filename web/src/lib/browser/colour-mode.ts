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

/** Keeps every page, even one without a switch, in step with the system and with choices made in other tabs. */
export function startWithColourMode(): void {
  // The page is coloured before this code is loaded, and the system may have changed since.
  paint();
  system().addEventListener('change', paint);
  window.addEventListener('storage', paint);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Light or dark: the reader's choice in this browser, else the system's, followed as it changes. */
export function useColourMode(): { mode: ColourMode; toggle: () => void } {
  const mode = useSyncExternalStore(subscribe, current);
  const toggle = () => {
    writeStored(KEY, mode === 'dark' ? 'light' : 'dark');
    paint();
  };
  return { mode, toggle };
}
