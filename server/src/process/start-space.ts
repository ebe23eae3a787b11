import { openImage, openSeededInMemory } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { PortTaken, type RunningSpace, type SpaceOptions } from '#lab/spaces/spaces.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { PortUnusable } from '#platform/port-unusable.ts';
import { keyOriginOf } from '#platform/world-seed.ts';
import { runPortal } from './run-portal.ts';

const freePort = (port: number | null): number | null => (port === null ? null : 0);

/**
 * Starts a separate in-memory portal in this process, on its own port. It sends no emails; they stay in its outbox.
 * @throws PortTaken
 */
export async function startSpace(
  main: Deps,
  { spaceId, seed, snapshot, now, port }: SpaceOptions,
  onRequest: () => void,
): Promise<RunningSpace> {
  const { deps, close } = await runPortal({
    config: {
      ...main.config,
      port,
      databaseFile: ':memory:',
      seed,
      smtpUrl: null,
      cookiePrefix: `${spaceId}_`,
      spacePorts: null,
      // The main portal uses the configured ports, so each space gets free ports.
      radiusPorts: main.config.radiusPorts && [0, 0],
      ldapPort: freePort(main.config.ldapPort),
      ldapsPort: freePort(main.config.ldapsPort),
    },
    database: snapshot
      ? openImage(snapshot.image, main.db)
      : openSeededInMemory({ seed, keysFrom: keyOriginOf(main.config), now: now ?? machineNow() }),
    log: main.log.child({ space: spaceId }),
    tls: main.tls,
    frozenAt: now,
    prepare(app, own) {
      if (snapshot) {
        const clock = now === undefined ? snapshot.clock : { ...snapshot.clock, frozenAt: now };
        own.initialState = { ...snapshot, clock };
      }
      app.addHook('onRequest', async () => onRequest());
    },
  }).catch((reason: unknown) => {
    throw reason instanceof PortUnusable ? new PortTaken(reason.message) : reason;
  });
  const local = new URL(deps.publicUrl);
  // Use the main portal's host name: clients that can reach the main portal can reach the space there too.
  local.hostname = new URL(main.publicUrl).hostname;
  deps.publicUrl = local.origin;
  if (main.backchannelUrl) {
    local.hostname = new URL(main.backchannelUrl).hostname;
    deps.backchannelUrl = local.origin;
  }
  return { url: deps.publicUrl, backchannelUrl: deps.backchannelUrl, close };
}
