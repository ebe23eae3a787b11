import { LIMITS, TYPED_CODE_ALPHABET } from '@orchestrate/shared';
import type { Random } from '#platform/adapters/random.ts';

const CHOICES = 3;

/**
 * Generates two-digit numbers for number matching. The browser displays one number, and the device offers three to
 * pick from.
 */
export function drawMatchNumbers(random: Random): { matchNumber: string; numberChoices: string[] } {
  const draw = () => String(10 + random.below(90));
  const matchNumber = draw();
  const others = new Set<string>();
  while (others.size < CHOICES - 1) {
    const other = draw();
    if (other !== matchNumber) others.add(other);
  }
  return { matchNumber, numberChoices: [...others].toSpliced(random.below(CHOICES), 0, matchNumber) };
}

const TYPED_CODE = new RegExp(`^[${TYPED_CODE_ALPHABET}]{${LIMITS.typedCodeLength}}$`);

/**
 * Normalises a typed code to its issued form: upper case, without grouping spaces and hyphens.
 */
export const normaliseTyped = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** Returns the normalised typed code, or null if `code` was scanned and can't be a typed code. */
export function readTypedCode(code: string): string | null {
  const typed = normaliseTyped(code);
  return TYPED_CODE.test(typed) ? typed : null;
}
