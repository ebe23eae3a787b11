import ipaddr from 'ipaddr.js';
import { Refusal } from '../../refusal.ts';

type Address = ReturnType<typeof ipaddr.process>;
type Test = (address: Address) => boolean;

/** A parsed list of allowed addresses, with cached results for recent addresses. */
interface ReadList {
  tests: readonly Test[];
  /** Results by IP address. */
  known: Map<string, boolean>;
}

/** Cache of parsed lists. A row's list stays the same object until the row changes, so each list is parsed once. */
const lists = new WeakMap<readonly string[], ReadList>();

const KNOWN_MAX = 1_000;

/**
 * Returns true if an address is in one of the ranges, or if there are no ranges. IPv4 on an IPv6 socket is treated as
 * IPv4 (RFC 4291 §2.5.5.2).
 * @param ranges addresses and CIDR ranges, which must not be modified later; an invalid entry matches no address
 */
export function isAllowedIp(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  const list = lists.get(ranges) ?? read(ranges);
  const known = list.known.get(ip);
  if (known !== undefined) return known;
  const address = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  const isAllowed = address !== undefined && list.tests.some((holds) => holds(address));
  if (list.known.size >= KNOWN_MAX) list.known.clear();
  list.known.set(ip, isAllowed);
  return isAllowed;
}

function read(ranges: readonly string[]): ReadList {
  const list = { tests: ranges.map(testOf), known: new Map<string, boolean>() };
  lists.set(ranges, list);
  return list;
}

function testOf(range: string): Test {
  if (ipaddr.isValid(range)) {
    const one = ipaddr.process(range).toNormalizedString();
    return (address) => address.toNormalizedString() === one;
  }
  if (!ipaddr.isValidCIDR(range)) return () => false;
  const [network, bits] = ipaddr.parseCIDR(range);
  return (address) => network.kind() === address.kind() && address.match(network, bits);
}

/**
 * Requires that the organisation allows an IP address.
 * @throws Refusal IP_NOT_VALID if it doesn't
 */
export function requireAllowedIp(ip: string, { allowedIps }: { readonly allowedIps: readonly string[] }): void {
  if (!isAllowedIp(ip, allowedIps)) throw new Refusal('IP_NOT_VALID');
}
