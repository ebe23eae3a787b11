import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { learnPortalTime, portalNow } from './portal-time.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-02T09:30:00.000Z') }));
afterEach(() => {
  learnPortalTime(new Headers({ date: new Date().toUTCString() }));
  vi.useRealTimers();
});

test('follows the portal’s clock if the browser’s clock is wrong', () => {
  learnPortalTime(new Headers({ date: 'Mon, 02 Mar 2026 09:35:00 GMT' }));
  vi.advanceTimersByTime(60_000);
  expect(new Date(portalNow()).toISOString()).toBe('2026-03-02T09:36:00.000Z');
});

test('ignores a response without a time', () => {
  learnPortalTime(new Headers());
  learnPortalTime(new Headers({ date: 'now' }));
  expect(new Date(portalNow()).toISOString()).toBe('2026-03-02T09:30:00.000Z');
});
