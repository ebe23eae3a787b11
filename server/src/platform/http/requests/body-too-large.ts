import { Refusal } from '../../refusal.ts';

/** Returns a refusal that states the limit: BAD_REQUEST with HTTP 413. @param limit in bytes */
export const bodyTooLargeRefusal = (limit: number): Refusal =>
  new Refusal('BAD_REQUEST', { status: 413, message: `The body must be ${formatSize(limit)} or smaller.` });

const UNITS = [
  [1_048_576, 'MiB'],
  [1024, 'KiB'],
  [1000, 'kB'],
  [1, 'bytes'],
] as const;

/** Formats a size in the largest unit that yields a whole number. */
export function formatSize(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes'];
  return `${bytes / size} ${unit}`;
}
