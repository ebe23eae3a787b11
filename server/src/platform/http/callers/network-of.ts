import ipaddr from 'ipaddr.js';

/** A provider gives each customer at least a whole /64 (RFC 6177 §2): addresses within it are one network. */
const IPV6_BITS = 64;

/**
 * The network under which attempts from an address are counted: the address itself for IPv4, its /64 for IPv6, e.g.
 * `2001:db8:0:7::/64`. IPv4 as it arrives on an IPv6 socket counts as IPv4 (RFC 4291 §2.5.5.2).
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${IPV6_BITS}`);
  return `${network.toString()}/${IPV6_BITS}`;
}
