import { expect, test } from 'vitest';
import { addressError, isLoopbackHost } from './outside-address.ts';

test.each(['localhost', 'LOCALHOST'.toLowerCase(), 'app.localhost', 'localhost.', '127.0.0.1', '127.8.9.1', '[::1]'])(
  'recognises %s as this machine',
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

test.each(['example.org', 'localhost.example.org', 'notlocalhost', '10.0.0.1', '[::]', '0.0.0.0'])(
  'does not treat %s as this machine',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);

const obstacle = (host: string, address: string, allowsInside: boolean) =>
  addressError({ allowsInside }, host, address);

test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])('allows %s', (address) => {
  expect(obstacle('example.org', address, false)).toBeUndefined();
});

const PRIVATE = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1'];
const LOOPBACK = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'];
const NEVER = [
  '0.0.0.0',
  '::',
  '169.254.169.254',
  'fe80::1',
  '224.0.0.1',
  'ff02::1',
  'fec0::1',
  '4000::1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.2.1',
  '240.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
  '2001::1',
  '64:ff9b:1::7f00:1',
  '::ffff:0:127.0.0.1',
  '::7f00:1',
  '2001:db8::1',
  'nonsense',
  '',
];

test.each(PRIVATE)('allows %s only if the policy allows private networks', (address) => {
  expect(obstacle('example.org', address, false)).toMatch('allowed only with ALLOW_PRIVATE_NETWORKS');
  expect(obstacle('example.org', address, true)).toBeUndefined();
});

test.each(LOOPBACK)('never allows a public hostname to resolve to %s', (address) => {
  expect(obstacle('example.org', address, false)).toMatch('allowed only with ALLOW_PRIVATE_NETWORKS');
  expect(obstacle('example.org', address, true)).toBe('Only localhost can resolve to this machine');
});

test.each(NEVER)('never allows %s', (address) => {
  for (const allowsInside of [false, true]) {
    expect(obstacle('example.org', address, allowsInside)).toBe('Link-local and reserved addresses are not allowed');
  }
});

test('accepts a local hostname only if it resolves to this machine', () => {
  expect(obstacle('localhost', '127.0.0.1', true)).toBeUndefined();
  expect(obstacle('localhost', '::1', true)).toBeUndefined();
  for (const address of ['93.184.216.34', '10.0.0.1']) {
    expect(obstacle('localhost', address, true)).toBe('Only localhost can resolve to this machine');
  }
  expect(obstacle('localhost', '127.0.0.1', false)).toMatch('allowed only with ALLOW_PRIVATE_NETWORKS');
});
