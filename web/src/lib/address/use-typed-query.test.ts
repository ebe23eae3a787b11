import { LIMITS } from '@orchestrate/shared';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTypedQuery } from './use-typed-query.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pause = () => act(() => vi.advanceTimersByTime(LIMITS.searchDebounceMs));

function open(query = '') {
  const searched: string[] = [];
  const { result, rerender } = renderHook((address: string) => useTypedQuery(address, (text) => searched.push(text)), {
    initialProps: query,
  });
  return { field: result, address: (now: string) => act(() => rerender(now)), searched };
}

test('shows typed text immediately and searches when typing pauses', () => {
  const { field, searched, address } = open();
  act(() => field.current.type('ac'));
  act(() => field.current.type('acme'));
  expect(field.current.typed).toBe('acme');
  expect(searched).toEqual([]);
  pause();
  address('acme');
  expect(searched).toEqual(['acme']);
  expect(field.current.typed).toBe('acme');
});

test('keeps later typing if an earlier search reaches the URL late', () => {
  const { field, searched, address } = open();
  act(() => field.current.type('a'));
  pause();
  act(() => field.current.type('ac'));
  pause();
  act(() => field.current.type('acm'));
  address('a');
  expect(field.current.typed).toBe('acm');
  address('ac');
  expect(field.current.typed).toBe('acm');
  pause();
  expect(searched).toEqual(['a', 'ac', 'acm']);
});

test('replaces typed text and cancels the pending search when a link or Back changes the query', () => {
  const { field, searched, address } = open('acme');
  act(() => field.current.type('acme.t'));
  address('globex');
  expect(field.current.typed).toBe('globex');
  pause();
  expect(searched).toEqual([]);
});
