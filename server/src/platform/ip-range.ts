import ipaddr from 'ipaddr.js';

const MAPPED_BITS = 96;

/**
 * Normalises an address or CIDR range. A range becomes its network address with prefix length, IPv6 is shortened (RFC
 * 5952), IPv4 within IPv6 becomes IPv4, and a range of one address becomes that address. Returns undefined for
 * anything else, including octal and hexadecimal IPv4.
 */
export function normaliseIpRange(range: string): string | undefined {
  const [, text = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(text);
  const isIpv6 = text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text);
  if (!isIpv4 && !isIpv6) return undefined;
  const most = isIpv4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (bits > most) return undefined;
  if (isIpv4) return networkOf(ipaddr.IPv4.networkAddressFromCIDR(`${text}/${bits}`).toString(), bits, most);
  const address = ipaddr.IPv6.parse(text);
  const isMapped = address.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  if (isMapped) return normaliseIpRange(`${address.toIPv4Address().toString()}/${bits - MAPPED_BITS}`);
  return networkOf(ipaddr.IPv6.networkAddressFromCIDR(`${text}/${bits}`).toRFC5952String(), bits, most);
}

const networkOf = (address: string, bits: number, most: number) => (bits === most ? address : `${address}/${bits}`);

/** Formats an address for display. IPv4 on an IPv6 socket is shown as IPv4 (RFC 4291 §2.5.5.2). */
export const formatIp = (ip: string): string => (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip);

const ALL_IPV4 = rangeOf('::ffff:0:0/96');
const ALL_IPV6 = rangeOf('::/0');

/**
 * Returns true if the ranges together cover all IPv4 or all IPv6 addresses. @param ranges normalised with
 * `normaliseIpRange`
 */
export function coversAllAddresses(ranges: readonly string[]): boolean {
  const sorted = ranges.map(rangeOf).toSorted((one, other) => (one.first < other.first ? -1 : 1));
  return [ALL_IPV4, ALL_IPV6].some(({ first, last }) => {
    let next = first;
    for (const range of sorted) if (range.first <= next && range.last >= next) next = range.last + 1n;
    return next > last;
  });
}

/** Returns the first and last address of a range as numbers. IPv4 is mapped into IPv6. */
function rangeOf(range: string): { first: bigint; last: bigint } {
  const [text = '', length] = range.split('/');
  const parsed = ipaddr.parse(text);
  const address = parsed instanceof ipaddr.IPv4 ? parsed.toIPv4MappedAddress() : parsed;
  const bits = length === undefined ? 128 : Number(length) + (parsed instanceof ipaddr.IPv4 ? MAPPED_BITS : 0);
  const first = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  return { first, last: first + (1n << BigInt(128 - bits)) - 1n };
}
