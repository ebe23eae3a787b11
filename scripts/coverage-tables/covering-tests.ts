import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test with the rows of the coverage tables from the `// covers:` comment above it. */
export interface CoveringTest {
  /** Path from the root of the repository. */
  file: string;
  /** Title as in the source; for `test.each` with its placeholders. */
  title: string;
  /** True if the short run includes it (decision 055). */
  isBrief: boolean;
  /** Rows, e.g. `spec 1.4.2`. */
  covers: readonly string[];
}

const FILES = ['{web,server,shared,db}/{src,e2e}/**/*.{test.ts,test.tsx,journey.ts}', 'scripts/**/*.test.ts'];
/** The first string after `test(`, or after the table of `test.each(…)(`. */
const TITLE = /(?:\btest\(|^ *\]?[^\n]*\)\()\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm;
const TAG = /^ *\/\/ covers: (.+)$/gm;
/** Options after a title that limit the test to whole runs. */
const WHOLE = /^,\s*(?:WHOLE\b|\{[^}]*\btags: 'whole')/;

/** Returns the tests that cover rows, ordered by file and position. */
export function coveringTests(root: string): CoveringTest[] {
  const files = globSync(FILES, { cwd: root, exclude: ['**/node_modules'] }).map((file) => file.replaceAll('\\', '/'));
  return files
    .toSorted()
    .flatMap((file) => coveringTestsIn(readFileSync(join(root, file), 'utf8')).map((test) => ({ file, ...test })));
}

/** Parses the tests and their tags from a source file. @throws if a tag has no test below it */
export function coveringTestsIn(source: string): Omit<CoveringTest, 'file'>[] {
  const titles = [...source.matchAll(TITLE)];
  const covered = new Map<RegExpExecArray, string[]>();
  for (const { 1: rows = '', index } of source.matchAll(TAG)) {
    const title = titles.find((candidate) => candidate.index > index);
    if (!title) throw new Error(`No test follows “covers: ${rows}”.`);
    covered.set(title, [...(covered.get(title) ?? []), ...rows.split(', ')]);
  }
  return [...covered].map(([{ 0: call, 2: title = '', index }, covers]) => ({
    title: title.replaceAll("\\'", "'"),
    isBrief: !WHOLE.test(source.slice(index + call.length)),
    covers,
  }));
}
