import { z } from 'zod';
import { text } from '../../fields.ts';

/** A time: ISO 8601 in UTC, or an offset from the world's start, e.g. `-3d`, `-90m` or `+2h`. */
export const moment = z.string().superRefine((written, context) => {
  if (z.iso.datetime().safeParse(written).success) return;
  if (DISTANCE.test(written)) {
    if (Math.abs(timeOfMoment(written, 0)) <= DISTANCE_MAX) return;
    context.addIssue({ code: 'custom', message: 'Offsets can be at most 200 years: 73000d' });
    return;
  }
  context.addIssue({
    code: 'custom',
    message: 'Enter a time such as 2026-11-20T08:00:00Z, or an offset such as -3d or +2h',
  });
});

const DISTANCE = /^([+-])(\d{1,6})([smhd])$/;
/** Maximum offset, in milliseconds. With a larger offset, the year could have more than four digits. */
const DISTANCE_MAX = 73_000 * 86_400_000;
const MS_IN: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Converts a `moment` to milliseconds.
 * @param base the world's start, in milliseconds
 */
export function timeOfMoment(written: string, base: number): number {
  // Most values are absolute times, of which a world has thousands, so they are parsed first.
  const sign = written[0];
  if (sign !== '+' && sign !== '-') return Date.parse(written);
  const [, , count, unit = ''] = DISTANCE.exec(written) ?? [];
  return base + (sign === '-' ? -1 : 1) * Number(count) * (MS_IN[unit] ?? 0);
}

/** Binary data in base64. */
export const base64 = z.base64('This is not valid base64');

/** A logo as the portal stores it. */
export const worldLogo = z.strictObject({
  /** Media type, e.g. `image/png`. */
  contentType: text(100),
  /** The image, in base64. */
  bytes: base64,
});
