import { plural } from '@lingui/core/macro';
import { formatNumber } from './number.ts';

const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** `50 MB`, `1.5 KB`, `0 Bytes`, `1 Byte`: in units of 1024, with at most one decimal. */
export function formatFileSize(bytes: number): string {
  const inUnit = (unit: number) => Number((bytes / 1024 ** unit).toFixed(1));
  if (bytes < 1024) return plural(bytes, { one: '# Byte', other: '# Bytes' });
  let unit = 1;
  while (inUnit(unit) >= 1024 && unit < UNITS.length) unit += 1;
  return `${formatNumber(inUnit(unit))} ${UNITS[unit - 1]}`;
}
