import type { memberRepo } from '@orchestrate/db';

/** ITU-T E.164 §6.2: at most fifteen digits, of which the first is not 0. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * A mobile number in international form, without the characters people use to group its digits.
 * @returns null where there is none, undefined where it is not one.
 */
export function readMobileNumber(text: string | undefined): string | null | undefined {
  const number = (text ?? '').replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  if (number === '') return null;
  return E164.test(number) ? number : undefined;
}

/** Domain for members without an address, to which mail is never sent (RFC 2606 §2). */
export const placeholderDomain = (orgCode: string): string => `@${orgCode}.invalid`;

export const hasAddress = ({
  primaryEmail,
  orgCode,
}: Pick<memberRepo.MemberRow, 'primaryEmail' | 'orgCode'>): boolean =>
  !primaryEmail.endsWith(placeholderDomain(orgCode));
