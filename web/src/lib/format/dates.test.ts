import { expect, test } from 'vitest';
import { formatDateTime, formatDateTimeSeconds } from './dates.ts';

const afternoon = new Date(2026, 10, 20, 14, 2, 9);

// covers: spec 1.9.8
test('formats a time as dd MMM yyyy, hh:mm a', () => {
  expect(formatDateTime(afternoon)).toBe('20 Nov 2026, 02:02\u00a0PM');
  expect(formatDateTime(afternoon.toISOString())).toBe('20 Nov 2026, 02:02\u00a0PM');
  expect(formatDateTime(afternoon.getTime())).toBe('20 Nov 2026, 02:02\u00a0PM');
});

// covers: spec 1.2.35
test('adds seconds to the refresh time', () => {
  expect(formatDateTimeSeconds(afternoon)).toBe('20 Nov 2026, 02:02:09\u00a0PM');
});

test('formats a missing or invalid time as N/A', () => {
  for (const nothing of [null, undefined, '', 'yesterday', Number.NaN]) expect(formatDateTime(nothing)).toBe('N/A');
});
