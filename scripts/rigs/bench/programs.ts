import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duration } from './duration.ts';

/** A process's resource usage. */
export interface Usage {
  /** Processor time of all the process's threads since it started, in microseconds. */
  cpu: number;
  /** Resident memory, in bytes. */
  rss: number;
}

/** A benchmark program, usually a server, in its own process. */
export interface Program {
  /** Origin with a numeric IP address. */
  url: string;
  /** Time from the process's start to the end of its first response. */
  start: Duration;
  usage(): Promise<Usage>;
  /** Returns the heap memory in use after garbage collection, in bytes. */
  heap(): Promise<number>;
  /** Returns the longest event loop stall since the last call, in milliseconds. The first call returns 0. */
  stall(): Promise<number>;
  /** Stops the program gracefully, giving it time to save its data. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Path of the program that the `start` script runs. */
export let PORTAL_ENTRY = join(import.meta.dirname, '../../start.js');

/** Makes all rows run the portal of another workspace. Its API must be compatible with this one's. */
export function runPortalOf(root: string): void {
  PORTAL_ENTRY = join(root, 'scripts/start.js');
}
/** The same option as in package.json's `start` script. */
const YOUNG_HEAP = '--max-semi-space-size=4';
const PROBE = join(import.meta.dirname, 'usage-probe.mjs');

export const scriptPath = (name: string): string => join(import.meta.dirname, name);

/**
 * Returns the environment for a portal under load: production defaults, a database file, and a rate limit that is
 * counted but never reached.
 */
export const portalEnv = (databaseFile: string): NodeJS.ProcessEnv => ({
  DATABASE_FILE: databaseFile,
  PORT: '0',
  HOST: '127.0.0.1',
  PUBLIC_URL: '',
  SEED: 'demo',
  LAB: 'on',
  LOG_LEVEL: '',
  NODE_ENV: 'production',
  RATE_LIMIT: '1000000',
});

/**
 * Starts a server that prints one JSON line with its `url`, and requests `path` until the server returns 200.
 * @param args arguments before `--json`
 * @param log path of the server's stderr log
 */
export async function startProgram(
  file: string,
  { path, args = [], env = {}, log }: { path: string; args?: string[]; env?: NodeJS.ProcessEnv; log: string },
): Promise<Program> {
  const began = performance.now();
  const child = spawnNode([YOUNG_HEAP, '--import', PROBE, file, ...args, '--json'], env, [
    'ignore',
    'pipe',
    openSync(log, 'a'),
    'ipc',
  ]);
  const { url } = await firstLine<{ url: string }>(child, log);
  const origin = url.replace('localhost', '127.0.0.1');
  await answered(`${origin}${path}`);
  const wall = performance.now() - began;

  async function usage(): Promise<Usage> {
    child.send('usage');
    const [{ cpu, rss }] = await once(child, 'message');
    return { cpu: cpu.user + cpu.system, rss };
  }

  return {
    url: origin,
    start: { wall, cpu: (await usage()).cpu / 1_000 },
    usage,
    async heap() {
      child.send('heap');
      const [bytes] = await once(child, 'message');
      return bytes;
    },
    async stall() {
      child.send('stall');
      const [milliseconds] = await once(child, 'message');
      return milliseconds;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a program that prints one JSON line. Resolves to the parsed line when the program exits. */
export async function runProgram<Result>(
  file: string,
  { args = [], env = {}, log }: { args?: string[]; env?: NodeJS.ProcessEnv; log: string },
): Promise<Result> {
  const child = spawnNode([file, ...args], env, ['ignore', 'pipe', openSync(log, 'a')]);
  const exited = once(child, 'exit');
  const result = await firstLine<Result>(child, log);
  await exited;
  return result;
}

function spawnNode(args: string[], env: NodeJS.ProcessEnv, stdio: SpawnOptions['stdio'] & object): ChildProcess {
  return spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio });
}

async function firstLine<Line>({ stdout, spawnfile }: ChildProcess, log: string): Promise<Line> {
  if (stdout) {
    for await (const line of createInterface({ input: stdout })) {
      if (line.startsWith('{')) return JSON.parse(line);
    }
  }
  throw new Error(`${spawnfile} exited without a result. Its stderr is in ${log}`);
}

async function answered(address: string): Promise<void> {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = get(address, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
  if (status !== 200) throw new Error(`${address} answered ${status}.`);
}
