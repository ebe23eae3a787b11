import { webhookRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { deliverDue } from '#platform/live/deliver-due.ts';
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
  const { db, clock } = deps;
  deliverDue<webhookRepo.DeliveryRow>(app, deps, {
    what: 'a webhook',
    topic: TOPIC.webhooks,
    atOnce: () => AT_ONCE,
    claim: () => webhookRepo.claimDueDelivery(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime: () => webhookRepo.findNextDeliveryTime(db),
    idOf: ({ number }) => number,
    async send(row) {
      const webhook = webhookRepo.findWebhook(db, row.orgCode, row.webhookId);
      if (!webhook) return () => undefined;
      const attempt = await attemptDelivery(deps, webhook, row);
      return () => settleAttempt(deps, webhook, row, { attempt, isOnce: false });
    },
  });
}
