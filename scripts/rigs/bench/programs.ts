import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duration } from './duration.ts';

/** Resources that a process has used since its start. */
export interface Usage {
  /** Microseconds of processor time, over all its threads. */
  cpu: number;
  /** Bytes of resident memory. */
  rss: number;
}

/** A server in its own process. */
export interface Program {
  /** Origin, with a numeric IP address. */
  url: string;
  /** Milliseconds from its start to the end of its first answer. */
  start: Duration;
  usage(): Promise<Usage>;
  /** Bytes of its heap that are in use after garbage collection. */
  heap(): Promise<number>;
  /** Longest block of its event loop since the last call, in milliseconds; 0 for the first call. */
  stall(): Promise<number>;
  /** Stops it gracefully, so that it saves its data. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL, whatever it is doing. */
  kill(): Promise<void>;
}

/** The whole portal, as `start` runs it. */
export const PORTAL = join(import.meta.dirname, '../../../server/main.js');
/** As `start` in package.json has it. */
const YOUNG_HEAP = '--max-semi-space-size=4';
const PROBE = join(import.meta.dirname, 'usage-probe.mjs');

/** A script in this folder. */
export const beside = (name: string): string => join(import.meta.dirname, name);

/**
 * The environment of a portal under load: production defaults with a database file, and a rate limit that counts but
 * never triggers.
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
 * Starts a server that prints one JSON line with its `url`, and requests `path` until it answers 200.
 * @param args before `--json`
 * @param log file for its error output.
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

/** Runs a program to its end; it prints one JSON line. */
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
  throw new Error(`${spawnfile} ended without a result. It wrote ${log}`);
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
