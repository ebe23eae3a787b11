import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { explainFailures, type FailureOptions } from './explain-failures.ts';
import { startPortal } from './start-portal.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Runs a test file with a test runner in a temporary folder. Returns the output. */
async function outputOf(file: string, text: string, run: (folder: string) => string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'explained-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, file), text);
  await writeFile(join(folder, 'vitest.config.mjs'), 'export default {};');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' };
  const failed = await promisify(execFile)(process.execPath, run(folder), { cwd: ROOT, env }).then(
    () => undefined,
    (reason: { stdout: string; stderr: string }) => reason,
  );
  return `${failed?.stdout}${failed?.stderr}`;
}

test('adds the last ten journal entries and unused controls to the message of a failed test', async () => {
  await using portal = await startPortal();
  await portal.reset();
  for (let call = 1; call <= 11; call += 1) await fetch(`${portal.url}/api/health?call=${call}`);
  await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 } });
  const hooks: Parameters<FailureOptions['afterEach']>[0][] = [];
  explainFailures(() => portal, { afterEach: (hook) => hooks.push(hook) });
  const errors = [{ message: 'expected 1 to be 2' }];
  await hooks[0]?.({ task: { result: { state: 'fail', errors } } });
  const [first, , title, ...lines] = errors[0]?.message.split('\n') ?? [];
  expect([first, title, lines.length]).toEqual(['expected 1 to be 2', "The portal's last journal entries:", 11]);
  expect(lines.at(-1)).toMatch(
    /^The fault .*\/api\/profile.* has not fired: no request to \/api\/profile has arrived since it was set\.$/,
  );
});

const body = (end: string) => `
  test('passes without using its fault', async (${end}
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 } });
  });
  test('fails', async (${end}
    await fetch(portal.url + '/api/health');
    expect(1).toBe(2);
  });
`;

test('explains failures in Vitest', { tags: 'whole', timeout: 300_000 }, async () => {
  const text = `
  import { afterAll, afterEach, beforeEach, expect, test } from '${import.meta.resolve('vitest')}';
  import { explainFailures, startPortal } from '${join(import.meta.dirname, 'index.ts')}';
  const portal = await startPortal();
  afterAll(() => portal.close());
  beforeEach(() => portal.reset());
  explainFailures(() => portal, { afterEach, failOnUnused: true });
  ${body(') => {')}`;
  const run = (folder: string) => [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...['--root', folder]];
  const printed = await outputOf('sample.test.ts', text, run);
  expect(printed).toMatch(/passes without[\s\S]*\/api\/profile.* has not fired: no request/);
  expect(printed).toMatch(/fails[\s\S]*expected 1 to be 2[\s\S]*journal entries:[\s\S]*\d+\. GET \/api\/health/);
  expect(printed).toContain('2 failed');
});
