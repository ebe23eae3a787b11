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
 * @returns The origin under which people reach the portal.
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
  /** That of the portal beside it; by default it is made where the configuration asks for it. */
  tls?: Tls | null;
  /** Time at which its clock is frozen, in milliseconds since the epoch; by default it runs. */
  frozenAt?: number;
  /** Starts another one beside it; a space has none. */
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
 * Puts a portal together and lets it listen: the program, a test's portal in its own process, and a space are all
 * started here.
 * @throws ConfigInvalid, also where others can reach it although anyone could compute its keys
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
  // `PUBLIC_URL` is the address of the portal beside it. It stays in the settings, where it says that strangers may
  // come (decision 014).
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
