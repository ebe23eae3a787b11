import { LIMITS } from '@orchestrate/shared';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useResultReset } from './invite-result.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

// covers: spec 1.4.32
test('removes a result after six seconds', () => {
  const onReset = vi.fn();
  const { result } = renderHook(() => useResultReset(false, onReset));
  pass(LIMITS.inviteResultResetMs - 1_000);
  expect(result.current).toBe(1);
  expect(onReset).not.toHaveBeenCalled();
  pass(1_000);
  expect(onReset).toHaveBeenCalledOnce();
});

test('pauses the countdown on hover or focus', () => {
  const onReset = vi.fn();
  const { rerender } = renderHook(({ isHeld }) => useResultReset(isHeld, onReset), { initialProps: { isHeld: false } });
  pass(4_000);
  rerender({ isHeld: true });
  pass(60_000);
  expect(onReset).not.toHaveBeenCalled();
  rerender({ isHeld: false });
  pass(2_000);
  expect(onReset).toHaveBeenCalledOnce();
});
