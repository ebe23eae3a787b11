import { expect, test } from 'vitest';
import { createAppPin, isAppPin } from './app-lock.ts';

test('accepts only the correct PIN and stores none in plain text', () => {
  const stored = createAppPin('482913');
  expect(isAppPin('482913', stored)).toBe(true);
  expect(isAppPin('482914', stored)).toBe(false);
  expect(JSON.stringify(stored)).not.toContain('482913');
});

test('hashes the same PIN differently on every phone', () => {
  expect(createAppPin('482913')).not.toEqual(createAppPin('482913'));
});
