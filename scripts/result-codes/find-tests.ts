import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_NAMES, type ResultName } from '@orchestrate/shared';

/** A test that expects a result code. */
export interface ResultTest {
  /** Path from the root of the repository. */
  file: string;
  title: string;
}

/** Returns a pattern that finds a result's constant in a test. */
const expects = (name: ResultName): RegExp => new RegExp(String.raw`\b${name}\b`);

/** Returns the title of a test; for `test.each` with its placeholders. */
function titleOf(block: string): string | undefined {
  const call = block.startsWith('.each') ? block.slice(block.search(/\)\(\s*['"`]/) + 1) : block;
  return /\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/.exec(call)?.[2];
}

/** Returns the server's first test that expects each result, ordered by file and position. */
export function findResultTests(root: string): Map<ResultName, ResultTest> {
  const patterns = RESULT_NAMES.map((name) => [name, expects(name)] as const);
  const found = new Map<ResultName, ResultTest>();
  for (const file of globSync('server/src/**/*.test.ts', { cwd: root }).toSorted()) {
    const [, ...blocks] = readFileSync(join(root, file), 'utf8').split(/^ *test(?=\.each\(|\()/m);
    for (const block of blocks) {
      const title = titleOf(block);
      if (title === undefined) continue;
      for (const [name, pattern] of patterns) {
        if (!found.has(name) && pattern.test(block)) found.set(name, { file, title });
      }
    }
  }
  return found;
}
