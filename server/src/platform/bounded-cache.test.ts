import { expect, test, vi } from 'vitest';
import { boundedCache } from './cache.ts';

test('caches recent results and evicts the oldest', () => {
  const lengthOf = vi.fn((text: string) => text.length);
  const cache = boundedCache(lengthOf, 2);
  expect(['a', 'bb', 'a', 'bb', 'ccc', 'bb'].map(cache)).toEqual([1, 2, 1, 2, 3, 2]);
  expect(lengthOf).toHaveBeenCalledTimes(3);
  expect(cache('a')).toBe(1);
  expect(lengthOf).toHaveBeenCalledTimes(4);
});
