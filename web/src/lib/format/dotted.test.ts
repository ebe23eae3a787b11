import { afterEach, expect, test } from 'vitest';
import { dotted } from './text.ts';

afterEach(() => {
  document.documentElement.dir = 'ltr';
});

test('the parts of a line are isolated only where the page runs from right to left', () => {
  expect(dotted('Avery', '', '09:48 AM')).toBe('Avery · 09:48 AM');
  document.documentElement.dir = 'rtl';
  expect(dotted('Avery', undefined, '09:48 م')).toBe('\u2068Avery\u2069 · \u206809:48 م\u2069');
});
