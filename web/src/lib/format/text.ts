import { readJson } from '@orchestrate/shared';

/** Capitalises the first letter. */
export const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Formats seconds as `1:05`, rounded up so that a running countdown never displays 0:00. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Joins names, addresses and times with dots. On right-to-left pages, each part keeps its own direction. */
export function dotted(...parts: (string | number | false | null | undefined)[]): string {
  const isFromRight = document.documentElement.dir === 'rtl';
  const shown = parts.filter((part) => part || part === 0);
  return shown.map((part) => (isFromRight ? `\u2068${part}\u2069` : part)).join(' · ');
}

/** Returns true if a text contains every word of a search, in any order and letter case. */
export function hasWords(text: string, search: string): boolean {
  const searched = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/**
 * Indents XML with one element per line; elements that contain only text stay on one line.
 * @param xml XML without comments or CDATA, as the portal writes it
 */
export function indentXml(xml: string): string {
  let depth = 0;
  return xml
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const indented = `${'  '.repeat(Math.max(0, depth))}${line}`;
      const isOpening = /^<[^/?!]/.test(line) && !line.endsWith('/>') && !line.includes('</');
      if (isOpening) depth += 1;
      return indented;
    })
    .join('\n');
}

/** Indents JSON; returns invalid JSON, such as truncated text, unchanged. */
export function indentedJson(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Returns the first letter of a name in upper case, e.g. for an organisation without a logo. */
export const initialOf = (name: string): string => initialsOf(name.trim().split(/\s/u, 1)[0] ?? '');

/** Returns the initials of the first two words of a name in upper case; '?' without a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean).slice(0, 2);
  // A code point can be only part of a character (flags, accents), so this splits by grapheme.
  const letters = words.map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}
