import { LIMITS, TYPED_CODE_ALPHABET } from '@orchestrate/shared';

const TYPED_CODE = new RegExp(`^[${TYPED_CODE_ALPHABET}]{${LIMITS.typedCodeLength}}$`);

/** What a person typed, as it was given out: upper case, without the spaces and hyphens of reading it in groups. */
export const normaliseTyped = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** The typed code in `code`, or null where it cannot be one and so was scanned. */
export function readTypedCode(code: string): string | null {
  const typed = normaliseTyped(code);
  return TYPED_CODE.test(typed) ? typed : null;
}
