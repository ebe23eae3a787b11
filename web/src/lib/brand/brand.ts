import { writeStored } from '../browser/stored.ts';
import { brandShades } from './brand-colour.ts';

/**
 * Applies an organisation's colour by setting the `--brand…` variables of the theme, and stores them so that the next
 * visit starts in this colour.
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

/** Sets the default colour if none is stored. */
export function startWithBrand(): void {
  if (!document.documentElement.style.getPropertyValue('--brand')) applyBrand(null);
}
