import { expect, test, vi } from 'vitest';
import { boundedCache } from './cache.ts';

test('caches recent results and evicts the oldest', () => {
  const lengthOf = vi.fn((text: string) => text.length);
  const kept = boundedCache(lengthOf, 2);
  expect(['a', 'bb', 'a', 'bb', 'ccc', 'bb'].map(kept)).toEqual([1, 2, 1, 2, 3, 2]);
  expect(lengthOf).toHaveBeenCalledTimes(3);
  expect(kept('a')).toBe(1);
  expect(lengthOf).toHaveBeenCalledTimes(4);
});
