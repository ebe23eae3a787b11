import { expect, test } from 'vitest';
import { activationStateOf, formatRemainingTime } from './activation-state.ts';

const valid = {
  activationCode: '482913',
  activationExpiry: '2026-03-03T09:30:00.000Z',
  activationExpired: false,
  activationLocked: false,
};

// covers: spec 1.4.26
test('distinguishes valid, expired, locked and missing codes', () => {
  expect(activationStateOf(valid)).toBe('valid');
  expect(activationStateOf({ ...valid, activationExpired: true })).toBe('expired');
  expect(activationStateOf({ ...valid, activationExpired: true, activationLocked: true })).toBe('locked');
  expect(activationStateOf({ ...valid, activationExpiry: null, activationExpired: true })).toBe('none');
});

test('formats the remaining time in hours, minutes or, at the end, seconds', () => {
  expect(
    [86_400, 86_399, 3_660, 3_600, 3_599, 61, 60, 59.2, 0, -5].map((seconds) => formatRemainingTime(seconds * 1_000)),
  ).toEqual([
    '24 h 0 min',
    '24 h 0 min',
    '1 h 1 min',
    '1 h 0 min',
    '1 h 0 min',
    '2 min',
    '1 min',
    '1 min',
    '0 s',
    '0 s',
  ]);
});
