import { expect, test } from 'vitest';
import { isTooDeep, JSON_DEPTH_MAX, readBoundedJson } from './bounded-json.ts';

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

test('parses JSON up to the maximum depth', () => {
  expect(readBoundedJson(nested(JSON_DEPTH_MAX, '7'))).toBeDefined();
  expect(readBoundedJson(nested(JSON_DEPTH_MAX + 1))).toBeUndefined();
  expect(readBoundedJson(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)).toBeUndefined();
});

test('does not count brackets and escaped quotes in strings as nesting', () => {
  const brackets = '['.repeat(200);
  for (const value of [brackets, `"${brackets}`, `\\"${brackets}`, `\\${brackets}\\`]) {
    expect(readBoundedJson(JSON.stringify({ [value]: value }))).toEqual({ [value]: value });
  }
});

test('does not count adjacent values as nesting', () => {
  expect(isTooDeep(JSON.stringify(Array.from({ length: 500 }, () => [{}])))).toBe(false);
});

test('leaves invalid JSON to the parser', () => {
  for (const text of ['', '{', '"', ']]]', 'nothing']) expect(readBoundedJson(text)).toBeUndefined();
});
