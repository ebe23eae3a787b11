import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_NAMES } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { findResultTests, resultCodesPage, UNREACHED_RESULTS } from './result-codes-page.ts';

const root = join(import.meta.dirname, '../..');
const tests = findResultTests(root);

test('every result code has a test or a reason for having none', () => {
  expect(RESULT_NAMES.filter((name) => !tests.has(name) && !(name in UNREACHED_RESULTS))).toEqual([]);
});

test('no test reaches a result code listed as unreachable', () => {
  expect(RESULT_NAMES.filter((name) => tests.has(name) && name in UNREACHED_RESULTS)).toEqual([]);
});

const page = readFileSync(join(root, 'docs/result-codes.md'), 'utf8');
test('docs/result-codes.md is up to date (run pnpm generate)', () => {
  expect(page).toBe(resultCodesPage(tests));
});
