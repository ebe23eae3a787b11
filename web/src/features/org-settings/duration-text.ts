const UNITS = [
  { minutes: 1_440, name: 'day' },
  { minutes: 60, name: 'hour' },
  { minutes: 1, name: 'minute' },
];

/** Whole minutes in words: `1 day 12 hours`, `45 minutes`; empty for anything but a positive whole number. */
export function durationText(minutes: number): string {
  if (!Number.isInteger(minutes) || minutes <= 0) return '';
  let rest = minutes;
  const parts = UNITS.flatMap(({ minutes: size, name }) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.join(' ');
}
