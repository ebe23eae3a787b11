import { expect, test } from 'vitest';
import { minutesText } from '../shared/login-option-switches.tsx';

test.each([
  [1, '1 minute'],
  [45, '45 minutes'],
  [720, '12 hours'],
  [1_530, '1 day 1 hour 30 minutes'],
  [5_256_000, '3,650 days'],
])('formats %i minutes as %s', (minutes, text) => expect(minutesText(minutes)).toBe(text));

test.each([0, -5, 1.5, Number.NaN])('returns an empty string for %d', (minutes) =>
  expect(minutesText(minutes)).toBe(''),
);
