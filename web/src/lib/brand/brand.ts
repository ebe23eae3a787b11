import { brandVariables, readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '../browser/stored.ts';

const KEY = 'orchestrate.brands';
/** Number of organisations whose colours are stored. */
const STORED_MAX = 8;

const setVariables = (variables: Record<string, string>): void => {
  for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
};

/**
 * Applies an organisation's colour by setting the theme's `--brand…` variables, and stores them for the start of the
 * next visit (`boot.js`).
 */
export function applyBrand(orgCode: string, colour: string): void {
  const variables = brandVariables(colour);
  setVariables(variables);
  const stored = readJson(readStored(KEY));
  const others = Object.entries(stored ?? {}).filter(([code]) => code !== orgCode);
  writeStored(KEY, JSON.stringify(Object.fromEntries([...others, [orgCode, variables]].slice(-STORED_MAX))));
}

/** Applies the default colour unless the page has already applied an organisation's. */
export function initBrand(): void {
  if (!document.documentElement.style.getPropertyValue('--brand')) setVariables(brandVariables(null));
}
