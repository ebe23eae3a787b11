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
 * @returns the origin at which this machine reaches the portal
 * @throws PortUnusable
 */
async function listen(app: FastifyInstance, { host, port, tls }: Config): Promise<string> {
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
  return `${tls ? 'https' : 'http'}://localhost:${listening}`;
}

export interface RunPortalOptions {
  config: Config;
  /** The portal's database, closed together with the portal. */
  database: OpenDatabase;
  log: Logger;
  /** Certificates to use. A space uses the main portal's. Default: created if the configuration requires TLS. */
  tls?: Tls | null;
  /** Time at which to freeze the clock, in milliseconds since the epoch. */
  frozenAt?: number;
  /** Starts a space. Absent in a space, because spaces can't be nested. */
  startSpace?: StartSpace;
  /** Called before the portal listens. */
  prepare?: (app: FastifyInstance, deps: Deps) => void;
}

export interface RunningPortal {
  app: FastifyInstance;
  deps: Deps;
  /** Origin at which this machine reaches the portal. `deps.publicUrl` can be a proxy's. */
  address: string;
  close(): Promise<void>;
}

/**
 * Builds a portal and starts listening. Used by the program, by tests that run a portal in-process, and by spaces.
 * @throws ConfigInvalid, including for predictable keys on a portal that other machines can reach
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
}: RunPortalOptions): Promise<RunningPortal> {
  const tls = given === undefined ? await makeTls(config) : given;
  const isSpace = startSpace === undefined;
  requireUnpredictableKeys(config, database.db);
  const deps = createDeps({ config, db: database.db, log, tls, isSpace, frozenAt });
  // A space listens on localhost, so its URLs don't use the main portal's `PUBLIC_URL`. Its settings keep that URL
  // only because it marks the space as reachable by other machines (decision 014).
  if (isSpace) deps.publicUrl = `${tls ? 'https' : 'http'}://localhost`;
  const app = await buildApp(deps, startSpace);
  prepare?.(app, deps);
  const distrust = tls && given === undefined ? trustAuthority(tls) : undefined;
  const close = async () => {
    await app.close();
    database.close();
    distrust?.();
  };
  let address: string;
  try {
    address = await listen(app, config);
  } catch (reason) {
    await close();
    throw reason;
  }
  deps.publicUrl = (isSpace ? null : config.publicUrl) ?? address;
  return { app, deps, address, close };
}
