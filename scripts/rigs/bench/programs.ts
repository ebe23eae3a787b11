import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duration } from './duration.ts';

/** Resources used by a process. */
export interface Usage {
  /** Processor time of all its threads since its start, in microseconds. */
  cpu: number;
  /** Resident memory, in bytes. */
  rss: number;
}

/** A server in its own process. */
export interface Program {
  /** Origin, with a numeric IP address. */
  url: string;
  /** Time from its start to the end of its first response. */
  start: Duration;
  usage(): Promise<Usage>;
  /** Returns the bytes of its heap in use after garbage collection. */
  heap(): Promise<number>;
  /** Returns the longest stall of its event loop since the last call, in milliseconds; 0 for the first call. */
  stall(): Promise<number>;
  /** Stops it gracefully, so that it saves its data. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/** The whole portal, as `start` runs it. */
export const PORTAL = join(import.meta.dirname, '../../../server/main.js');
/** The same option as for `start` in package.json. */
const YOUNG_HEAP = '--max-semi-space-size=4';
const PROBE = join(import.meta.dirname, 'usage-probe.mjs');

/** Returns the path of a script in this folder. */
export const scriptPath = (name: string): string => join(import.meta.dirname, name);

/**
 * Returns the environment of a portal under load: production defaults with a database file, and a rate limit that is
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
 * Starts a server that prints one JSON line with its `url`, and requests `path` until it returns 200.
 * @param args arguments before `--json`
 * @param log path of the file for its stderr
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

/** Runs a program that prints one JSON line. Resolves with it when the program exits. */
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
