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
    // A title may have a semicolon of its own; what is open, or stands elsewhere, is no title.
    else if (last && !/^(\*\*open\*\*|see §|as in document)/.test(piece)) last.title += `; ${piece}`;
  }
  return citations;
}

const rows = readFileSync(join(ROOT, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '');
const files = globSync('{web,server,shared,db,scripts}/{src,e2e,*}/**/*.{test.ts,test.tsx,journey.ts}', { cwd: ROOT });
const sources = new Map([...new Set(files)].map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

/** Whether a test of this title stands in a file of this name, however its quotes are written. */
function exists({ file, title }: Citation): boolean {
  const spellings = [title, title.replaceAll("'", "\\'")];
  return [...sources].some(
    ([path, source]) =>
      (path === file || path.endsWith(`/${file}`)) && spellings.some((spelling) => source.includes(spelling)),
  );
}

test('every test that shows a sentence of the specification exists', () => {
  const cited = rows.flatMap(citationsOf);
  expect(cited.length).toBeGreaterThan(200);
  expect(cited.filter((citation) => !exists(citation))).toEqual([]);
});
