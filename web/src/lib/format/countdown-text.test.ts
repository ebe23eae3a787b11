import { expect, test } from 'vitest';
import { formatCountdown } from './text.ts';

test('rounds a countdown up and stops at zero', () => {
  expect(formatCountdown(83)).toBe('1:23');
  expect(formatCountdown(4.2)).toBe('0:05');
  expect(formatCountdown(0)).toBe('0:00');
  expect(formatCountdown(-3)).toBe('0:00');
});
