import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { requireChromium } from '../../find-chromium.ts';
import { installFromDebian } from '../../install-from-debian.ts';
import { EXAMPLES, type InstalledExamples, installExamples } from '../install-examples.ts';

let examples: InstalledExamples;
beforeAll(async () => {
  examples = await installExamples();
});
afterAll(() => examples.folder.remove());

test('signs users in to an Express application with OpenID Connect', async () => {
  expect(await examples.run('express')).toMatch(/pass 16\n/);
});

test('signs users in to a command-line program with a device code', async () => {
  expect(await examples.run('device')).toMatch(/pass 2\n/);
});

test('delivers events to a receiver that verifies signatures', async () => {
  expect(await examples.run('webhooks')).toMatch(/pass 16\n/);
});

test('signs users in to a service provider with SAML', async () => {
  expect(await examples.run('saml')).toMatch(/pass 8\n/);
});

test('drives a browser and a simulated phone with Playwright', async () => {
  expect(await examples.run('playwright', { CHROMIUM_PATH: requireChromium() })).toContain('6 passed');
});

test('runs a pytest suite with the fixture of the Python module', async () => {
  const hasPytest = () => spawnSync('/usr/bin/python3', ['-m', 'pytest', '--version']).status === 0;
  expect(hasPytest() || (installFromDebian('python3-pytest') && hasPytest())).toBe(true);
  const command = 'PYTHONPATH=$(npx orchestrate python-path) /usr/bin/python3 -B -m pytest';
  const { code, stdout, stderr } = await examples.folder.run('bash', ['-c', command], { within: 'python' });
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/19 passed/);
});

test('needs no more lines in five cases than oauth2-mock-server, as the comparison states', async () => {
  expect(await examples.run('compared')).toMatch(/pass 10\n/);
  const [ours, theirs] = await Promise.all(['orchestrate', 'oauth2-mock-server'].map(linesPerTest));
  const page = await readFile(join(EXAMPLES, '../docs/compared.md'), 'utf8');
  const [table = ''] = page.split('Only code counts');
  const rows = [...table.matchAll(/^\| ([\w -]+) \| (\d+) \| (\d+) \|$/gm)].map(([, name, our, their]) => [
    name,
    Number(our),
    Number(their),
  ]);
  expect(rows).toEqual(Object.keys(theirs ?? {}).map((name) => [name, ours?.[name], theirs?.[name]]));
  for (const [name, our, their] of rows) expect(our, String(name)).toBeLessThanOrEqual(Number(their));
});

/** Counts the lines of code in each test body and before the first test. */
async function linesPerTest(double: string): Promise<Record<string, number>> {
  const text = await readFile(join(EXAMPLES, 'compared', `${double}.test.ts`), 'utf8');
  const isCode = (line: string) => line.trim() !== '' && !line.trim().startsWith('//') && !line.startsWith('import ');
  const [before = '', ...tests] = text.split(/^test\(/m);
  const counts = tests.map((written) => {
    const [, name = ''] = /^'([^']+)'/.exec(written) ?? [];
    return [name, written.split('\n').filter(isCode).length - 2];
  });
  return { ...Object.fromEntries(counts), 'before the tests': before.split('\n').filter(isCode).length };
}

/** Returns a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

test('starts a portal in the GitHub workflow, runs its tests and drives the portal with curl', async () => {
  const { jobs } = parse(await readFile(join(EXAMPLES, 'github-actions/sign-in.yml'), 'utf8'));
  const commandsOf = (job: { steps: { run?: string; if?: string }[] }) =>
    job.steps.filter((step) => step.if === undefined).flatMap(({ run: command }) => command ?? []);
  const scripts = JSON.parse(await readFile(join(EXAMPLES, 'client/package.json'), 'utf8')).scripts;
  expect(commandsOf(jobs['in-process'])).toEqual(['npm ci', 'npm test']);
  expect(scripts).toHaveProperty('test');
  // npm installs no browser, and the runner's browser doesn't match this Playwright version.
  const browser = { if: "hashFiles('playwright.config.*') != ''", run: 'npx playwright install --with-deps chromium' };
  expect(jobs['in-process'].steps).toContainEqual(browser);

  const [install, ...others] = commandsOf(jobs['separate-portal']);
  expect(install).toBe('npm ci');
  const port = await freePort();
  const env = {
    ...jobs['separate-portal'].env,
    PORT: String(port),
    PORTAL: `http://localhost:${port}`,
    ORCHESTRATE_URL: `http://localhost:${port}`,
  };
  // Kills the background process group at the end, as a runner does with processes left behind by a job.
  const job = ['set -em', "trap 'kill -- -$(jobs -p)' EXIT", ...others, 'echo ---', 'sh ../curl/drive.sh'].join('\n');
  const { code, stdout, stderr } = await examples.folder.run('bash', ['-c', job], { within: 'python', env });
  expect(code, stdout + stderr).toBe(0);
  expect(stderr).toMatch(/Ran 17 tests in [\d.]+s\s+OK/);
  expect(stdout.split('---\n')[1]?.trim().split('\n')).toEqual([
    'signed in: yes',
    'refused: INVALID_PERMISSIONS',
    'afterwards: 0',
    'after eleven minutes: UNAUTHORIZED',
    'ignored: expired',
    'misspelt: INVALID_REQUEST',
  ]);
});
