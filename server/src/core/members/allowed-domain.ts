import type { organisationRepo } from '@orchestrate/db';
import { Refusal } from '#platform/refusal.ts';

type Domains = Pick<organisationRepo.OrganisationRow, 'allowedEmailDomains'>;

const isListed = (email: string, { allowedEmailDomains }: Domains): boolean => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return allowedEmailDomains.some((known) => known.toLowerCase() === domain);
};

/** Returns true if the organisation allows the domain of an email address. An empty list allows all domains. */
export const isAllowedDomain = (email: string, organisation: Domains): boolean =>
  organisation.allowedEmailDomains.length === 0 || isListed(email, organisation);

/**
 * @param field the field of the request with the address
 * @throws Refusal INVALID_DOMAIN with an issue on `field`
 */
export function requireAllowedDomain(email: string, organisation: Domains, field: string): void {
  if (isAllowedDomain(email, organisation)) return;
  throw new Refusal('INVALID_DOMAIN', { issues: [{ path: field, message: domainSentence(organisation) }] });
}

/** Returns a message with the allowed domains; a long list is cut. */
export function domainSentence({ allowedEmailDomains: domains }: Domains): string {
  const shown = domains.slice(0, 5).join(', ');
  return `Only addresses of these domains are allowed: ${shown}${domains.length > 5 ? ' and others' : ''}`;
}

/**
 * Returns when an address from a directory counts as verified: immediately in the organisation's own domains, where the
 * directory assigns addresses; otherwise null, until the member verifies it.
 */
export const directoryProof = (email: string, organisation: Domains, now: number): number | null =>
  isListed(email, organisation) ? now : null;
