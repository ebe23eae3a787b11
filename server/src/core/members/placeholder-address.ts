import type { memberRepo } from '@orchestrate/db';

/** RFC 2606 §2: an address of a member who has none, to which no mail ever goes. */
export const placeholderDomain = (orgCode: string): string => `@${orgCode}.invalid`;

export const hasAddress = ({
  primaryEmail,
  orgCode,
}: Pick<memberRepo.MemberRow, 'primaryEmail' | 'orgCode'>): boolean =>
  !primaryEmail.endsWith(placeholderDomain(orgCode));
