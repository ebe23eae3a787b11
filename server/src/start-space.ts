import { openImage, seededInMemory } from '@orchestrate/db';
import { buildApp } from './app.ts';
import { createDeps, type Deps } from './deps.ts';
import type { RunningSpace, SpaceWish } from './lab/spaces/spaces.ts';
import { listen } from './listen.ts';
import { machineNow } from './platform/adapters/machine-time.ts';

/**
 * Starts a whole portal in memory beside another one, in this process and on a port of its own. It sends no mail to
 * the other one's mail server: a space has its outbox.
 * @throws PortUnusable
 */
export async function startSpace(
  beside: Deps,
  { spaceId, seed, snapshot, now, port }: SpaceWish,
  onRequest: () => void,
): Promise<RunningSpace> {
  const database = snapshot ? openImage(snapshot.image, beside.db) : seededInMemory({ seed, now: now ?? machineNow() });
  const config = {
    ...beside.config,
    port,
    databaseFile: ':memory:',
    seed,
    smtpUrl: null,
    cookiePrefix: `${spaceId}_`,
    spacePorts: null,
  };
  const log = beside.log.child({ space: spaceId });
  const deps = await createDeps({
    config,
    db: database.db,
    log,
    tls: beside.tls,
    isSpace: true,
    ...(now !== undefined && { frozenAt: now }),
  });
  if (snapshot) deps.clock.set(now === undefined ? snapshot.clock : { ...snapshot.clock, frozenAt: now });
  // Its own until it listens; `PUBLIC_URL` stays in the settings, where it says that strangers may come (decision 014).
  deps.publicUrl = `${beside.tls ? 'https' : 'http'}://localhost`;
  const app = await buildApp(deps);
  app.addHook('onRequest', async () => onRequest());
  const close = async () => {
    await app.close();
    database.close();
  };
  try {
    const local = new URL(await listen(app, { ...config, publicUrl: null }));
    // The same host name as the portal beside it: a caller who reaches that one reaches this one too.
    local.hostname = new URL(beside.publicUrl).hostname;
    deps.publicUrl = local.origin;
    if (beside.backchannelUrl) {
      local.hostname = new URL(beside.backchannelUrl).hostname;
      deps.backchannelUrl = local.origin;
    }
  } catch (reason) {
    await close();
    throw reason;
  }
  return { url: deps.publicUrl, close };
}
