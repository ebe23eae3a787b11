import { expect, test } from 'vitest';
import { codeOf, RESULT_NAMES, resultNameOf } from './result-codes.ts';
import { resultOf } from './result-sentences.ts';

// covers: spec 2.8.12, spec 2.8.39
test('numbers the result codes consecutively from 0 to at least 95', () => {
  const codes = RESULT_NAMES.map(codeOf).sort((one, other) => one - other);
  expect(codes).toEqual([...codes.keys()]);
  expect(codes.at(-1)).toBeGreaterThanOrEqual(95);
});

test('finds the name for a code, and none for an unknown number', () => {
  for (const name of RESULT_NAMES) expect(resultNameOf(codeOf(name))).toBe(name);
  expect(resultNameOf(RESULT_NAMES.length)).toBeUndefined();
});

test('has a sentence and an HTTP status for every result', () => {
  for (const { sentence, status } of RESULT_NAMES.map(resultOf)) {
    expect(sentence).toMatch(/^\S.*\S$/);
    expect([200, 400, 401, 403, 404, 409, 500]).toContain(status);
  }
});
