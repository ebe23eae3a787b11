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
   * Sends a row. Returns what records the result, which is not called where the lab was reset meanwhile: another row
   * may have the number then. What it throws is a defect: the row is due again when its lease expires.
   */
  send(row: Row): Promise<() => void>;
  /** Aborts what is on its way; without this, the server waits for it when it closes. */
  abort?(): Promise<void>;
}

/** Sends what is due, from the start of the server until it closes. */
export function deliverDue<Row>(app: FastifyInstance, deps: Deps, deliveries: Deliveries<Row>): void {
  const { bus, clock, log } = deps;
  let underway = new Map<string | number, Promise<void>>();
  /** What is on its way from worlds before a reset. */
  const overtaken = new Set<Promise<void>>();
  let hasEnded = false;
  let cancelWake = clock.at(clock.now(), wake);
  const stops = [bus.listen([deliveries.topic], wake), bus.listen([TOPIC.reset], beginAgain)];

  function beginAgain(): void {
    for (const sending of underway.values()) {
      overtaken.add(sending);
      void sending.then(() => overtaken.delete(sending));
    }
    underway = new Map();
    wake();
  }

  function wake(): void {
    while (!hasEnded && underway.size < deliveries.atOnce() && isAnyDue()) {
      const row = deliveries.claim();
      if (!row) break;
      const id = deliveries.idOf(row);
      // The clock was set forward during sending: the row is still on its way.
      if (!underway.has(id)) underway.set(id, deliver(id, row));
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
    const next = hasEnded || underway.size > 0 ? null : deliveries.nextTime();
    cancelWake = next === null ? () => undefined : clock.at(portalTime(next), wake);
  }

  async function deliver(id: string | number, row: Row): Promise<void> {
    const ours = underway;
    try {
      const settle = await deliveries.send(row);
      if (ours === underway) settle();
    } catch (reason) {
      log.error({ err: reason }, `${deliveries.what} could not be delivered`);
    }
    ours.delete(id);
    if (ours === underway) wake();
  }

  app.addHook('onClose', async () => {
    hasEnded = true;
    for (const stop of stops) stop();
    cancelWake();
    await deliveries.abort?.();
    await Promise.all([...underway.values(), ...overtaken]);
  });
}
