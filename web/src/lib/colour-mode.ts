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

/** Keeps every page, also one without a switch, in step with the system and with the choice made in another tab. */
export function startWithColourMode(): void {
  system().addEventListener('change', paint);
  window.addEventListener('storage', paint);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Light or dark: the reader's choice on this browser, else what the system says, following it as it changes. */
export function useColourMode(): { mode: ColourMode; toggle: () => void } {
  const mode = useSyncExternalStore(subscribe, current);
  const toggle = () => {
    writeStored(KEY, mode === 'dark' ? 'light' : 'dark');
    paint();
  };
  return { mode, toggle };
}
