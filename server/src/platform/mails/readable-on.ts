/** Used in place of an invalid colour. */
const FALLBACK = '#facc15';

/** A colour as `#rrggbb`, whatever was stored. */
export const soundColour = (colour: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : FALLBACK);

/** Black or white, whichever is more readable on `colour` (`#rrggbb`): at least 4.5 to 1 on any (WCAG 2.2 §1.4.3). */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(colour);
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff';
}

/** WCAG 2.2, relative luminance. */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
