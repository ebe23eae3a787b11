import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCopy } from './use-copy.ts';

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

/** Stubs the browser's clipboard, which jsdom doesn't have. */
const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.stubGlobal('navigator', { clipboard: { writeText } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

// covers: spec 1.9.6, spec 2.2.33
test('confirms copying for three seconds after the last copy', async () => {
  const copied: string[] = [];
  clipboard((text) => Promise.resolve(void copied.push(text)));
  const { result } = renderHook(() => useCopy('123456'));
  expect(result.current.isCopied).toBe(false);
  await act(() => result.current.copy());
  pass(2_000);
  await act(() => result.current.copy());
  expect(copied).toEqual(['123456', '123456']);
  pass(2_999);
  expect(result.current.isCopied).toBe(true);
  pass(1);
  expect(result.current.isCopied).toBe(false);
});

// covers: spec 1.8.17
test('only logs a clipboard failure', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  clipboard(() => Promise.reject(new Error('not allowed')));
  const { result } = renderHook(() => useCopy('123456'));
  await act(() => result.current.copy());
  expect(result.current.isCopied).toBe(false);
  expect(log).toHaveBeenCalledOnce();
});
