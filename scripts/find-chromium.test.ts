import { expect, test, vi } from 'vitest';
import { findChromium, requireChromium } from './find-chromium.ts';

test('CHROMIUM_PATH takes precedence', () => {
  expect(findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
});

test('a CHROMIUM_PATH that names no file is reported, and nothing else is tried or installed', () => {
  vi.stubEnv('CHROMIUM_PATH', '/no/such/chromium');
  expect(() => requireChromium()).toThrow('CHROMIUM_PATH names no file: /no/such/chromium');
});
