import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_NAMES, type ResultName } from '@orchestrate/shared';

/** Returns, for each result, the first server test file that expects it, as a path from the repository root. */
export function findResultTests(root: string): Map<ResultName, string> {
  const patterns = RESULT_NAMES.map((name) => [name, new RegExp(String.raw`\b${name}\b`)] as const);
  const found = new Map<ResultName, string>();
  for (const file of globSync('server/src/**/*.test.ts', { cwd: root }).toSorted()) {
    const [, ...blocks] = readFileSync(join(root, file), 'utf8').split(/^ *test(?=\.each\(|\()/m);
    for (const [name, pattern] of patterns) {
      if (!found.has(name) && blocks.some((block) => pattern.test(block))) found.set(name, file);
    }
  }
  return found;
}
