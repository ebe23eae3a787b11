import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { portalTime } from '../times.ts';
import { TOPIC } from './bus.ts';

/** Rows that are sent when they are due: claimed in the database, sent, and settled. */
export interface Deliveries<Row> {
  /** What a row is, for the log, e.g. `a mail`. */
  what: string;
  /** Changes when a row may have become due. */
  topic: string;
  /** How many may be on their way now. */
  atOnce(): number;
  /** Claims the row that is due first, for longer than sending it can take; undefined where none is due. */
  claim(): Row | undefined;
  /** When the next row is due; null where none is. */
  nextTime(): number | null;
  idOf(row: Row): string | number;
  /**
   * Sends a row. Returns a function that records the result. What it throws is a defect: the row is due again when its
   * lease expires.
   */
  send(row: Row): Promise<() => void>;
  /** Aborts what is on its way; without this, the server waits for it when it closes. */
  abort?(): Promise<void>;
}

/** Sends what is due, from the start of the server until it closes. */
export function deliverDue<Row>(app: FastifyInstance, deps: Deps, deliveries: Deliveries<Row>): void {
  const { bus, clock, log, world } = deps;
  const underway = new Set<Promise<void>>();
  /** Of the rows of this world: the next one numbers its rows from the start again. */
  let ids = new Set<string | number>();
  let hasEnded = false;
  let cancelWake = clock.at(clock.now(), wake);
  const stops = [bus.listen([deliveries.topic], wake), bus.listen([TOPIC.reset], beginAgain)];

  function beginAgain(): void {
    ids = new Set();
    wake();
  }

  function wake(): void {
    while (!hasEnded && ids.size < deliveries.atOnce() && isAnyDue()) {
      const row = deliveries.claim();
      if (!row) break;
      const id = deliveries.idOf(row);
      // The clock was set forward during sending: the row is still on its way.
      if (ids.has(id)) continue;
      ids.add(id);
      const delivered = world.lifetime.run(() => deliver(id, row)).finally(() => underway.delete(delivered));
      underway.add(delivered);
    }
    wakeForNext();
  }

  /** Nearly always nothing is due, and a claim would still take the lock of a write. */
  function isAnyDue(): boolean {
    const next = deliveries.nextTime();
    return next !== null && next <= clock.now();
  }

  function wakeForNext(): void {
    cancelWake();
    // A row that is underway wakes this when it is done.
    const next = hasEnded || ids.size > 0 ? null : deliveries.nextTime();
    cancelWake = next === null ? () => undefined : clock.at(portalTime(next), wake);
  }

  async function deliver(id: string | number, row: Row): Promise<void> {
    const { lifetime } = world;
    try {
      const settle = await deliveries.send(row);
      settle();
    } catch (reason) {
      if (!lifetime.hasEnded) log.error({ err: reason }, `${deliveries.what} could not be delivered`);
    }
    if (lifetime.hasEnded) return;
    ids.delete(id);
    wake();
  }

  app.addHook('onClose', async () => {
    hasEnded = true;
    for (const stop of stops) stop();
    cancelWake();
    await deliveries.abort?.();
    await Promise.all(underway);
  });
}
