import ipaddr from 'ipaddr.js';

/** Where requests to addresses that people have entered can go. */
export interface OutsidePolicy {
  /** Whether they can reach loopback and private networks: on a local portal, or with `ALLOW_PRIVATE_NETWORKS`. */
  allowsInside: boolean;
  /** Whether only this machine reaches the portal, so that failures on it can be told apart (decision 081). */
  isLocal?: boolean;
  /** An origin that they can reach, whatever its host resolves to. */
  ownOrigin?: string;
}

export const INSIDE = 'Loopback and private addresses are allowed only with ALLOW_PRIVATE_NETWORKS';
const RESERVED = 'Link-local and reserved addresses are not allowed';
const REBOUND = 'Only localhost can resolve to this machine';

/** Whether a host is this machine itself, by name or address. @param host as in `URL.hostname` */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || rangeOf(unbracketed(host)) === 'loopback';
}

/**
 * Why an address to which a host resolves must not be reached; undefined if it may be. A host that calls itself local
 * must be local, and no other host may be: an outside name that resolves to here is an attempt to reach in (DNS
 * rebinding).
 */
export function addressObstacle({ allowsInside }: OutsidePolicy, host: string, address: string): string | undefined {
  const range = rangeOf(address);
  const isInside = range === 'loopback' || PRIVATE.has(range ?? '');
  if (isInside && !allowsInside) return INSIDE;
  if (isLoopbackHost(host) !== (range === 'loopback')) return REBOUND;
  return isInside || range === 'unicast' ? undefined : RESERVED;
}

/** Whether a host can only be in a private network: a name without a dot, as containers have, or a private address. */
export function isPrivateHost(host: string): boolean {
  const range = rangeOf(unbracketed(host));
  return range === undefined ? /^[a-z0-9_-]+$/i.test(host) : PRIVATE.has(range);
}

/** RFC 1918, RFC 4193 and RFC 6598; never link-local, where clouds keep credentials. */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/** IANA assigns public IPv6 addresses only from here, so everything else is reserved. */
const PUBLIC_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * By IANA's special-purpose registries; IPv4 within IPv6 is judged as IPv4. Undefined for anything that isn't an
 * address.
 */
function rangeOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  const isPublic = parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6);
  return range === 'unicast' && !isPublic ? 'reserved' : range;
}

/** A host without the brackets in which a URL writes IPv6 addresses. */
export const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
