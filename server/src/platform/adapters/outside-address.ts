import ipaddr from 'ipaddr.js';

/** Rules for requests to user-supplied URLs. */
export interface OutsidePolicy {
  /**
   * True if loopback and private networks are allowed, which is the case on a local portal or with
   * `ALLOW_PRIVATE_NETWORKS`.
   */
  allowsInside: boolean;
  /**
   * True if only this machine can reach the portal. Otherwise, all failures on this machine get the same message
   * (decision 081).
   */
  isLocal?: boolean;
  /** Origin that is always allowed, whatever its host resolves to. */
  ownOrigin?: string;
}

export const INTERNAL_NOT_ALLOWED = 'Loopback and private addresses are allowed only with ALLOW_PRIVATE_NETWORKS';
const RESERVED = 'Link-local and reserved addresses are not allowed';
const REBOUND = 'Only localhost can resolve to this machine';

/** Returns true if a hostname or address refers to this machine. @param host as in `URL.hostname` */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || rangeOf(withoutBrackets(host)) === 'loopback';
}

/**
 * Returns why a resolved address is not allowed for its host, or undefined if the address is allowed. To prevent DNS
 * rebinding, local hostnames must resolve to this machine, and no other hostname can.
 */
export function addressError({ allowsInside }: OutsidePolicy, host: string, address: string): string | undefined {
  const range = rangeOf(address);
  const isInside = range === 'loopback' || PRIVATE.has(range ?? '');
  if (isInside && !allowsInside) return INTERNAL_NOT_ALLOWED;
  if (isLoopbackHost(host) !== (range === 'loopback')) return REBOUND;
  return isInside || range === 'unicast' ? undefined : RESERVED;
}

/**
 * Returns true for hosts in a private network: private addresses, and hostnames without a dot such as container
 * names.
 */
export function isPrivateHost(host: string): boolean {
  const range = rangeOf(withoutBrackets(host));
  return range === undefined ? /^[a-z0-9_-]+$/i.test(host) : PRIVATE.has(range);
}

/**
 * Ranges of RFC 1918, RFC 4193 and RFC 6598. Excludes link-local addresses, where cloud providers serve credentials.
 */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/** IANA allocates public IPv6 addresses only from this block, so all other addresses are reserved. */
const PUBLIC_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Classifies an address by IANA's special-purpose registries, treating IPv4 within IPv6 as IPv4. Returns undefined if
 * the string isn't an address.
 */
function rangeOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  const isPublic = parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6);
  return range === 'unicast' && !isPublic ? 'reserved' : range;
}

/** Removes the brackets from an IPv6 address in a URL. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
