import { getSecurity, type SecuritySettings, saveSecurity } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatIp, normaliseIpRange } from '#platform/ip-range.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('security.admin@acme.test'));
});
afterEach(() => portal.close());

const SETTINGS: SecuritySettings = {
  allowedIps: [],
  activationLinkDelayHours: 2,
  deviceLimit: 3,
  allowedEmailDomains: ['acme.test'],
  discloseUnknownUsers: true,
};

const read = async () => (await portal.call(getSecurity, {}, { token })).body;
const save = (changes: Partial<SecuritySettings>) =>
  portal.call(saveSecurity, { body: { ...SETTINGS, ...changes } }, { token });

test('returns the security settings with the member’s IP address', async () => {
  expect(await read()).toEqual({
    resultCode: 0,
    allowedIps: [],
    activationLinkDelayHours: 0,
    deviceLimit: 5,
    allowedEmailDomains: ['acme.test', 'consulting.test'],
    discloseUnknownUsers: true,
    ownIp: '127.0.0.1',
  });
});

test('normalises saved values and removes duplicates', async () => {
  const { body } = await save({
    allowedIps: ['127.0.0.0/8', '10.1.2.3/8', '::ffff:127.0.0.1', '2001:DB8:0:0::1/32', '127.1.1.1/8', '192.0.2.1/32'],
    allowedEmailDomains: ['ACME.test', 'acme.test', ' sub.acme.test '],
  });
  const stored = {
    resultCode: 0,
    allowedIps: ['127.0.0.0/8', '10.0.0.0/8', '127.0.0.1', '2001:db8::/32', '192.0.2.1'],
    activationLinkDelayHours: 2,
    deviceLimit: 3,
    allowedEmailDomains: ['acme.test', 'sub.acme.test'],
    discloseUnknownUsers: true,
    ownIp: '127.0.0.1',
  };
  expect(body).toEqual(stored);
  expect(await read()).toEqual(stored);
});

test('saves account privacy and keeps it if the client omits it', async () => {
  expect((await save({ discloseUnknownUsers: false })).body.discloseUnknownUsers).toBe(false);
  const { discloseUnknownUsers: _, ...others } = SETTINGS;
  const { body } = await portal.call(saveSecurity, { body: others }, { token });
  expect(body).toMatchObject({ resultCode: 0, discloseUnknownUsers: false });
});

test.each([
  '300.1.1.1',
  '10.0.0.0/33',
  '10.0.0',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '010.0.0.1',
  '0x7f.0.0.1',
  '2001:db8::/129',
  'fe80::1%eth0',
  '127.0.0.1:80',
  'localhost',
  '*',
  '10.0.0.0 - 10.0.0.9',
])('rejects %s because it isn’t an IP address or range', async (range) => {
  expect(await save({ allowedIps: ['127.0.0.1', range] })).toMatchObject({
    status: 400,
    body: {
      resultName: 'INVALID_REQUEST',
      issues: [{ path: 'allowedIps.1', message: expect.stringContaining('203.0.113.0/24') }],
    },
  });
  expect(await read()).toMatchObject({ allowedIps: [], deviceLimit: 5 });
});

// covers: spec 2.8.36
test('rejects addresses that would lock out the administrator (IP_NOT_VALID) and saves nothing', async () => {
  expect(await save({ allowedIps: ['10.0.0.0/8', '::1'] })).toMatchObject({
    status: 403,
    body: {
      resultName: 'IP_NOT_VALID',
      message: expect.stringContaining('127.0.0.1'),
      issues: [{ path: 'allowedIps' }],
    },
  });
  expect(await read()).toMatchObject({ allowedIps: [], deviceLimit: 5 });
});

test.each([
  ['deviceLimit', 0],
  ['deviceLimit', 51],
  ['deviceLimit', 1.5],
  ['activationLinkDelayHours', -1],
  ['activationLinkDelayHours', 25],
  ['activationLinkDelayHours', 'soon'],
  ['allowedEmailDomains', ['a b']],
  ['allowedEmailDomains', ['@acme.test']],
])('rejects %s %j', async (field, value) => {
  const refused = await save({ [field]: value });
  expect(refused).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST' } });
  expect(refused.body.issues?.[0]?.path).toMatch(new RegExp(`^${field}`));
});

test('normalises single-address ranges to an address, and IPv4-mapped IPv6 to IPv4', () => {
  expect(normaliseIpRange('::ffff:10.1.2.3/104')).toBe('10.0.0.0/8');
  expect(normaliseIpRange('::1/128')).toBe('::1');
  expect(normaliseIpRange('0.0.0.0/0')).toBe('0.0.0.0/0');
  expect(normaliseIpRange('::/0')).toBe('::/0');
  expect(formatIp('::ffff:192.0.2.7')).toBe('192.0.2.7');
});
