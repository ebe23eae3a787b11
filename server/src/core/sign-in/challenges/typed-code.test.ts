import { expect, test } from 'vitest';
import { normaliseTyped, readTypedCode } from './codes.ts';

test.each(['ABCD2345', 'abcd2345', ' abcd 2345 ', 'ABCD-2345', 'a b c d-2 3 4 5'])(
  'reads %j as a typed code',
  (code) => {
    expect(readTypedCode(code)).toBe('ABCD2345');
  },
);

test.each(['', 'ABCD234', 'ABCD23456', 'ABCD234O', 'ABCD2341', 'ÀBCD2345', 'x1N9q0Zt3mA-b_8QwE5rTy'])(
  'does not read %j as a typed code',
  (code) => {
    expect(readTypedCode(code)).toBeNull();
  },
);

test('normalises a verification code like a typed code', () => {
  expect(normaliseTyped(' k 7')).toBe('K7');
});
