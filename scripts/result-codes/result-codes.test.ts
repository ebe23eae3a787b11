import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_NAMES } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { findResultTests } from './find-tests.ts';
import { NOT_REACHED, resultCodesPage } from './result-codes-page.ts';

const root = join(import.meta.dirname, '../..');
const tests = findResultTests(root);

test('every result code has a test or a reason why not', () => {
  expect(RESULT_NAMES.filter((name) => !tests.has(name) && !(name in NOT_REACHED))).toEqual([]);
});

test('no test reaches a result code listed as unreachable', () => {
  expect(RESULT_NAMES.filter((name) => tests.has(name) && name in NOT_REACHED)).toEqual([]);
});

const page = readFileSync(join(root, 'docs/result-codes.md'), 'utf8');
const cellsOf = (markdown: string) => markdown.split('\n').map((line) => line.split(' | '));

test('docs/result-codes.md is up to date: pnpm generate', () => {
  const withoutTests = (markdown: string) => cellsOf(markdown).map((cells) => cells.slice(0, 4));
  expect(withoutTests(page)).toEqual(withoutTests(resultCodesPage(tests)));
});

test('every test named on the page exists', () => {
  const named = cellsOf(page).flatMap(([, , , , reached = '']) => {
    const [file, title] = reached.replace(/ \|$/, '').split(' › ');
    return file && title ? [{ file, title }] : [];
  });
  expect(named.length).toBeGreaterThan(90);
  const exists = ({ file, title }: { file: string; title: string }) =>
    readFileSync(join(root, 'server/src', file), 'utf8').includes(title.replaceAll('\\|', '|'));
  expect(named.filter((test) => !exists(test))).toEqual([]);
});
