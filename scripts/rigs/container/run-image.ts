import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { hostPath, type Image } from './build-image.ts';
import { cpuTimeOf, MEASURED } from './cpu-time.ts';

export interface Container {
  /** Returns its output so far. */
  log(): string;
  /** Runs the image's health check until it succeeds. @returns wall-clock and processor time since its start, in ms */
  healthy(): Promise<{ elapsed: number; own: number }>;
  stop(): Promise<void>;
}

/**
 * Runs the image's command with its environment, as its user if this account can switch to it. Only volumes are
 * writable.
 * @param env variables from the compose file
 */
export function runImage(image: Image, env: Readonly<Record<string, string>>): Container {
  const isRoot = process.getuid?.() === 0;
  const [uid = 0, gid = 0] = image.user.split(':').map(Number);
  const volumes = image.volumes.map((path) => [path, hostPath(image, path)] as const);
  const inFolder = (value: string) => {
    const volume = volumes.find(([path]) => value === path || value.startsWith(`${path}/`));
    return volume ? volume[1] + value.slice(volume[0].length) : value;
  };
  if (isRoot) for (const [, place] of volumes) chownSync(place, uid, gid);
  else makeReadOnly(hostPath(image, '.'));

  const options = {
    cwd: hostPath(image, '.'),
    env: Object.fromEntries(Object.entries({ ...image.env, ...env }).map(([name, value]) => [name, inFolder(value)])),
    ...(isRoot && { uid, gid }),
  };
  const started = performance.now();
  const program = spawn(process.execPath, [...MEASURED, ...image.cmd], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(program, 'exit');
  const lines: string[] = [];
  for (const stream of [program.stdout, program.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  const log = () => lines.join('\n');
  return {
    log,
    async healthy() {
      for (;;) {
        if (hasEnded(program)) throw new Error(`The container exited:\n${log()}`);
        const check = spawn(process.execPath, image.healthcheck.slice(1), { ...options, stdio: 'ignore' });
        const [code] = await once(check, 'exit');
        if (code === 0) return { elapsed: performance.now() - started, own: await cpuTimeOf(program) };
        await delay(100);
      }
    },
    async stop() {
      if (!hasEnded(program)) program.kill('SIGTERM');
      await exited;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Removes write permission for all users. Doesn't affect root. */
function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeReadOnly(join(folder, entry.name));
  }
  chmodSync(folder, 0o555);
}
