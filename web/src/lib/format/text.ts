import { readJson } from '@orchestrate/shared';

/** Capitalises the first letter. */
export const capitalize = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Formats seconds as `1:05`, rounded up so that a running countdown never shows 0:00. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * Joins names, addresses and times with dots. On right-to-left pages, isolates each item so that it keeps its own
 * direction.
 */
export function joinWithDots(...parts: (string | number | false | null | undefined)[]): string {
  const isFromRight = document.documentElement.dir === 'rtl';
  const shown = parts.filter((part) => part || part === 0);
  return shown.map((part) => (isFromRight ? `\u2068${part}\u2069` : part)).join(' · ');
}

/** Returns true if the text contains every word of the search, in any order and ignoring case. */
export function hasWords(text: string, search: string): boolean {
  const searched = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/**
 * Indents XML with one element per line. Elements that contain only text stay on one line.
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

/** Indents JSON. Returns invalid JSON, e.g. if truncated, unchanged. */
export function indentJson(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Returns a name's first letter in upper case, e.g. for an organisation without a logo. */
export const initialOf = (name: string): string => initialsOf(name.trim().split(/\s/u, 1)[0] ?? '');

/** Returns the upper-case initials of a name's first two words, or '?' if the name is empty. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean).slice(0, 2);
  // Splits by grapheme, because a character can consist of several code points (flags, accents).
  const letters = words.map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}
