import { DEFAULT_BRAND } from './limits.ts';

/**
 * Shades derived from an organisation's brand colour, as `#rrggbb`. `contrast` is the foreground colour on the brand
 * colour itself. On the surfaces of each colour mode, `text…` is readable as text, and `line…` is visible as a ring
 * or border.
 */
export interface BrandShades {
  brand: string;
  contrast: string;
  textLight: string;
  textDark: string;
  lineLight: string;
  lineDark: string;
}

const INK = '#1C1917';
const BLACK = '#000000';
const PAPER = '#FFFFFF';
/** Worst-case surfaces for text, by colour mode. Text also appears on muted grey. */
const TEXT_SURFACES = { light: '#F4F4F2', dark: '#272522' };
const LINE_SURFACES = { light: '#FAFAF9', dark: '#1C1B19' };
/** WCAG 2.2 AA contrast ratio for text (§1.4.3). */
const AA_TEXT = 4.5;
const AA_GRAPHIC = 3;

type Triple = [number, number, number];

/** Returns a colour as `#rrggbb`, or null for anything other than `#rgb` and `#rrggbb`. */
export function parseHex(colour: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour.trim())?.[1];
  if (!digits) return null;
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return `#${six.toUpperCase()}`;
}

const channels = (hex: string): Triple =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Triple;
const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(toLinear) as Triple;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the WCAG contrast ratio of two `#rrggbb` colours, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Converts to Björn Ottosson's OKLab, where lightness can change without shifting the hue. */
function toOklab(hex: string): Triple {
  const [r, g, b] = channels(hex).map(toLinear) as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Returns an OKLab colour's linear sRGB channels. Channels are outside 0 to 1 if the colour isn't displayable. */
function linearOf([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function hexOf(linear: Triple): string {
  const bytes = linear.map((value) => Math.round(255 * Math.min(1, Math.max(0, fromLinear(Math.max(0, value))))));
  return `#${bytes
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`;
}

/** Returns the colour at another lightness with the same hue, and as much of its chroma as can be displayed. */
function atLightness(lightness: number, a: number, b: number): string {
  for (let keep = 1; keep > 0; keep -= 0.05) {
    const linear = linearOf([lightness, a * keep, b * keep]);
    if (linear.every((value) => value > -0.001 && value < 1.001)) return hexOf(linear);
  }
  return hexOf(linearOf([lightness, 0, 0]));
}

/**
 * Returns how far to rotate the hue when darkening a colour, in radians. Dark yellow looks olive, but looks gold if
 * rotated towards orange.
 */
function turnOf(hue: number, darkening: number): number {
  const orange = Math.PI * 0.39;
  const isYellow = hue > orange && hue < Math.PI * 0.64;
  return isYellow ? (orange - hue) * Math.min(1, darkening * 2) : 0;
}

/**
 * Returns the colour if it has enough contrast with the surface, otherwise the nearest shade that does: lighter on
 * dark surfaces, darker on light ones.
 */
function readableOn(surface: string, colour: string, ratio: number): string {
  if (contrastRatio(colour, surface) >= ratio) return colour;
  const [lightness, a, b] = toOklab(colour);
  const [chroma, hue] = [Math.hypot(a, b), Math.atan2(b, a)];
  const isDarkSurface = luminance(surface) < 0.18;
  for (let step = 1; step <= 100; step += 1) {
    const next = isDarkSurface ? lightness + ((1 - lightness) * step) / 100 : lightness * (1 - step / 100);
    const turned = hue + (isDarkSurface ? 0 : turnOf(hue, step / 100));
    const shade = atLightness(next, chroma * Math.cos(turned), chroma * Math.sin(turned));
    if (contrastRatio(shade, surface) >= ratio) return shade;
  }
  return isDarkSurface ? PAPER : INK;
}

/** Returns soft black or white, or pure black for the few mid tones on which neither meets AA. */
function foregroundOn(colour: string): string {
  const [best = INK] = [INK, PAPER].toSorted((a, b) => contrastRatio(b, colour) - contrastRatio(a, colour));
  return contrastRatio(best, colour) >= AA_TEXT ? best : BLACK;
}

/** Returns all shades of a brand colour. Invalid colours are replaced with the default yellow. */
export function brandShades(colour: string | null | undefined): BrandShades {
  const brand = parseHex(colour ?? '') ?? DEFAULT_BRAND;
  return {
    brand,
    contrast: foregroundOn(brand),
    textLight: readableOn(TEXT_SURFACES.light, brand, AA_TEXT),
    textDark: readableOn(TEXT_SURFACES.dark, brand, AA_TEXT),
    lineLight: readableOn(LINE_SURFACES.light, brand, AA_GRAPHIC),
    lineDark: readableOn(LINE_SURFACES.dark, brand, AA_GRAPHIC),
  };
}

/** Returns the theme's CSS variables for an organisation's colour, or for the default colour if it is missing. */
export function brandVariables(colour: string | null | undefined): Record<`--brand${string}`, string> {
  const shades = brandShades(colour);
  return {
    '--brand': shades.brand,
    '--brand-contrast': shades.contrast,
    '--brand-text-light': shades.textLight,
    '--brand-text-dark': shades.textDark,
    '--brand-line-light': shades.lineLight,
    '--brand-line-dark': shades.lineDark,
  };
}

/** Maximum length of a first sentence used as the headline, in characters. */
const HEADLINE_MAX = 60;

/**
 * Splits an organisation's banner text into a headline and the text below it, at the first line break or after a
 * short first sentence. A single sentence becomes the headline.
 */
export function splitBannerText(bannerText: string): { headline: string; rest: string } {
  const text = bannerText.trim();
  const [firstLine = '', ...others] = text.split(/\r?\n/);
  if (others.length > 0) return { headline: firstLine.trim(), rest: others.join('\n').trim() };
  const sentence = /^(.+?[.!?])\s+(.+)$/s.exec(text);
  const [, headline = '', rest = ''] = sentence ?? [];
  return headline && headline.length <= HEADLINE_MAX ? { headline, rest } : { headline: text, rest: '' };
}
