import type { OpenDatabase } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from '#app.ts';
import type { Config } from '#config.ts';
import { createDeps, type Deps } from '#deps.ts';
import type { StartSpace } from '#lab/spaces/spaces.ts';
import { makeTls, type Tls, trustAuthority } from '#platform/adapters/local-authority.ts';
import { PortUnusable, portProblem } from '#platform/port-unusable.ts';
import { requireUnpredictableKeys } from './predictable-keys.ts';

/**
 * Starts listening.
 * @returns the origin for browsers
 * @throws PortUnusable
 */
async function listen(app: FastifyInstance, { host, port, publicUrl, tls }: Config): Promise<string> {
  try {
    await app.listen({
      host,
      port,
      listenTextResolver: (address) => `Server listening at ${tls ? address.replace('http:', 'https:') : address}`,
    });
  } catch (reason) {
    throw reason instanceof PortUnusable ? reason : portProblem(reason, { host, port, setting: 'PORT' });
  }
  const address = app.server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  return publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${listening}`;
}

export interface PortalParts {
  config: Config;
  /** Closed with the portal. */
  database: OpenDatabase;
  log: Logger;
  /** Certificates of the main portal, for a space. Default: created if the configuration requires it. */
  tls?: Tls | null;
  /** Time at which the clock is frozen, in milliseconds since the epoch. */
  frozenAt?: number;
  /** Starts a space; absent in a space. */
  startSpace?: StartSpace;
  /** Called before it listens. */
  prepare?: (app: FastifyInstance, deps: Deps) => void;
}

export interface RunningPortal {
  app: FastifyInstance;
  deps: Deps;
  close(): Promise<void>;
}

/**
 * Builds a portal and starts listening, for the program, in-process portals of tests, and spaces.
 * @throws ConfigInvalid, including for a reachable portal with predictable keys
 * @throws PortUnusable
 */
export async function runPortal({
  config,
  database,
  log,
  tls: given,
  frozenAt,
  startSpace,
  prepare,
}: PortalParts): Promise<RunningPortal> {
  const tls = given === undefined ? await makeTls(config) : given;
  if (tls && given === undefined) trustAuthority(tls);
  const isSpace = startSpace === undefined;
  requireUnpredictableKeys(config, database.db);
  const deps = createDeps({ config, db: database.db, log, tls, isSpace, frozenAt });
  // `PUBLIC_URL` is the address of the main portal. It stays in the settings, because it makes the space reachable
  // (decision 014).
  if (isSpace) deps.publicUrl = `${tls ? 'https' : 'http'}://localhost`;
  const app = await buildApp(deps, startSpace);
  prepare?.(app, deps);
  const close = async () => {
    await app.close();
    database.close();
  };
  try {
    deps.publicUrl = await listen(app, isSpace ? { ...config, publicUrl: null } : config);
  } catch (reason) {
    await close();
    throw reason;
  }
  return { app, deps, close };
}
