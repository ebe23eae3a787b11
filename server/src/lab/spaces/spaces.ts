import type { Seed } from '@orchestrate/db';
import { MINUTE, SECOND, SPACE_IDLE_MINUTES, SPACES_MAX, type Space } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import type { SnapshotState } from '#platform/snapshot-state.ts';
import type { MachineTime } from '#platform/times.ts';

export interface SpaceOptions {
  spaceId: string;
  seed: Seed;
  /** Initial state, used instead of the seed. */
  snapshot: SnapshotState | undefined;
  /** Time at which to freeze the space's clock, in milliseconds since the epoch; undefined lets the clock run. */
  now: number | undefined;
  /** Port to listen on; 0 picks any free port. */
  port: number;
}

export interface RunningSpace {
  url: string;
  /** Base URL for server-to-server calls; null if servers use `url` too. */
  backchannelUrl: string | null;
  close(): Promise<void>;
}

/** Starts a space. @param onRequest called on every request to the space */
export type StartSpace = (main: Deps, options: SpaceOptions, onRequest: () => void) => Promise<RunningSpace>;

/** Thrown if the port is in use or the process lacks permission to bind it. */
export class PortTaken extends Error {}

interface Kept {
  spaceId: string;
  name: string;
  port: number;
  running: RunningSpace;
  startedAt: MachineTime;
  lastUsedAt: MachineTime;
}

/** Manages the spaces of a portal. All times are in real time, because each space has its own clock. */
export interface Spaces {
  /**
   * Starts a space.
   * @throws Refusal INVALID_REQUEST (HTTP 409) if the limit of spaces is reached or no port is free
   */
  start(options: Omit<SpaceOptions, 'spaceId' | 'port'> & { name: string | undefined }): Promise<Space>;
  list(): Space[];
  /**
   * Ends a space.
   * @throws Refusal ID_DOESNOT_EXIST, with HTTP 410 if the space has ended
   */
  end(spaceId: string): Promise<void>;
  /** Ends a space if its URL could not be delivered to the client. Does nothing if the space has already ended. */
  endUnheard(spaceId: string): Promise<void>;
  endAll(): Promise<void>;
}

const IDLE_MS = SPACE_IDLE_MINUTES * MINUTE;
const LOOK_MS = 30 * SECOND;
/** Number of ended spaces to remember, so later requests get the reason the space ended. */
const ENDED_MAX = 1_000;

export function createSpaces(deps: Deps, startSpace: StartSpace): Spaces {
  const spaces = new Map<string, Kept>();
  const ended = new Map<string, string>();
  /** Ports of spaces that are starting or ending. */
  const reserved = new Set<number>();
  /** Port of the most recently started space. */
  let lastPort = (deps.config.spacePorts?.[0] ?? 0) - 1;
  let starting = 0;
  let isOver = false;

  const timer = setInterval(() => {
    for (const { spaceId, lastUsedAt } of spaces.values()) {
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
   * Returns the next port in rotation. Ports are reused as late as possible because clients may still call an ended
   * space.
   * @param tried ports that turned out to be unusable
   */
  function nextPort(tried: ReadonlySet<number>): number {
    const range = deps.config.spacePorts;
    if (!range) return 0;
    const taken = new Set([...tried, ...reserved, ...[...spaces.values()].map(({ port }) => port)]);
    const [first, last] = range;
    const count = last - first + 1;
    for (let step = 1; step <= count; step += 1) {
      const port = first + ((lastPort - first + step) % count);
      if (!taken.has(port)) return port;
    }
    const others = tried.size > 0 ? `, ${tried.size} of them by other programs` : '';
    throw refused(`All ports in SPACE_PORTS (${first} to ${last}) are in use${others}. End a space first.`);
  }

  /** Starts a space on the next usable port. */
  async function startOnPort(options: Omit<SpaceOptions, 'port'>, onRequest: () => void) {
    const tried = new Set<number>();
    for (;;) {
      const port = nextPort(tried);
      reserved.add(port);
      try {
        const running = await startSpace(deps, { ...options, port }, onRequest);
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
    const space = spaces.get(spaceId);
    if (!space) return;
    spaces.delete(spaceId);
    const sentence = `The space ${space.name} ended ${why}.`;
    ended.set(spaceId, sentence);
    const [oldest] = ended.keys();
    if (oldest !== undefined && ended.size > ENDED_MAX) ended.delete(oldest);
    deps.bus.changed(TOPIC.spaces);
    reserved.add(space.port);
    await space.running.close().finally(() => reserved.delete(space.port));
  }

  return {
    async start({ name, ...options }) {
      if (spaces.size + starting >= SPACES_MAX) throw refused(`There are ${SPACES_MAX} spaces already. End one first.`);
      const spaceId = deps.random.id();
      starting += 1;
      try {
        const use = () => {
          const space = spaces.get(spaceId);
          if (space) space.lastUsedAt = machineNow();
        };
        const { port, running } = await startOnPort({ ...options, spaceId }, use);
        if (isOver) {
          await running.close();
          throw refused('The portal shut down before the space had started.');
        }
        const startedAt = machineNow();
        const space = { spaceId, name: name ?? spaceId, port, running, startedAt, lastUsedAt: startedAt };
        spaces.set(spaceId, space);
        return seen(space);
      } finally {
        starting -= 1;
      }
    },

    list: () => [...spaces.values()].map(seen),

    async end(spaceId) {
      if (!spaces.has(spaceId)) throw gone(spaceId, ended.get(spaceId), [...spaces.keys()]);
      await end(spaceId, `at ${new Date(machineNow()).toISOString()}`);
    },

    endUnheard: (spaceId) => end(spaceId, 'immediately, because the caller who started it had disconnected'),

    async endAll() {
      isOver = true;
      clearInterval(timer);
      await Promise.all([...spaces.keys()].map((spaceId) => end(spaceId, 'with its portal')));
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
