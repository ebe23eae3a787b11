import { expect, test } from 'vitest';
import { formatDuration } from './numbers.ts';

// covers: spec 2.2.13
test.each([
  [0, '–'],
  [1, '1 second'],
  [90, '1 minute 30 seconds'],
  [28_800, '8 hours'],
  [86_400, '1 day'],
  [129_600, '1 day 12 hours'],
  [2_592_000, '30 days'],
])('formats %i seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
