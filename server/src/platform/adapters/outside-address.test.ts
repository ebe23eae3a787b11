import { expect, test } from 'vitest';
import { isAllowedAddress, isLoopbackHost } from './outside-address.ts';

test.each(['localhost', 'LOCALHOST'.toLowerCase(), 'app.localhost', 'localhost.', '127.0.0.1', '127.8.9.1', '[::1]'])(
  '%s is this machine',
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

test.each(['example.org', 'localhost.example.org', 'notlocalhost', '10.0.0.1', '[::]', '0.0.0.0'])(
  '%s is not this machine',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);

test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])('%s is allowed', (address) => {
  expect(isAllowedAddress('example.org', address, false)).toBe(true);
});

const PRIVATE = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1'];
const NEVER = [
  ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '169.254.169.254', 'fe80::1', '224.0.0.1', 'ff02::1'],
  ...['255.255.255.255', '198.18.0.1', '192.0.2.1', '240.0.0.1', '64:ff9b::a00:1', '2002:a00:1::1', '2001::1'],
  ...['2001:db8::1', 'nonsense', ''],
];

test.each(PRIVATE)('%s is allowed only together with private networks', (address) => {
  expect(isAllowedAddress('example.org', address, false)).toBe(false);
  expect(isAllowedAddress('example.org', address, true)).toBe(true);
});

test.each(NEVER)('%s is never allowed', (address) => {
  expect(isAllowedAddress('example.org', address, false)).toBe(false);
  expect(isAllowedAddress('example.org', address, true)).toBe(false);
});

test('a local name leads to this machine and nowhere else', () => {
  expect(isAllowedAddress('localhost', '127.0.0.1', false)).toBe(true);
  expect(isAllowedAddress('localhost', '::1', false)).toBe(true);
  expect(isAllowedAddress('localhost', '93.184.216.34', true)).toBe(false);
});
