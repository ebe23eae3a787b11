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
 * Requires an email address in an allowed domain.
 * @param field the request field that contains the address
 * @throws Refusal INVALID_DOMAIN with an issue on `field`
 */
export function requireAllowedDomain(email: string, organisation: Domains, field: string): void {
  if (isAllowedDomain(email, organisation)) return;
  throw new Refusal('INVALID_DOMAIN', { issues: [{ path: field, message: allowedDomainsMessage(organisation) }] });
}

/** Returns a message that lists the allowed domains, shortened to five. */
export function allowedDomainsMessage({ allowedEmailDomains: domains }: Domains): string {
  const shown = domains.slice(0, 5).join(', ');
  return `Only addresses in these domains are allowed: ${shown}${domains.length > 5 ? ' and others' : ''}`;
}

/**
 * Returns the verification time of an address received from a directory. Addresses in the organisation's own domains
 * are verified immediately, because the directory assigns them. Otherwise returns null until the member verifies the
 * address.
 */
export const directoryVerifiedAt = (email: string, organisation: Domains, now: number): number | null =>
  isListed(email, organisation) ? now : null;
