import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A template that begins as a sentence does, and is not one of `t`. */
const UNMARKED = /(?<![\w)])`\p{Lu}\p{Ll}+ \$\{[^`]*`/gu;

test('a sentence that a screen puts together is marked for translation', () => {
  const screens = globSync('web/src/**/*.tsx', { cwd: root }).filter((file) => !file.endsWith('.test.tsx'));
  expect(screens.length).toBeGreaterThan(250);
  const unmarked = screens.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(UNMARKED)].map(([found]) => `${file}: ${found}`),
  );
  expect(unmarked).toEqual([]);
});
