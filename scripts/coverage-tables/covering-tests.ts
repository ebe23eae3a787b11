import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test with the rows of the coverage tables from the `// covers:` comment above it. */
export interface CoveringTest {
  /** Path relative to the repository root. */
  file: string;
  /** Title as written in the source, including the placeholders of `test.each`. */
  title: string;
  /** True if the test is part of the short run (decision 055). */
  isBrief: boolean;
  /** Coverage table rows, e.g. `spec 1.4.2`. */
  covers: readonly string[];
}

const FILES = ['{web,server,shared,db}/{src,e2e}/**/*.{test.ts,test.tsx,journey.ts}', 'scripts/**/*.test.ts'];
/** Matches the first string after `test(` or after the table of `test.each(…)(`. */
const TITLE = /(?:\btest\(|^ *\]?[^\n]*\)\()\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm;
const TAG = /^ *\/\/ covers: (.+)$/gm;
/** Matches options after a title that limit the test to whole runs. */
const WHOLE = /^,\s*(?:WHOLE\b|\{[^}]*\btags: 'whole')/;

/** Returns the tests that cover table rows, ordered by file and position. */
export function findCoveringTests(root: string): CoveringTest[] {
  const files = globSync(FILES, { cwd: root, exclude: ['**/node_modules'] }).map((file) => file.replaceAll('\\', '/'));
  return files
    .toSorted()
    .flatMap((file) => parseCoveringTests(readFileSync(join(root, file), 'utf8')).map((test) => ({ file, ...test })));
}

/** Parses tests and their `covers` tags from a source file. @throws if a tag has no test below it */
export function parseCoveringTests(source: string): Omit<CoveringTest, 'file'>[] {
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
