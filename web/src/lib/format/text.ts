import { readJson } from '@orchestrate/shared';

/** With a capital at its beginning. */
export const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** `1:05` from a number of seconds, rounded up so that a running countdown never shows 0:00. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Names, addresses and times in one line. From right to left each keeps its own direction and its place. */
export function dotted(...parts: (string | number | false | null | undefined)[]): string {
  const isFromRight = document.documentElement.dir === 'rtl';
  const shown = parts.filter((part) => part || part === 0);
  return shown.map((part) => (isFromRight ? `\u2068${part}\u2069` : part)).join(' · ');
}

/** Whether a text contains every word of a search, in any order and case. */
export function hasWords(text: string, search: string): boolean {
  const searched = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/**
 * Indents XML for people: an element per line, indented by its depth; an element that holds only text stays on one
 * line.
 * @param xml without comments and the like, as the portal writes it
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

/** A JSON text, indented; unchanged where it is not JSON, because it was cut. */
export function indentedJson(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The first letter of a name, in capitals, e.g. of an organisation that has no logo. */
export const initialOf = (name: string): string => initialsOf(name.trim().split(/\s/u, 1)[0] ?? '');

/** The initials of the first two words of a name, in capitals; '?' where there is no name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean).slice(0, 2);
  // A code point may be only part of a character (flags, accents): the segmenter keeps together what a reader sees as
  // one.
  const letters = words.map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}
