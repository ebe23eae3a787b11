import { plural } from '@lingui/core/macro';

const UNITS = [
  [86_400, (count: number) => plural(count, { one: '# day', other: '# days' })],
  [3_600, (count: number) => plural(count, { one: '# hour', other: '# hours' })],
  [60, (count: number) => plural(count, { one: '# minute', other: '# minutes' })],
  [1, (count: number) => plural(count, { one: '# second', other: '# seconds' })],
] as const;

/** Whole seconds in words, exactly: `8 hours`, `1 day 12 hours`; '–' where there are none. */
export function formatDuration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([size, inWords]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [inWords(count)] : [];
  });
  return parts.join(' ') || '–';
}
