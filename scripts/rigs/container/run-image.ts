import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { hostPath, type Image } from './build-image.ts';

const tell = `
  process.on('message', () => process.send(process.cpuUsage()));
  process.channel.unref();`;
const stopTimers = `
  const never = { ref: () => never, unref: () => never, refresh: () => never, hasRef: () => false, close: () => never };
  globalThis.setTimeout = globalThis.setInterval = () => never;`;

const loaded = (text: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(text)}`];

/** Node.js arguments that let a program, started with `ipc`, report its processor time. */
export const CPU_REPORTING_ARGS = loaded(tell);
/** Like `CPU_REPORTING_ARGS`, but with all timers stopped: code that waits for a timer never continues. */
export const CPU_REPORTING_ARGS_WITHOUT_TIMERS = loaded(tell + stopTimers);

const FASTIFY = JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve('fastify')));

/**
 * A bare server's module. Starting it takes BARE_SECONDS of processor time on an ordinary machine, which lets a limit
 * in seconds be converted to any machine's speed.
 */
export const BARE_SERVER = `
  import fastify from ${FASTIFY};
  const app = fastify();
  app.get('/health', () => ({}));
  const url = await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  console.log(JSON.stringify({ url, health: url + '/health' }));`;
export const BARE_SECONDS = 0.25;

/** Returns the program's processor time, in milliseconds. Wall-clock time would depend on other load. */
export async function cpuTimeOf(program: ChildProcess): Promise<number> {
  program.send('how long?');
  const [{ user, system }] = await once(program, 'message');
  return (user + system) / 1_000;
}

export interface Container {
  /** Returns the container's output so far. */
  log(): string;
  /**
   * Runs the image's health check until it succeeds. @returns wall-clock and processor time since the container's
   * start, in ms
   */
  healthy(): Promise<{ elapsed: number; own: number }>;
  stop(): Promise<void>;
}

/**
 * Runs the image's command with its environment, and as its user if this account can switch users. Only volumes are
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
  if (isRoot) for (const [, path] of volumes) chownSync(path, uid, gid);
  else makeReadOnly(hostPath(image, '.'));

  const options = {
    cwd: hostPath(image, '.'),
    env: Object.fromEntries(Object.entries({ ...image.env, ...env }).map(([name, value]) => [name, inFolder(value)])),
    ...(isRoot && { uid, gid }),
  };
  const started = performance.now();
  const program = spawn(process.execPath, [...CPU_REPORTING_ARGS, ...image.cmd], {
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

/** Removes every user's write permission. Doesn't affect root. */
function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeReadOnly(join(folder, entry.name));
  }
  chmodSync(folder, 0o555);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Returns the size of the layers added to the base image, compressed as an engine would, in bytes. */
export async function layerBytes({ folder, copied }: Image): Promise<number> {
  const top = [...new Set(copied.map((path) => `./${path.split('/')[1]}`))];
  const tar = spawn('tar', ['-cf', '-', ...top], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  for await (const chunk of tar.stdout.pipe(createGzip())) bytes += Buffer.from(chunk).length;
  return bytes;
}
