import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { portalTime } from '../times.ts';
import { TOPIC } from './bus.ts';

/** A queue of rows that are claimed in the database when due, sent, and settled. */
export interface Deliveries<Row> {
  /** Name of a row for the log, e.g. `an email`. */
  what: string;
  /** Topic that changes when a row may have become due. */
  topic: string;
  /** Returns the maximum number of concurrent deliveries. */
  atOnce(): number;
  /** Claims the first due row for longer than sending can take; undefined if none is due. */
  claim(): Row | undefined;
  /** Returns the time at which the next row is due; null if there is none. */
  nextTime(): number | null;
  idOf(row: Row): string | number;
  /**
   * Sends a row and a function that records the result. Errors are defects; the row is due again when its
   * lease expires.
   */
  send(row: Row): Promise<() => void>;
  /** Aborts pending deliveries. Without it, a closing server waits for them. */
  abort?(): Promise<void>;
}

/** Sends due rows from the start of the server until it closes. */
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
      // The clock was set forward during sending, so the row is still pending.
      if (ids.has(id)) continue;
      ids.add(id);
      const delivered = world.lifetime.run(() => deliver(id, row)).finally(() => underway.delete(delivered));
      underway.add(delivered);
    }
    wakeForNext();
  }

  /** Avoids the write lock of a claim in the usual case that nothing is due. */
  function isAnyDue(): boolean {
    const next = deliveries.nextTime();
    return next !== null && next <= clock.now();
  }

  function wakeForNext(): void {
    cancelWake();
    // Pending rows wake this when they finish.
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
