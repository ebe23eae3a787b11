import { expect, test, vi } from 'vitest';
import { findChromium, requireChromium } from './find-chromium.ts';

test('CHROMIUM_PATH has the first word', () => {
  expect(findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
});

test('a CHROMIUM_PATH that names no file is said, and nothing else is tried or installed', () => {
  vi.stubEnv('CHROMIUM_PATH', '/no/such/chromium');
  expect(() => requireChromium()).toThrow('CHROMIUM_PATH names no file: /no/such/chromium');
});
