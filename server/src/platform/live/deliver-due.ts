import type { DeliveryKind } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { portalTime } from '../times.ts';
import { TOPIC } from './bus.ts';

/** A queue of database rows. Each row is claimed when due, sent, and then settled. */
export interface DeliveryQueue<Row> {
  /** What a row is called in the log, e.g. `an email`. */
  what: string;
  kind: DeliveryKind;
  /** Bus topic signalled when a row may have become due. */
  topic: string;
  /** Returns the maximum number of concurrent deliveries. */
  atOnce(): number;
  /** Claims the first due row for longer than sending can take. Returns undefined if no row is due. */
  claim(): Row | undefined;
  /** Returns when the next row is due, or null if no row is pending. */
  nextTime(): number | null;
  idOf(row: Row): string | number;
  /**
   * Sends a row and returns a function that records the result. Throws only on defects, after which the row becomes
   * due again when its lease expires.
   */
  send(row: Row): Promise<() => void>;
  /** Aborts pending deliveries. Without this function, a closing server waits for them. */
  abort?(): Promise<void>;
}

/** Sends due rows from server start until the server closes. */
export function deliverDue<Row>(app: FastifyInstance, deps: Deps, deliveries: DeliveryQueue<Row>): void {
  const { bus, clock, log, world } = deps;
  const underway = new Set<Promise<void>>();
  /** IDs of the rows being sent in the current world. Cleared on a reset, because the next world reuses the IDs. */
  let ids = new Set<string | number>();
  let hasEnded = false;
  let cancelWake = clock.at(clock.now(), wake);
  const state = () => ({ kind: deliveries.kind, underway: ids.size, nextTime: deliveries.nextTime() });
  const stops = [
    bus.listen([deliveries.topic], wake),
    bus.listen([TOPIC.reset], beginAgain),
    deps.deliveryQueues.add(state),
  ];

  function beginAgain(): void {
    ids = new Set();
    wake();
  }

  function wake(): void {
    while (!hasEnded && ids.size < deliveries.atOnce() && isAnyDue()) {
      const row = deliveries.claim();
      if (!row) break;
      const id = deliveries.idOf(row);
      // If the clock was advanced past the lease during sending, a row can be claimed again while it is in flight.
      if (ids.has(id)) continue;
      ids.add(id);
      const delivered = world.lifetime.run(() => deliver(id, row)).finally(() => underway.delete(delivered));
      underway.add(delivered);
    }
    wakeForNext();
  }

  /** Returns true if a row is due. Claiming takes a write lock, so check first: usually nothing is due. */
  function isAnyDue(): boolean {
    const next = deliveries.nextTime();
    return next !== null && next <= clock.now();
  }

  function wakeForNext(): void {
    cancelWake();
    // Rows in flight call `wake` when they finish.
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
    bus.changed(TOPIC.delivered);
  }

  app.addHook('onClose', async () => {
    hasEnded = true;
    for (const stop of stops) stop();
    cancelWake();
    await deliveries.abort?.();
    await Promise.all(underway);
  });
}
