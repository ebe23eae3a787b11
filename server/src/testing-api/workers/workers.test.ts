import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startPortal } from '../start-portal.ts';

const PLAYWRIGHT = join(import.meta.dirname, '../../../../node_modules/@playwright/test/cli.js');
/** Starting eight programs takes seconds, or minutes on a busy machine. */
const LONG_MS = 600_000;

test('isolates and ends the spaces of 8 Playwright workers on one server', {
  tags: 'whole',
  timeout: LONG_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'));
  await using portal = await startPortal();
  const config = {
    testDir: import.meta.dirname,
    testMatch: '*.spec.ts',
    outputDir: join(folder, 'results'),
    fullyParallel: true,
    workers: 8,
    timeout: LONG_MS,
    expect: { timeout: LONG_MS },
    use: { portalOptions: { url: portal.url } },
  };
  const file = join(folder, 'playwright.config.mjs');
  await writeFile(file, `export default ${JSON.stringify(config)};`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PLAYWRIGHT, 'test', '-c', file, '--reporter', 'json'],
    { env: { PATH: process.env.PATH, HOME: process.env.HOME }, maxBuffer: 64 * 1_048_576 },
  ).catch((reason: { stdout?: string }) => ({ stdout: reason.stdout ?? '' }));
  await rm(folder, { recursive: true, force: true });

  const { stats, suites, errors } = JSON.parse(stdout);
  const output = JSON.stringify(suites);
  expect({ errors, failures: output.match(/"message":"Error: .*?"/g) ?? [] }).toEqual({ errors: [], failures: [] });
  expect(stats).toMatchObject({ expected: 8 * 5, unexpected: 0, flaky: 0, skipped: 0 });
  expect(new Set(output.match(/"workerIndex":\d+/g)).size).toBe(8);
  expect(await portal.spaces()).toEqual([]);
  await portal.verify({ path: '/api/user/login', count: 0 });
});
