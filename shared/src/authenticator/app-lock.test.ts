import { expect, test } from 'vitest';
import { createAppPin, isAppPin } from './app-lock.ts';

test('a PIN is recognised, another one is not, and the stored value does not reveal it', () => {
  const kept = createAppPin('482913');
  expect(isAppPin('482913', kept)).toBe(true);
  expect(isAppPin('482914', kept)).toBe(false);
  expect(JSON.stringify(kept)).not.toContain('482913');
});

test('the same PIN is stored differently on every phone', () => {
  expect(createAppPin('482913')).not.toEqual(createAppPin('482913'));
});
