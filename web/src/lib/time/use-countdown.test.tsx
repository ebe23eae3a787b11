import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCountdown } from './timers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const countdown = (seconds: number) =>
  renderHook(({ key }) => useCountdown(seconds, key), { initialProps: { key: 'first' } });

// covers: spec 1.4.15, spec 1.9.7
test('ticks every 400 ms', () => {
  const { result } = countdown(60);
  expect(result.current.secondsLeft).toBe(60);
  pass(399);
  expect(result.current.secondsLeft).toBe(60);
  pass(1);
  expect(result.current.secondsLeft).toBeCloseTo(59.6);
});

test('highlights the last ten seconds', () => {
  const { result } = countdown(60);
  pass(48_000);
  expect(result.current.isEnding).toBe(false);
  pass(2_400);
  expect(result.current).toMatchObject({ isEnding: true, isExpired: false });
});

test('expires, and restarts for a new code', () => {
  const { result, rerender } = countdown(60);
  pass(61_000);
  expect(result.current).toEqual({ secondsLeft: 0, fraction: 0, isEnding: false, isExpired: true });
  rerender({ key: 'second' });
  expect(result.current).toMatchObject({ secondsLeft: 60, fraction: 1, isExpired: false });
  pass(30_000);
  expect(result.current.fraction).toBeCloseTo(0.5);
});
