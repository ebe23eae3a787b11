import type { organisationRepo } from '@orchestrate/db';
import ipaddr from 'ipaddr.js';
import { Refusal } from './refusal.ts';

/**
 * Whether an address lies in one of the ranges; any does where there are none. IPv4 as it arrives on an IPv6 socket is
 * IPv4 (RFC 4291 §2.5.5.2).
 * @param ranges addresses and CIDR ranges; what is neither holds nobody.
 */
export function isAllowedIp(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    if (ipaddr.isValid(range)) return ipaddr.process(range).toNormalizedString() === address.toNormalizedString();
    if (!ipaddr.isValidCIDR(range)) return false;
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** @throws Refusal IP_NOT_VALID (69) where the organisation lets nobody in from there */
export function requireAllowedIp(ip: string, { allowedIps }: organisationRepo.OrganisationRow): void {
  if (!isAllowedIp(ip, allowedIps)) throw new Refusal('IP_NOT_VALID');
}
