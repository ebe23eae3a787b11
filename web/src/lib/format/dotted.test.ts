import { afterEach, expect, test } from 'vitest';
import { joinWithDots } from './text.ts';

afterEach(() => {
  document.documentElement.dir = 'ltr';
});

test('isolates joined items only on right-to-left pages', () => {
  expect(joinWithDots('Avery', '', '09:48 AM')).toBe('Avery · 09:48 AM');
  document.documentElement.dir = 'rtl';
  expect(joinWithDots('Avery', undefined, '09:48 م')).toBe('\u2068Avery\u2069 · \u206809:48 م\u2069');
});
