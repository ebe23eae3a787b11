import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Templates that start like a sentence but aren't tagged with `t`. `Bearer` starts a header value. */
const UNMARKED = /(?<![\w)])`(?!Bearer )\p{Lu}\p{Ll}+ \$\{[^`]*`/gu;

test('marks template sentences in screens for translation', () => {
  const screens = globSync('web/src/**/*.tsx', { cwd: root }).filter((file) => !file.endsWith('.test.tsx'));
  expect(screens.length).toBeGreaterThan(250);
  const unmarked = screens.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(UNMARKED)].map(([found]) => `${file}: ${found}`),
  );
  expect(unmarked).toEqual([]);
});
