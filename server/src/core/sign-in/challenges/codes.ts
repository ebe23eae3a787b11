import { LIMITS, TYPED_CODE_ALPHABET } from '@orchestrate/shared';
import type { Random } from '#platform/adapters/random.ts';

const CHOICES = 3;

/** Two-digit numbers for number matching: the browser shows one, the device offers three and the person picks one. */
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
 * Normalises what a person typed to the form in which it was issued: upper case, without the spaces and hyphens used to
 * group it.
 */
export const normaliseTyped = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** The typed code in `code`, or null if it cannot be one and so was scanned. */
export function readTypedCode(code: string): string | null {
  const typed = normaliseTyped(code);
  return TYPED_CODE.test(typed) ? typed : null;
}
