import type { memberRepo } from '@orchestrate/db';

/** ITU-T E.164 §6.2: at most fifteen digits, not starting with 0. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * Normalises a mobile number to international format, without grouping characters.
 * @returns null if the text is empty, undefined if it isn't a valid mobile number
 */
export function readMobileNumber(text: string | undefined): string | null | undefined {
  const number = (text ?? '').replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  if (number === '') return null;
  return E164.test(number) ? number : undefined;
}

/** Returns the email domain for members without an address. No email is ever sent to it (RFC 2606 §2). */
export const placeholderDomain = (orgCode: string): string => `@${orgCode}.invalid`;

export const hasEmailAddress = ({
  primaryEmail,
  orgCode,
}: Pick<memberRepo.MemberRow, 'primaryEmail' | 'orgCode'>): boolean =>
  !primaryEmail.endsWith(placeholderDomain(orgCode));
