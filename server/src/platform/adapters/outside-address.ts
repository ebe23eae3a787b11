import ipaddr from 'ipaddr.js';

/** Rules for requests to user-supplied addresses. */
export interface OutsidePolicy {
  /** True if loopback and private networks are allowed: on a local portal, or with `ALLOW_PRIVATE_NETWORKS`. */
  allowsInside: boolean;
  /** True if only this machine reaches the portal; only then are failures on it reported in detail (decision 081). */
  isLocal?: boolean;
  /** An origin that is allowed whatever its host resolves to. */
  ownOrigin?: string;
}

export const INSIDE = 'Loopback and private addresses are allowed only with ALLOW_PRIVATE_NETWORKS';
const RESERVED = 'Link-local and reserved addresses are not allowed';
const REBOUND = 'Only localhost can resolve to this machine';

/** Returns true if a host is this machine, by name or address. @param host as in `URL.hostname` */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || rangeOf(unbracketed(host)) === 'loopback';
}

/**
 * Returns the reason why an address that a host resolves to is not allowed; undefined if it is. Local host names must
 * resolve to this machine and no other name may, to prevent DNS rebinding.
 */
export function addressObstacle({ allowsInside }: OutsidePolicy, host: string, address: string): string | undefined {
  const range = rangeOf(address);
  const isInside = range === 'loopback' || PRIVATE.has(range ?? '');
  if (isInside && !allowsInside) return INSIDE;
  if (isLoopbackHost(host) !== (range === 'loopback')) return REBOUND;
  return isInside || range === 'unicast' ? undefined : RESERVED;
}

/** Returns true for hosts in a private network: names without a dot, as containers have, and private addresses. */
export function isPrivateHost(host: string): boolean {
  const range = rangeOf(unbracketed(host));
  return range === undefined ? /^[a-z0-9_-]+$/i.test(host) : PRIVATE.has(range);
}

/** RFC 1918, RFC 4193 and RFC 6598; not link-local, where clouds serve credentials. */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/** IANA assigns public IPv6 addresses only from here, so everything else is reserved. */
const PUBLIC_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Classifies an address by IANA's special-purpose registries; IPv4 within IPv6 counts as IPv4. Returns undefined for
 * anything that isn't an address.
 */
function rangeOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  const isPublic = parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6);
  return range === 'unicast' && !isPublic ? 'reserved' : range;
}

/** Removes the brackets of an IPv6 address in a URL. */
export const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
