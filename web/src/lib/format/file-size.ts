import { t } from '@lingui/core/macro';
import { formatNumber } from './number.ts';

const UNITS = [t`Bytes`, 'KB', 'MB', 'GB', 'TB'];

/** `50 MB`, `1.5 KB`, `0 Bytes`, `1 Byte`: in units of 1024, with at most one decimal. */
export function formatFileSize(bytes: number): string {
  const inUnit = (unit: number) => Number((bytes / 1024 ** unit).toFixed(1));
  let unit = 0;
  while (inUnit(unit) >= 1024 && unit < UNITS.length - 1) unit += 1;
  return bytes === 1 ? t`1 Byte` : `${formatNumber(inUnit(unit))} ${UNITS[unit]}`;
}
