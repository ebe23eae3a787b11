import { afterEach, expect, test } from 'vitest';
import { dotted } from './text.ts';

afterEach(() => {
  document.documentElement.dir = 'ltr';
});

test('isolates the parts of a line only on right-to-left pages', () => {
  expect(dotted('Avery', '', '09:48 AM')).toBe('Avery · 09:48 AM');
  document.documentElement.dir = 'rtl';
  expect(dotted('Avery', undefined, '09:48 م')).toBe('\u2068Avery\u2069 · \u206809:48 م\u2069');
});
