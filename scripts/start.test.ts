import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildClient, buildServer } from './build.ts';

const START = join(import.meta.dirname, 'start.js');
const STAMP = join(import.meta.dirname, '../web/dist/.built-from');

let folder: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  await Promise.all([buildClient(), buildServer()]);
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});

afterEach(async () => {
  for (const portal of started.splice(0)) {
    if (portal.exitCode === null && portal.signalCode === null) {
      portal.kill('SIGKILL');
      await once(portal, 'exit');
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the portal on a free port, with its database in the test's folder. */
function startPortal(env: NodeJS.ProcessEnv = {}) {
  const portal = spawn(process.execPath, [START, '--json'], {
    env: { ...process.env, PORT: '0', PUBLIC_URL: '', NODE_ENV: '', DATABASE_FILE: join(folder, 'portal.db'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(portal);
  const complaints: string[] = [];
  portal.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  return { portal, stderr: () => complaints.join(''), exited: once(portal, 'exit') };
}

/** Resolves to the `--json` readiness line. */
async function readiness(portal: ReturnType<typeof startPortal>): Promise<{ url: string; pid: number }> {
  const { stdout } = portal.portal;
  if (stdout) {
    for await (const line of createInterface({ input: stdout })) {
      if (line.startsWith('{')) return JSON.parse(line);
    }
  }
  throw new Error(`The portal exited before it was ready: ${portal.stderr()}`);
}

test('--json prints the portal’s URL on one line, and SIGTERM stops the portal without an error', async () => {
  const running = startPortal();
  const { url, pid } = await readiness(running);
  expect(pid).toBe(running.portal.pid);
  const health = await fetch(new URL('/api/health', url));
  expect(await health.json()).toMatchObject({ resultCode: 0 });
  const page = await fetch(new URL('/acme/sign-in', url));
  expect(await page.text()).toContain('<div id="root">');

  running.portal.kill('SIGTERM');
  expect(await running.exited).toEqual([0, null]);
});

test('neither builds the client nor seeds the database again on the second start', async () => {
  const first = startPortal();
  await readiness(first);
  first.portal.kill('SIGTERM');
  expect(await first.exited).toEqual([0, null]);
  const builtAt = statSync(STAMP).mtimeMs;
  const database = statSync(join(folder, 'portal.db'));

  const second = startPortal();
  await readiness(second);
  expect(second.stderr()).not.toContain('Building');
  expect(statSync(STAMP).mtimeMs).toBe(builtAt);
  expect(statSync(join(folder, 'portal.db')).size).toBe(database.size);
});

test('runs a bundle that knows it is in the workspace', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [START, '--help']);
  expect(stdout).toMatch(/^Usage: npx -y pnpm@12 start /);
  expect(stdout).toContain(`described in ${join(import.meta.dirname, '../docs/settings.md')}`);
});

test('prints a one-line explanation if the client cannot be built in this folder', async () => {
  const repository = join(folder, 'portal #1');
  symlinkSync(join(import.meta.dirname, '..'), repository);
  const preserved = ['--preserve-symlinks', '--preserve-symlinks-main', join(repository, 'scripts/start.js')];
  const refused = await promisify(execFile)(process.execPath, preserved).catch((reason: unknown) => reason);
  expect(refused).toMatchObject({
    code: 1,
    stderr: `Can't build the client in ${repository} because its path contains #. Move the repository to a folder without # ? * [ and ], and try again.\n`,
  });
});

test('prints a one-line explanation if the port is in use', { tags: 'whole' }, async () => {
  const neighbour = createServer().listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  const address = neighbour.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    const refused = startPortal({ PORT: String(port) });
    expect(await refused.exited).toEqual([1, null]);
    expect(refused.stderr().trim().split('\n')).toHaveLength(1);
    expect(refused.stderr()).toContain(String(port));
  } finally {
    neighbour.close();
  }
});
