import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type VirtualDevice, virtualDevices } from '@orchestrate/shared';
import { afterEach, beforeEach } from 'vitest';
import { connectPortal } from '#testing-api/connect-portal.ts';
import type { Portal } from '#testing-api/portal.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A portal in its own process. */
export interface PortalProcess {
  portal: Portal;
  /** Set while the portal has no administrator. */
  setupCode: string | undefined;
  /** Sends a signal, `SIGTERM` by default, and waits for the process to end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Exit code and output of a process. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Provides each test of a file with a folder, a database path in it, and functions that run the portal and the
 * `orchestrate` command with that database. Ends all processes after each test.
 */
export function providePortalProcesses(prefix: string) {
  const running: Child[] = [];
  const provided = { folder: '', file: '', start, startEnd, orchestrate };
  beforeEach(() => {
    provided.folder = mkdtempSync(join(tmpdir(), prefix));
    provided.file = join(provided.folder, 'portal.db');
  });
  afterEach(async () => {
    for (const child of running.splice(0)) await stop(child);
    rmSync(provided.folder, { recursive: true, force: true });
  });

  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Child {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../..', program), ...args], {
      env: { PATH: process.env.PATH, PORT: '0', DATABASE_FILE: provided.file, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    return child;
  }

  /** Starts a portal and waits until it is ready. */
  async function start(env: NodeJS.ProcessEnv = {}): Promise<PortalProcess> {
    const child = run('server/main.js', ['--json'], env);
    const complaint = text(child.stderr);
    for await (const line of createInterface({ input: child.stdout })) {
      const { url, setupCode } = JSON.parse(line);
      const portal = connectPortal({ url, labToken: env.LAB_TOKEN });
      return { portal, setupCode, end: (signal) => stop(child, signal) };
    }
    throw new Error(await complaint);
  }

  /** Starts a portal that is expected to end. */
  function startEnd(env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return ended(run('server/main.js', ['--json'], env));
  }

  /** Runs the `orchestrate` command. */
  function orchestrate(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return ended(run('scripts/orchestrate.ts', args, env));
  }

  return provided;
}

async function stop(child: Child, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function ended(child: Child): Promise<Ended> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

/** Returns a member's simulated phone. */
export async function phoneOf(portal: Portal, email: string): Promise<VirtualDevice> {
  const { devices } = await portal.call(virtualDevices, { query: {} });
  const found = devices.find((device) => device.primaryEmail === email && device.type === 'mobile');
  if (!found) throw new Error(`Expected a phone of ${email}.`);
  return found;
}
