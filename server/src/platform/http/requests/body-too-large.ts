import { Refusal } from '../../refusal.ts';

/** Says how much is allowed. @param limit in bytes @returns BAD_REQUEST with 413 */
export const bodyTooLarge = (limit: number): Refusal =>
  new Refusal('BAD_REQUEST', { status: 413, message: `The body must be ${sizeOf(limit)} or smaller.` });

const UNITS = [
  [1_048_576, 'MiB'],
  [1024, 'KiB'],
  [1000, 'kB'],
  [1, 'bytes'],
] as const;

/** In the largest unit of which it is a whole number. */
export function sizeOf(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes'];
  return `${bytes / size} ${unit}`;
}
