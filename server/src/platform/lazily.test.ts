import { expect, test } from 'vitest';
import { lazily } from './cache.ts';

test('loads a value only once, even with concurrent calls', async () => {
  let loads = 0;
  const load = lazily(async () => ++loads);
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('retries a failed load', async () => {
  let tries = 0;
  const load = lazily(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no file descriptor left');
    return tries;
  });
  await expect(load()).rejects.toThrow('no file descriptor left');
  expect(await load()).toBe(2);
});
