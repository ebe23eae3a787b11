import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Portal, startPortal } from 'orchestrate/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.close());

/** Runs a program of this folder to its end. */
const run = (program: string, args: string[], folder: string) =>
  promisify(execFile)(program, args, {
    cwd: join(import.meta.dirname, folder),
    env: { PATH: process.env.PATH, PORTAL: portal.url, PYTHONDONTWRITEBYTECODE: '1' },
  });

test('curl alone drives a portal', async () => {
  const { stdout, stderr } = await run('sh', ['drive.sh'], 'curl');
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual([
    'signed in: yes',
    'refused: INVALID_PERMISSIONS',
    'afterwards: 0',
    'after eleven minutes: UNAUTHORIZED',
    'ignored: expired',
    'misspelt: INVALID_REQUEST',
  ]);
});

test('Python drives a portal with its standard library alone', async () => {
  const { stderr } = await run('python3', ['-m', 'unittest'], 'python');
  expect(stderr).toMatch(/Ran 7 tests in [\d.]+s\s+OK/);
});
