import type { Seed } from '@orchestrate/db';
import { MINUTE, SECOND, SPACE_IDLE_MINUTES, SPACES_MAX, type Space } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import type { SnapshotState } from '#platform/snapshot-state.ts';
import type { MachineTime } from '#platform/times.ts';

/** Options for starting a space. */
export interface SpaceOptions {
  spaceId: string;
  seed: Seed;
  /** Used instead of the seed. */
  snapshot: SnapshotState | undefined;
  /** Time at which its clock is frozen, in milliseconds since the epoch; undefined to run it. */
  now: number | undefined;
  /** Port; 0 for any free one. */
  port: number;
}

export interface RunningSpace {
  url: string;
  /** URL for servers; null if they use `url`. */
  backchannelUrl: string | null;
  close(): Promise<void>;
}

/** Starts a space. @param onRequest called with every request to it */
export type StartSpace = (beside: Deps, wish: SpaceOptions, onRequest: () => void) => Promise<RunningSpace>;

/** Thrown if the port is in use, or the account may not bind it. */
export class PortTaken extends Error {}

interface Kept {
  spaceId: string;
  name: string;
  port: number;
  running: RunningSpace;
  startedAt: MachineTime;
  lastUsedAt: MachineTime;
}

/** The spaces of a portal. Their times are real, because each has its own clock. */
export interface Spaces {
  /** @throws Refusal INVALID_REQUEST (HTTP 409) if there are too many, or no port is free */
  start(wish: Omit<SpaceOptions, 'spaceId' | 'port'> & { name: string | undefined }): Promise<Space>;
  list(): Space[];
  /** @throws Refusal ID_DOESNOT_EXIST; with HTTP 410 for an ended space */
  end(spaceId: string): Promise<void>;
  /** Ends a space whose URL could not be delivered to its caller, unless it has ended already. */
  endUnheard(spaceId: string): Promise<void>;
  endAll(): Promise<void>;
}

const IDLE_MS = SPACE_IDLE_MINUTES * MINUTE;
const LOOK_MS = 30 * SECOND;
/** Number of ended spaces to remember, so that their callers learn what happened. */
const ENDED_MAX = 1_000;

export function createSpaces(deps: Deps, startSpace: StartSpace): Spaces {
  const kept = new Map<string, Kept>();
  const ended = new Map<string, string>();
  /** Ports of spaces that are starting or ending. */
  const reserved = new Set<number>();
  /** Port of the most recently started space. */
  let lastPort = (deps.config.spacePorts?.[0] ?? 0) - 1;
  let starting = 0;
  let isOver = false;

  const timer = setInterval(() => {
    for (const { spaceId, lastUsedAt } of kept.values()) {
      if (machineNow() - lastUsedAt >= IDLE_MS)
        void end(spaceId, `after ${SPACE_IDLE_MINUTES} minutes without a request`);
    }
  }, LOOK_MS);
  timer.unref();

  const seen = ({ spaceId, name, running, startedAt, lastUsedAt }: Kept): Space => ({
    spaceId,
    name,
    url: running.url,
    ...(running.backchannelUrl && { backchannelUrl: running.backchannelUrl }),
    startedAt: new Date(startedAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
  });

  /**
   * Returns the next port in turn, because clients may still call the port of an ended space.
   * @param tried unusable ports
   */
  function nextPort(tried: ReadonlySet<number>): number {
    const range = deps.config.spacePorts;
    if (!range) return 0;
    const taken = new Set([...tried, ...reserved, ...[...kept.values()].map(({ port }) => port)]);
    const [first, last] = range;
    const count = last - first + 1;
    for (let step = 1; step <= count; step += 1) {
      const port = first + ((lastPort - first + step) % count);
      if (!taken.has(port)) return port;
    }
    const others = tried.size > 0 ? `, ${tried.size} of them by other programs` : '';
    throw refused(`All ports of SPACE_PORTS, ${first} to ${last}, are in use${others}. End a space first.`);
  }

  /** Starts on the next usable port. */
  async function startOnPort(wish: Omit<SpaceOptions, 'port'>, onRequest: () => void) {
    const tried = new Set<number>();
    for (;;) {
      const port = nextPort(tried);
      reserved.add(port);
      try {
        const running = await startSpace(deps, { ...wish, port }, onRequest);
        lastPort = port;
        return { port, running };
      } catch (reason) {
        if (!(reason instanceof PortTaken)) throw reason;
        tried.add(port);
      } finally {
        reserved.delete(port);
      }
    }
  }

  async function end(spaceId: string, why: string): Promise<void> {
    const space = kept.get(spaceId);
    if (!space) return;
    kept.delete(spaceId);
    const sentence = `The space ${space.name} ended ${why}.`;
    ended.set(spaceId, sentence);
    const [oldest] = ended.keys();
    if (oldest !== undefined && ended.size > ENDED_MAX) ended.delete(oldest);
    deps.bus.changed(TOPIC.spaces);
    reserved.add(space.port);
    await space.running.close().finally(() => reserved.delete(space.port));
  }

  return {
    async start({ name, ...wish }) {
      if (kept.size + starting >= SPACES_MAX) throw refused(`There are ${SPACES_MAX} spaces already. End one first.`);
      const spaceId = deps.random.id();
      starting += 1;
      try {
        const use = () => {
          const space = kept.get(spaceId);
          if (space) space.lastUsedAt = machineNow();
        };
        const { port, running } = await startOnPort({ ...wish, spaceId }, use);
        if (isOver) {
          await running.close();
          throw refused('The portal that started it has ended.');
        }
        const startedAt = machineNow();
        const space = { spaceId, name: name ?? spaceId, port, running, startedAt, lastUsedAt: startedAt };
        kept.set(spaceId, space);
        return seen(space);
      } finally {
        starting -= 1;
      }
    },

    list: () => [...kept.values()].map(seen),

    async end(spaceId) {
      if (!kept.has(spaceId)) throw gone(spaceId, ended.get(spaceId), [...kept.keys()]);
      await end(spaceId, `at ${new Date(machineNow()).toISOString()}`);
    },

    endUnheard: (spaceId) => end(spaceId, 'immediately, because the caller who started it had disconnected'),

    async endAll() {
      isOver = true;
      clearInterval(timer);
      await Promise.all([...kept.keys()].map((spaceId) => end(spaceId, 'with its portal')));
    },
  };
}

const refused = (message: string) => new Refusal('INVALID_REQUEST', { status: 409, message });

function gone(spaceId: string, sentence: string | undefined, known: readonly string[]): Refusal {
  if (sentence) return new Refusal('ID_DOESNOT_EXIST', { status: 410, message: sentence });
  const meant = nearest(spaceId, known);
  const message = `There is no space ${spaceId}.${meant ? ` Did you mean ${meant}?` : ''}`;
  return new Refusal('ID_DOESNOT_EXIST', { message });
}
