import { writeStored } from '../browser/stored.ts';
import { brandShades } from './brand-colour.ts';

/**
 * Applies an organisation's colour by setting the theme's `--brand…` variables, and stores them for the start of the
 * next visit.
 */
export function applyBrand(colour: string | null | undefined): void {
  const shades = brandShades(colour);
  const variables = {
    '--brand': shades.brand,
    '--brand-contrast': shades.contrast,
    '--brand-text-light': shades.textLight,
    '--brand-text-dark': shades.textDark,
    '--brand-line-light': shades.lineLight,
    '--brand-line-dark': shades.lineDark,
  };
  for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
  writeStored('orchestrate.brand', JSON.stringify(variables));
}

/** Applies the default colour unless the page has already applied a stored colour. */
export function initBrand(): void {
  if (!document.documentElement.style.getPropertyValue('--brand')) applyBrand(null);
}
