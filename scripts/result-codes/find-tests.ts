import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_NAMES, type ResultName } from '@orchestrate/shared';

/** A test that expects a result code. */
export interface ResultTest {
  /** From the root of the project. */
  file: string;
  title: string;
}

/** Finds a result in a test's expectation, by its constant. */
const expects = (name: ResultName): RegExp => new RegExp(String.raw`\b${name}\b`);

/** The title of a test; of a table, with its placeholders. */
function titleOf(block: string): string | undefined {
  const call = block.startsWith('.each') ? block.slice(block.search(/\)\(\s*['"`]/) + 1) : block;
  return /\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/.exec(call)?.[2];
}

/** The first test of the server, by file and place, that expects each result. */
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
