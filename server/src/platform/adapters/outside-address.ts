import ipaddr from 'ipaddr.js';

/** A part of this machine's own network, by name or address. @param host as in `URL.hostname` */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || rangeOf(unbracketed(host)) === 'loopback';
}

/**
 * Whether an address that a host has may be connected to. What calls itself local must be, and nothing else may: a name
 * of the outside that leads here is somebody's attempt to reach in (DNS rebinding).
 */
export function isAllowedAddress(host: string, address: string, allowPrivateNetworks: boolean): boolean {
  const range = rangeOf(address);
  if (isLoopbackHost(host)) return range === 'loopback';
  return range === 'unicast' || (allowPrivateNetworks && PRIVATE.has(range ?? ''));
}

/** What `ALLOW_PRIVATE_NETWORKS` opens: RFC 1918, RFC 4193 and RFC 6598; never link-local, where clouds keep credentials. */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/** By IANA's special-purpose registries; IPv4 within IPv6 counts as what it is. Undefined for what is no address. */
function rangeOf(address: string): string | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() : undefined;
}

/** The address of a host that is one: a URL writes IPv6 in brackets. */
export const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
