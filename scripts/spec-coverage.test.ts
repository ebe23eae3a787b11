import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

interface Citation {
  /** End of a file's path. */
  file: string;
  title: string;
}

/** The tests that the last column of a row cites: `file › title; › another of the same file; other file › title`. */
function citationsOf(cell: string): Citation[] {
  const citations: Citation[] = [];
  for (const piece of cell.split('; ')) {
    const [before = '', title] = piece.split(' › ').length > 1 ? piece.split(' › ') : piece.split('› ');
    const last = citations.at(-1);
    if (title !== undefined) citations.push({ file: before.trim() || (last?.file ?? ''), title });
    // A title may contain a semicolon; entries that are open, or covered elsewhere, aren't titles.
    else if (last && !/^(\*\*open\*\*|see §|as in document)/.test(piece)) last.title += `; ${piece}`;
  }
  return citations;
}

/** The cells of every row of a document, heads included. */
const rowsOf = (document: string): string[][] =>
  readFileSync(join(ROOT, document), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));

const lastCells = (document: string): string[] => rowsOf(document).map((cells) => cells.at(-1) ?? '');

const files = globSync('{web,server,shared,db,scripts}/{src,e2e,*}/**/*.{test.ts,test.tsx,journey.ts}', { cwd: ROOT });
const titles = new Map([...new Set(files)].map((file) => [file, titlesIn(readFileSync(join(ROOT, file), 'utf8'))]));

/**
 * The tests in a file, by title, and whether the brief run has them (decision 055). A title is the first text after
 * `test(`, or after the table of `test.each(…)(`.
 */
function titlesIn(source: string): Map<string, boolean> {
  const calls = source.matchAll(/(?:\btest\(|^ *\]?[^\n]*\)\()\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm);
  const found = new Map<string, boolean>();
  for (const { 0: call, 2: title = '', index } of calls) {
    const isWhole = /^,\s*(?:WHOLE\b|\{[^}]*\btags: 'whole')/.test(source.slice(index + call.length));
    const plain = title.replaceAll("\\'", "'");
    found.set(plain, found.get(plain) === true || !isWhole);
  }
  return found;
}

/** For each file of this name with a test of this title: whether the brief run has it. */
const found = ({ file, title }: Citation): boolean[] =>
  [...titles].flatMap(([path, known]) => (path === file || path.endsWith(`/${file}`) ? (known.get(title) ?? []) : []));
const exists = (citation: Citation): boolean => found(citation).length > 0;
const isBrief = (citation: Citation): boolean => found(citation).includes(true);

test.each([
  ['docs/spec-coverage.md', 'a sentence of the specification', 200],
  ['docs/scim-coverage.md', 'a rule of RFC 7643 and RFC 7644', 100],
  ['docs/security.md', 'a requirement of security', 100],
  ['docs/openid-conformance.md', 'a module of a test plan', 60],
])('every test that %s cites exists, as what shows %s, and the brief run has one of them', (document, _, atLeast) => {
  const rows = lastCells(document).map((cell) => citationsOf(cell));
  const cited = rows.flat();
  expect(cited.length).toBeGreaterThan(atLeast);
  expect(cited.filter((citation) => !exists(citation))).toEqual([]);
  expect(rows.filter((row) => row.length > 0 && !row.some(isBrief))).toEqual([]);
});

test('every place that docs/spec-coverage.md names exists, by the end of its path', () => {
  const paths = globSync('{web,server,shared,db,scripts}/{src,e2e,public,*}/**', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  });
  const named = rowsOf('docs/spec-coverage.md')
    .flatMap(([, where = '–']) => where.split(', '))
    .filter((where) => where !== 'where' && where !== '–');
  expect(named.length).toBeGreaterThan(200);
  const ends = new Set(paths.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))));
  expect(named.filter((where) => !ends.has(where))).toEqual([]);
});
