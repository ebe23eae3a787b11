import { expect, test } from 'vitest';
import { qrAddress } from '../qr-address.ts';
import { readScanned } from './read-scanned.ts';

// covers: spec 1.7.37
test('distinguishes sign-in, device-test and add-device URLs', () => {
  const template = 'http://localhost:3000/authenticator';
  const signIn = { kind: 'sign-in', orgCode: 'acme', qidCode: 'q-1' } as const;
  const addDevice = { kind: 'add-device', orgCode: 'acme', aid: 'a-1' } as const;

  expect(readScanned(qrAddress(template, signIn))).toEqual(signIn);
  expect(readScanned(` ${qrAddress(template, addDevice)}\n`)).toEqual(addDevice);
});

test.each(['ABCD2345', 'abcd 2345', ' ab-cd-23-45 '])('parses %j as the code ABCD2345', (typed) => {
  expect(readScanned(typed)).toEqual({ kind: 'typed', code: 'ABCD2345' });
});

test.each(['', 'ABCD234', 'ABCD23456', 'ÄBCD2345', 'https://example.test/', 'mailto:someone@acme.test'])(
  'rejects %j',
  (typed) => {
    expect(readScanned(typed)).toBeNull();
  },
);
