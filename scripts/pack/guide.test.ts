import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const read = (file: string) => readFileSync(join(EXAMPLES, file), 'utf8');
const guide = read('../docs/testing-a-client.md');
/** Removes whitespace, which matters only to the formatter. */
const plain = (code: string) =>
  code.replaceAll(/\s+/g, '').replaceAll(',}', '}').replaceAll(',)', ')').replaceAll(',]', ']');

test('takes every line of the guide from a running test', () => {
  const sources = globSync(['*/*.test.ts', '*/*.spec.ts'], { cwd: EXAMPLES });
  const running = plain(sources.map(read).join('\n'));
  // languages.test.ts runs the lines in Python and curl.
  const sections = guide.replaceAll(/<details>.*?<\/details>/gs, '');
  const blocks = [...sections.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'));
  const cells = [...guide.matchAll(/^\| [^|]+ \| `([^`]+)`/gm)].map(([, code = '']) => code);
  expect(cells.length).toBeGreaterThan(50);
  expect([...blocks, ...cells].filter((line) => !running.includes(plain(line)))).toEqual([]);
});

test('tests each failure of the small client in at most three statements', () => {
  const [, ...tests] = read('client/portal-client.test.ts').split(/^ {2}test/m);
  const statements = tests.map((written) => (written.split(/^ {2}\}?\);/m)[0] ?? '').match(/;$/gm)?.length ?? 0);
  expect(statements.length).toBeGreaterThan(40);
  expect(Math.max(...statements)).toBeLessThanOrEqual(3);
});
