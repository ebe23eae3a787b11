import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstalledExamples, installExamples } from './install-examples.ts';

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

let examples: InstalledExamples;
beforeAll(async () => {
  examples = await installExamples();
});
afterAll(() => examples.folder.remove());

test('compiles all examples in strict mode', async () => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: ['node'],
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
  };
  await examples.folder.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*/*.ts'] }));
  expect((await examples.folder.run('node', [TSC, '-p', '.'])).stdout).toBe('');
});

test("passes the small client's Vitest suite", { tags: 'whole' }, async () => {
  expect(await examples.run('client')).toMatch(/Tests +74 passed/);
});
