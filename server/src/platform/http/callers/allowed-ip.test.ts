import { expect, test } from 'vitest';
import { isAllowedIp } from './allowed-ip.ts';

// covers: security 15.3.4
test.each([
  ['if no ranges are set', '203.0.113.7', []],
  ['equal to an allowed address', '203.0.113.7', ['203.0.113.7']],
  ['in a range', '10.1.2.3', ['192.168.0.0/16', '10.0.0.0/8']],
  ['in an IPv4 range, as an IPv4-mapped IPv6 address', '::ffff:10.1.2.3', ['10.0.0.0/8']],
  ['in an IPv6 range', '2001:db8::7', ['2001:db8::/32']],
  ['equal to an allowed address in another notation', '2001:db8:0:0:0:0:0:7', ['2001:DB8::7']],
  ['in the range of all addresses', '203.0.113.7', ['0.0.0.0/0']],
])('allows an address %s', (_where, ip, ranges) => {
  expect(isAllowedIp(ip, ranges)).toBe(true);
});

test.each([
  ['outside the range', '11.1.2.3', ['10.0.0.0/8']],
  ['next to an allowed address', '203.0.113.8', ['203.0.113.7']],
  ['in IPv6 for an IPv4 range', '2001:db8::7', ['0.0.0.0/0']],
  ['that is malformed', 'nonsense', ['0.0.0.0/0']],
  ['for malformed ranges', '203.0.113.7', ['nonsense', '300.0.0.0/8', '10.0.0.0/99']],
  ['that is empty', '', ['0.0.0.0/0']],
])('refuses an address %s', (_why, ip, ranges) => {
  expect(isAllowedIp(ip, ranges)).toBe(false);
});
