import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COVERAGE_PAGES, coverageRows, withTests } from './coverage-pages.ts';
import { findCoveringTests, parseCoveringTests } from './covering-tests.ts';

const ROOT = join(import.meta.dirname, '../..');
const pages = [...COVERAGE_PAGES].map(([path, word]) => ({ path, word, text: readFileSync(join(ROOT, path), 'utf8') }));
const tests = findCoveringTests(ROOT);

test.each(pages)('$path is up to date', ({ word, text }) => {
  expect(text, 'pnpm generate').toBe(withTests(text, word, tests));
});

test('requires unique row names and tests that cover existing rows', () => {
  const names = pages.flatMap(({ text, word }) => coverageRows(text, word).flatMap((row) => row.names));
  expect(names.length).toBeGreaterThan(800);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const covered = tests.flatMap(({ file, covers }) => covers.map((name) => ({ file, name })));
  expect(covered.filter(({ name }) => !names.includes(name))).toEqual([]);
});

test('requires a test in the short run, or an explanation, for every row', () => {
  const rows = pages.flatMap(({ text, word }) => coverageRows(text, word));
  const brief = new Set(tests.filter(({ isBrief }) => isBrief).flatMap(({ covers }) => covers));
  const uncovered = rows.filter(({ names }) => !names.some((name) => brief.has(name)));
  expect(uncovered.filter(({ cells }) => /^$|^\[\S+\.(?:test|spec|journey)\.tsx?\]/.test(cells.at(-1) ?? ''))).toEqual(
    [],
  );
  expect(uncovered.length).toBeLessThan(rows.length / 10);
});

test('finds every path named in docs/spec-coverage.md', () => {
  const paths = globSync('{web,server,shared,db,scripts}/{src,e2e,public,*}/**', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  });
  const [spec] = pages;
  const named = coverageRows(spec?.text ?? '', 'spec')
    .flatMap(({ cells }) => cells.at(-2)?.split(', ') ?? [])
    .filter((where) => where !== '–');
  expect(named.length).toBeGreaterThan(200);
  const ends = new Set(paths.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))));
  expect(named.filter((where) => !ends.has(where))).toEqual([]);
});

const SOURCE = [
  '// covers: spec 1.1.1, spec 1.1.2',
  '// covers: scim 3',
  "test('a plain one', () => {});",
  "test('covers nothing', () => {});",
  '  // covers: spec 1.1.3',
  '  test.each([',
  "    ['x', 1],",
  "  ])('a table with %s', { tags: 'whole' }, () => {});",
].join('\n');

test('reads the rows that a test covers from the comment above the test', () => {
  expect(parseCoveringTests(SOURCE)).toEqual([
    { title: 'a plain one', isBrief: true, covers: ['spec 1.1.1', 'spec 1.1.2', 'scim 3'] },
    { title: 'a table with %s', isBrief: false, covers: ['spec 1.1.3'] },
  ]);
  expect(() => parseCoveringTests('// covers: spec 1.1.1\n')).toThrow('No test follows');
});

test('writes tests to the last column and leaves rows without tests unchanged', () => {
  const page =
    '| no. | shown by |\n|---|---|\n| 1, 2 | old |\n| 3 | not here |\n\n| no. | other |\n|---|---|\n| 1 | x |';
  const covering = { title: 'a plain one', isBrief: true, covers: ['spec 2'] };
  expect(withTests(page, 'spec', [{ file: 'db/src/a.test.ts', ...covering }])).toBe(
    page.replace('old', '[a.test.ts](../db/src/a.test.ts)'),
  );
});
