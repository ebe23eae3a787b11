import { expect, test } from 'vitest';
import { pairingStateOf, readConfirmation } from './add-device-live.ts';

const NOW = 1_000_000;
const started: Parameters<typeof pairingStateOf>[0] = {
  status: 'pending',
  expiresAt: NOW + 120_000,
  pairing: null,
  deviceName: null,
  resultCode: null,
};
const pairing = {
  pairingId: 'pairing',
  device: { name: 'Pixel 9', type: 'mobile' as const, platform: 'Android' },
  publicKey: { kty: 'EC' as const, crv: 'P-256' as const, x: 'x', y: 'y' },
  thumbprint: 'thumbprint',
};
const scanned = { ...started, pairing, deviceName: 'Pixel 9' };
const typed = { ...scanned, pairing: { ...pairing, verificationCode: 'K7' } };

// covers: spec 1.4.8
test('goes through every state from the code to the added device', () => {
  expect(pairingStateOf(started, NOW)).toMatchObject({ respType: 'start', resultCode: 0, expiresAt: NOW + 120_000 });
  expect(pairingStateOf(scanned, NOW)).toMatchObject({ respType: 'notify', resultCode: 0, deviceName: 'Pixel 9' });
  expect(pairingStateOf({ ...scanned, status: 'approved' }, NOW)).toMatchObject({
    respType: 'complete',
    resultCode: 0,
  });
});

test.each([
  ['an expired code', started, NOW + 120_000, 'code-expired', 10],
  [
    'a code replaced by a newer one',
    { ...started, status: 'cancelled', resultCode: 'EXPIRED' },
    NOW,
    'code-expired',
    10,
  ],
  [
    'a member who declined',
    { ...scanned, status: 'cancelled', resultCode: 'ADD_DEVICE_NO_CONSENT' },
    NOW,
    'confirm',
    83,
  ],
  ['a wrong code', { ...typed, status: 'denied', resultCode: 'INVALID_VALIDATION_CODE' }, NOW, 'confirm', 22],
  [
    'a reached device limit',
    { ...scanned, status: 'denied', resultCode: 'DEVICE_ADD_LIMIT_REACHED' },
    NOW,
    'limit-reached',
    36,
  ],
  ['a key in use', { ...scanned, status: 'denied', resultCode: 'ORG_ALREADY_ENABLED' }, NOW, 'confirm', 17],
] as const)('reports the result of an attempt that ended with %s', (_, challenge, now, respType, resultCode) => {
  expect(pairingStateOf(challenge, now)).toMatchObject({ respType, resultCode });
});

test('requires confirmation of a device, and a verification code too if its code was typed', () => {
  expect(readConfirmation(scanned, { confirm: 'yes' }, NOW)).toBe('register');
  expect(readConfirmation(typed, { confirm: 'yes', validationCode: ' k7' }, NOW)).toBe('register');
  expect(readConfirmation(typed, { confirm: 'yes', validationCode: 'K8' }, NOW)).toBe('wrong-code');
  expect(readConfirmation(typed, { confirm: 'yes' }, NOW)).toBe('wrong-code');
});

test('cancels on every denial, and ignores a confirmation before a device has connected', () => {
  expect(readConfirmation(started, { confirm: 'no' }, NOW)).toBe('cancel');
  expect(readConfirmation(typed, { confirm: 'no' }, NOW)).toBe('cancel');
  expect(readConfirmation(started, { confirm: 'yes', validationCode: 'K7' }, NOW)).toBe('early');
});

test('accepts no confirmation once the attempt has ended', () => {
  expect(readConfirmation(scanned, { confirm: 'yes' }, NOW + 120_000)).toBe('over');
  expect(readConfirmation({ ...scanned, status: 'approved' }, { confirm: 'no' }, NOW)).toBe('over');
});
