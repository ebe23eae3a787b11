const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Whole seconds in words, exactly: `8 hours`, `1 day 12 hours`; '–' where there are none. */
export function formatDuration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`] : [];
  });
  return parts.join(' ') || '–';
}
