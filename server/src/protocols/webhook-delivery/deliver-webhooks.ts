import { webhookRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { settleAttempt } from './settle-attempt.ts';

/** A delivery that is being sent when the server is killed is due again after this. Longer than any sending takes. */
export const LEASE_MS = MINUTE;
/** Deliveries on their way at the same time. */
const AT_ONCE = 4;

/**
 * Sends events to webhooks: those that are due, with retries for those that were not accepted. Each is claimed in the
 * database first, so that a restart forgets none; one that was accepted just before a kill is sent twice, under the
 * same id.
 */
export function deliverWebhooks(app: FastifyInstance, deps: Deps): void {
  const delivery = new Delivery(deps);
  const stopListening = deps.bus.listen([TOPIC.webhooks, TOPIC.reset], () => delivery.wake());
  const cancelStart = deps.clock.at(deps.clock.now(), () => delivery.wake());
  app.addHook('onClose', async () => {
    stopListening();
    cancelStart();
    await delivery.end();
  });
}

class Delivery {
  readonly #deps: Deps;
  readonly #underway = new Map<number, Promise<void>>();
  #cancelWake: (() => void) | undefined;
  #hasEnded = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  wake(): void {
    const { db, clock } = this.#deps;
    while (!this.#hasEnded && this.#underway.size < AT_ONCE) {
      const due = webhookRepo.claimDueDelivery(db, { now: clock.now(), leaseMs: LEASE_MS });
      if (!due) break;
      // The clock was set forward during sending: the delivery is still on its way.
      if (this.#underway.has(due.number)) continue;
      this.#underway.set(due.number, this.#deliver(due));
    }
    this.#wakeForNext();
  }

  #wakeForNext(): void {
    this.#cancelWake?.();
    const { db, clock } = this.#deps;
    // A delivery that is underway wakes this when it is done.
    const next = this.#hasEnded || this.#underway.size > 0 ? null : webhookRepo.findNextDeliveryTime(db);
    this.#cancelWake = next === null ? undefined : clock.at(next, () => this.wake());
  }

  async #deliver(row: webhookRepo.DeliveryRow): Promise<void> {
    try {
      const webhook = webhookRepo.findWebhook(this.#deps.db, row.orgCode, row.webhookId);
      if (webhook) {
        const attempt = await attemptDelivery(this.#deps, webhook, row);
        settleAttempt(this.#deps, webhook, row, { attempt, isOnce: false });
      }
    } catch (reason) {
      // A defect: it is due again when its lease expires.
      this.#deps.log.error({ err: reason }, 'a webhook could not be delivered');
    }
    this.#underway.delete(row.number);
    this.wake();
  }

  /** Waits for deliveries on their way, at most as long as one sending may take. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#cancelWake?.();
    await Promise.all(this.#underway.values());
  }
}
