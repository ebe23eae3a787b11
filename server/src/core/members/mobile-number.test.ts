import { expect, test } from 'vitest';
import { readMobileNumber } from './addresses.ts';

test.each([
  ['+46701234567', '+46701234567'],
  [' +46 (70) 123-45.67 ', '+46701234567'],
  ['0046701234567', '+46701234567'],
  ['', null],
  [undefined, null],
  ['0701234567', undefined],
  ['+0701234567', undefined],
  ['+123', undefined],
  ['+1234567890123456', undefined],
  ['+46abc1234567', undefined],
  ['call me', undefined],
])('reads %j as the mobile number %j', (text, number) => {
  expect(readMobileNumber(text)).toBe(number);
});
