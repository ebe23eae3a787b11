import { openSeededInMemory } from '@orchestrate/db';
import { clockTime, type World } from '@orchestrate/shared';
import pino from 'pino';
import { ConfigInvalid, readConfig, requireSettings, SETTING_NAMES } from '#config.ts';
import { requireLabDecision } from '#lab/lab-token-file.ts';
import { frozenTimeOf, readWorld } from '#lab/world/read-world.ts';
import { withWorldFile } from '#lab/world/world-file.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { readShape } from '#platform/http/requests/read-shape.ts';
import { misspeltSettings } from '#platform/misspelt-settings.ts';
import { keyOriginOf } from '#platform/world-seed.ts';
import { runPortal } from '#process/run-portal.ts';
import { startSpace } from '#process/start-space.ts';
import { drive } from './connect-portal.ts';
import { copy } from './copy.ts';
import type { Portal } from './portal.ts';
import { type Options, requireOptions } from './require-options.ts';

export interface StartOptions {
  /** `demo`, `none`, a world or the path of a world file. Default: `demo`. */
  seed?: 'demo' | 'none' | `${string}.yaml` | `${string}.json` | World;
  /** Time at which to freeze the clock, e.g. `2026-03-02T09:30:00Z`. By default, the clock runs. */
  now?: string;
  /** Port to listen on. Default: 0, any free port. */
  port?: number;
  /**
   * Settings by environment variable name, e.g. `{ CORS_ORIGINS: 'http://localhost:5173' }`. In a simulated browser
   * such as jsdom, `CORS_ORIGINS` defaults to the page's origin.
   */
  env?: Record<string, string>;
  /** Receives each log line as JSON. By default, log lines are discarded. */
  onLog?: (line: string) => void;
}

export const START_OPTIONS: Options<keyof StartOptions> = {
  seed: ['string', 'object'],
  now: ['string'],
  port: ['number'],
  env: ['object'],
  onLog: ['function'],
};

/**
 * Starts a complete portal in this process: in memory, on the loopback interface and without rate limits.
 * @throws ConfigInvalid
 * @throws PortUnusable
 * @throws TypeError for an unknown option or an option of the wrong type
 * @throws Error if the test environment replaces Node.js internals or loads modules twice
 */
export async function startPortal(options: StartOptions = {}): Promise<Portal> {
  requireOptions('startPortal', options, START_OPTIONS);
  requireNode();
  await requireOneCopy();
  const { seed, now, port = 0, env, onLog } = options;
  if (now !== undefined) requireTime(now);
  if (typeof seed === 'string' && seed.trim() === '')
    throw new ConfigInvalid('seed must not be empty: use demo, none, a world or the path of a world file.');
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new ConfigInvalid(`port must be an integer from 0 to 65535, not ${port}.`);
  }
  if (env) requireSettings(env);
  if (env?.SEED && seed) throw new ConfigInvalid('SEED and seed cannot be combined.');
  const read = readConfig({
    NODE_ENV: 'test',
    RATE_LIMIT: '0',
    ...originOfPage(),
    ...(typeof seed === 'string' && { SEED: seed }),
    ...env,
    PORT: String(port),
    DATABASE_FILE: ':memory:',
  });
  const config = typeof seed === 'object' ? { ...read, seed: await readWorld(seed, read) } : await withWorldFile(read);
  const start = now ?? frozenTimeOf(config.seed);
  const frozenAt = start === undefined ? undefined : Date.parse(start);
  requireLabDecision(config);
  const database = openSeededInMemory({
    seed: config.seed,
    keysFrom: keyOriginOf(config),
    now: frozenAt ?? machineNow(),
  });
  const log = onLog ? pino({ level: config.logLevel }, { write: onLog }) : pino({ level: 'silent' });
  // Only settings inherited from an environment can still be misspelt here. Any others have already been refused.
  for (const sentence of misspeltSettings(env ?? {}, SETTING_NAMES)) log.warn(sentence);
  const { deps, address, close } = await runPortal({ config, database, log, frozenAt, startSpace });
  const labToken = config.labToken ?? undefined;
  return drive({ url: deps.publicUrl, address, labToken }, close, deps.authorityFile ?? undefined);
}

/**
 * Requires Node's own classes. In jsdom, and wherever Jest or Vitest's `vmThreads` simulate a browser, Node's objects
 * aren't instances of the page's classes, and libraries check for that.
 */
function requireNode(): void {
  if (Buffer.alloc(0) instanceof Uint8Array) return;
  const { CORS_ORIGINS: origin } = originOfPage();
  const options = origin ? `{ env: { CORS_ORIGINS: '${origin}' } }` : '';
  throw new Error(
    `startPortal cannot run in this simulated browser. Write startPortal(${options}) in globalSetup, and connectPortal({ url }) here.`,
  );
}

/**
 * Requires that later imports load the same modules. They don't in tsx if CommonJS requires modules
 * (privatenumber/tsx#838) or in Jest if modules have been reset.
 */
async function requireOneCopy(): Promise<void> {
  const later = await import('./copy-loaded-later.ts');
  if (later.copy === copy) return;
  throw new Error(
    "orchestrate/testing is loaded twice, as with tsx in CommonJS or with Jest's resetModules. Write `await import('orchestrate/testing')` right before startPortal, or start the portal in globalSetup and use connectPortal({ url }) here.",
  );
}

/** Returns the origin of a simulated page, because happy-dom and jsdom enforce CORS for the page. */
function originOfPage(): { CORS_ORIGINS?: string } {
  const { location }: { location?: { origin?: string }; fetch: unknown } = globalThis;
  return location?.origin?.startsWith('http') ? { CORS_ORIGINS: location.origin } : {};
}

function requireTime(now: string): void {
  const read = readShape(clockTime, now);
  if ('issues' in read) throw new ConfigInvalid(`now: ${read.issues[0]?.message}`);
}
