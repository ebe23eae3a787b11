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
  expect(await examples.run('client')).toMatch(/Tests +83 passed/);
});

test("drives a portal with only Python's standard library", async () => {
  expect(await examples.run('python')).toMatch(/Ran 17 tests in [\d.]+s\s+OK/);
});

test('starts a portal from Python with settings, and ends it when the program ends', async () => {
  const program = `
import orchestrate
with orchestrate.start(seed={"organisations": [{"code": "initech"}]}, env={"CORS_ORIGINS": "http://localhost:1"}) as portal:
    assert [one.code for one in portal.world().organisations] == ["initech"]
try:
    portal.clock()
except orchestrate.PortalUnreachable:
    print(orchestrate.start(seed="none").url)
try:
    orchestrate.start(env={"CORS_ORIGNS": "x"})
except ValueError as error:
    print(error)`;
  await examples.folder.write('python/start.py', program);
  const command = 'PYTHONPATH=$(npx orchestrate python-path) python3 -B start.py';
  const { stdout, stderr } = await examples.folder.run('bash', ['-c', command], { within: 'python' });
  const [url = '', refused] = stdout.split('\n');
  expect(refused, stderr).toBe('Unknown setting CORS_ORIGNS. Did you mean CORS_ORIGINS?');
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
});
