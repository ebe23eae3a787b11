import { Refusal } from '../../refusal.ts';

/** Returns a refusal with the limit: BAD_REQUEST with 413. @param limit in bytes */
export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal('BAD_REQUEST', { status: 413, message: `The body must be ${sizeOf(limit)} or smaller.` });

const UNITS = [
  [1_048_576, 'MiB'],
  [1024, 'KiB'],
  [1000, 'kB'],
  [1, 'bytes'],
] as const;

/** Formats a size in the largest unit that gives a whole number. */
export function sizeOf(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes'];
  return `${bytes / size} ${unit}`;
}
