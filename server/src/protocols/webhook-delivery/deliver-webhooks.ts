import { webhookRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { deliverDue } from '#platform/live/deliver-due.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { settleAttempt } from './settle-attempt.ts';

/** Time after which a delivery interrupted by a crash is due again, in milliseconds. Longer than any attempt. */
export const LEASE_MS = MINUTE;
/** Maximum number of concurrent deliveries. */
const AT_ONCE = 4;

/**
 * Sends due events to webhooks and retries failed deliveries. Each delivery is first claimed in the database, so
 * restarts lose none. A delivery accepted just before a crash is sent twice with the same ID.
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
