import { LIMITS, TYPED_CODE_ALPHABET } from '@orchestrate/shared';

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
