import { expect, test } from 'vitest';
import { allOptions, FAMILIES } from './options-testing.ts';

test('assigns every control with options to exactly one test file', () => {
  const assigned: string[] = Object.values(FAMILIES).flat();
  const controls = new Set(allOptions.map((option) => option.split(' ')[0]));
  expect([...controls].sort()).toEqual(assigned.sort());
});
