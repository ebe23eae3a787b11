import { expect, test, vi } from 'vitest';
import { findChromium, requireChromium } from './find-chromium.ts';

test('prefers CHROMIUM_PATH', () => {
  expect(findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
});

test("fails without trying other browsers if CHROMIUM_PATH doesn't exist", () => {
  vi.stubEnv('CHROMIUM_PATH', '/no/such/chromium');
  expect(() => requireChromium()).toThrow('CHROMIUM_PATH does not exist: /no/such/chromium');
});
