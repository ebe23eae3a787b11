import ipaddr from 'ipaddr.js';

/** Whether a host is this machine itself, by name or address. @param host as in `URL.hostname` */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || rangeOf(unbracketed(host)) === 'loopback';
}

/**
 * Whether an address to which a host resolves may be connected to. A host that calls itself local must be local, and no
 * other host may be: an outside name that resolves to here is an attempt to reach in (DNS rebinding).
 */
export function isAllowedAddress(host: string, address: string, allowPrivateNetworks: boolean): boolean {
  const range = rangeOf(address);
  if (isLoopbackHost(host)) return range === 'loopback';
  return range === 'unicast' || (allowPrivateNetworks && PRIVATE.has(range ?? ''));
}

/**
 * The ranges that `ALLOW_PRIVATE_NETWORKS` opens: RFC 1918, RFC 4193 and RFC 6598; never link-local, where clouds keep
 * credentials.
 */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * By IANA's special-purpose registries; IPv4 within IPv6 is judged as IPv4. Undefined for anything that isn't an
 * address.
 */
function rangeOf(address: string): string | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() : undefined;
}

/** A host without the brackets in which a URL writes IPv6 addresses. */
export const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
