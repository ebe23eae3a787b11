import { webhookRepo } from '@orchestrate/db';
import { MINUTE, SECOND, type WebhookFault } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { deliverDue } from '#platform/live/deliver-due.ts';
import { type Attempt, attemptDelivery } from './attempt-delivery.ts';
import { settleAttempt } from './settle-attempt.ts';

/** Time after which a delivery interrupted by a crash is due again, in milliseconds. Longer than any attempt. */
export const LEASE_MS = MINUTE;
/** Maximum number of concurrent deliveries. */
const CONCURRENCY = 4;

/**
 * Sends due events to webhooks and retries failed deliveries. Each delivery is first claimed in the database, so
 * restarts lose none. A delivery accepted just before a crash is sent twice with the same ID.
 */
export function deliverWebhooks(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  const faults = applyFaults(app, deps);
  deliverDue<webhookRepo.DeliveryRow>(app, deps, {
    what: 'a webhook',
    kind: 'webhook',
    topic: TOPIC.webhooks,
    atOnce: () => CONCURRENCY,
    claim: () => webhookRepo.claimDueDelivery(db, { now: clock.now(), leaseMs: LEASE_MS }),
    nextTime: () => webhookRepo.findNextDeliveryTime(db),
    idOf: ({ number }) => number,
    async send(row) {
      const webhook = webhookRepo.findWebhook(db, row.orgCode, row.webhookId);
      if (!webhook) return () => undefined;
      const fault = faults.take(row);
      if (fault?.do === 'delay') return () => faults.postpone(row, fault.ms ?? 0);
      if (fault?.do === 'reorder') return () => faults.letOvertake(row);
      if (fault?.do === 'drop') return () => settleAttempt(deps, webhook, row, { attempt: DROPPED, isOnce: true });
      const signature = fault?.do === 'mis-sign' ? (fault.signature ?? 'wrong-secret') : undefined;
      const isDuplicated = fault?.do === 'duplicate';
      const attempt = await attemptDelivery(deps, webhook, row, { signature, isDuplicated });
      return () => {
        settleAttempt(deps, webhook, row, { attempt, isOnce: false });
        faults.releaseOvertaken(row);
      };
    },
  });
}

/** The result of a delivery that the lab has dropped. */
export const DROPPED: Attempt = {
  responseStatus: null,
  responseBody: '',
  durationMs: null,
  error: 'Dropped by the lab',
  retryAfterMs: 0,
};

/** How long a reordered delivery waits for the next one, in milliseconds of the portal's clock. */
const OVERTAKE_WITHIN_MS = 2 * SECOND;

/** Uses the first of the lab's faults that fits a delivery. @param accepts faults that the caller can apply */
export function takeWebhookFault(
  { journal, webhookFaults }: Pick<Deps, 'journal' | 'webhookFaults'>,
  { id, orgCode, webhookId, type }: webhookRepo.DeliveryRow,
  accepts: (fault: WebhookFault) => boolean = () => true,
): WebhookFault | undefined {
  const fits = (fault: WebhookFault) =>
    (fault.event ?? type) === type && (fault.org ?? orgCode) === orgCode && accepts(fault);
  const fault = webhookFaults.take(fits, { deliveryId: id });
  if (!fault) return undefined;
  const how = [fault.do, fault.do === 'mis-sign' && (fault.signature ?? 'wrong-secret')].filter(Boolean).join(' ');
  journal.record({ kind: 'fault', path: `/api/org/webhooks/${webhookId}`, what: `${type}: ${how}` });
  return fault;
}

/** Applies the lab's faults to first attempts. Postponing a delivery makes its row due later. */
function applyFaults(app: FastifyInstance, deps: Deps) {
  const { db, clock, bus } = deps;
  /** IDs of deliveries that a fault has postponed, because a fault applies to a delivery only once. */
  const postponed = new Set<string>();
  /** Deliveries that wait for the next one to the same webhook, by webhook. */
  const overtaken = new Map<string, webhookRepo.DeliveryRow[]>();
  const stopListening = bus.listen([TOPIC.reset], () => {
    postponed.clear();
    overtaken.clear();
  });
  app.addHook('preClose', async () => stopListening());

  function postpone(row: webhookRepo.DeliveryRow, ms: number): void {
    postponed.add(row.id);
    webhookRepo.postponeDelivery(db, row, clock.now() + ms);
  }

  return {
    take: (row: webhookRepo.DeliveryRow) =>
      row.attempts > 1 || postponed.delete(row.id) ? undefined : takeWebhookFault(deps, row),
    postpone,
    letOvertake(row: webhookRepo.DeliveryRow): void {
      overtaken.set(row.webhookId, [...(overtaken.get(row.webhookId) ?? []), row]);
      postpone(row, OVERTAKE_WITHIN_MS);
    },
    /** Makes the deliveries due that are waiting for this one. */
    releaseOvertaken({ webhookId }: webhookRepo.DeliveryRow): void {
      for (const row of overtaken.get(webhookId) ?? []) webhookRepo.hastenDelivery(db, row, clock.now());
      overtaken.delete(webhookId);
    },
  };
}
