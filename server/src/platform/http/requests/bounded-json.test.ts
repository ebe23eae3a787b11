import { expect, test } from 'vitest';
import { isTooDeep, JSON_DEPTH_MAX, readBoundedJson } from './bounded-json.ts';

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

test('JSON is read up to its greatest depth, and not beyond', () => {
  expect(readBoundedJson(nested(JSON_DEPTH_MAX, '7'))).toBeDefined();
  expect(readBoundedJson(nested(JSON_DEPTH_MAX + 1))).toBeUndefined();
  expect(readBoundedJson(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)).toBeUndefined();
});

test('brackets and escaped quotes inside strings do not count as nesting', () => {
  const brackets = '['.repeat(200);
  for (const value of [brackets, `"${brackets}`, `\\"${brackets}`, `\\${brackets}\\`]) {
    expect(readBoundedJson(JSON.stringify({ [value]: value }))).toEqual({ [value]: value });
  }
});

test('many values side by side do not count as nesting', () => {
  expect(isTooDeep(JSON.stringify(Array.from({ length: 500 }, () => [{}])))).toBe(false);
});

test('text that is not JSON is left to the parser', () => {
  for (const text of ['', '{', '"', ']]]', 'nothing']) expect(readBoundedJson(text)).toBeUndefined();
});
