import ipaddr from 'ipaddr.js';

/**
 * IPv6 prefix length, in bits. Providers assign at least a /64 to each customer (RFC 6177 §2), so each /64 is treated
 * as one network.
 */
const IPV6_BITS = 64;

/**
 * Returns the network by which attempts from an address are counted: the address itself for IPv4, or its /64 for
 * IPv6, e.g. `2001:db8:0:7::/64`. IPv4 on an IPv6 socket is treated as IPv4 (RFC 4291 §2.5.5.2).
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${IPV6_BITS}`);
  return `${network.toString()}/${IPV6_BITS}`;
}
