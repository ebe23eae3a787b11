import type { memberRepo } from '@orchestrate/db';

/** Domain for members without an address, to which mail is never sent (RFC 2606 §2). */
export const placeholderDomain = (orgCode: string): string => `@${orgCode}.invalid`;

export const hasAddress = ({
  primaryEmail,
  orgCode,
}: Pick<memberRepo.MemberRow, 'primaryEmail' | 'orgCode'>): boolean =>
  !primaryEmail.endsWith(placeholderDomain(orgCode));
