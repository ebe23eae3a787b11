import { plural } from '@lingui/core/macro';
import { i18n } from '#words/words.ts';

const numbers = new Intl.NumberFormat(i18n.locale);
const lists = new Intl.ListFormat(i18n.locale, { type: 'conjunction' });

/** Formats a number with the locale's separators: `1,200` in English, `1.200` in German. */
export const formatNumber = (value: number): string => numbers.format(value);

/** Joins items in the page's language, e.g. as `a, b, and c`. */
export const formatList = (items: readonly string[]): string => lists.format(items);

const BYTE_UNITS = ['KB', 'MB', 'GB', 'TB'];

/** Formats bytes in units of 1024 with at most one decimal: `50 MB`, `1.5 KB`, `1 Byte`. */
export function formatFileSize(bytes: number): string {
  const inUnit = (unit: number) => Number((bytes / 1024 ** unit).toFixed(1));
  if (bytes < 1024) return plural(bytes, { one: '# Byte', other: '# Bytes' });
  let unit = 1;
  while (inUnit(unit) >= 1024 && unit < BYTE_UNITS.length) unit += 1;
  return `${formatNumber(inUnit(unit))} ${BYTE_UNITS[unit - 1]}`;
}

const TIME_UNITS = [
  [86_400, (count: number) => plural(count, { one: '# day', other: '# days' })],
  [3_600, (count: number) => plural(count, { one: '# hour', other: '# hours' })],
  [60, (count: number) => plural(count, { one: '# minute', other: '# minutes' })],
  [1, (count: number) => plural(count, { one: '# second', other: '# seconds' })],
] as const;

/** Formats whole seconds in words without rounding: `8 hours`, `1 day 12 hours`; '–' for zero. */
export function formatDuration(seconds: number): string {
  let rest = seconds;
  const parts = TIME_UNITS.flatMap(([size, inWords]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [inWords(count)] : [];
  });
  return parts.join(' ') || '–';
}
