import { webhookRepo } from '@orchestrate/db';
import type { WebhookDelivery } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { isoOf } from '#platform/times.ts';
import { attemptDelivery, type DeliveryChanges } from './attempt-delivery.ts';
import { DROPPED, LEASE_MS } from './deliver-webhooks.ts';
import { settleAttempt } from './settle-attempt.ts';

/**
 * Sends a delivery immediately, without retries, and returns it with the response.
 * @param changes `drop` to record the delivery without sending it
 */
export async function sendOnce(
  deps: Deps,
  webhook: webhookRepo.WebhookRow,
  row: webhookRepo.DeliveryRow,
  changes: DeliveryChanges | 'drop' = {},
): Promise<WebhookDelivery> {
  const { db, clock } = deps;
  const claimed = webhookRepo.claimDelivery(db, row, { now: clock.now(), leaseMs: LEASE_MS }) ?? row;
  const attempt = changes === 'drop' ? DROPPED : await attemptDelivery(deps, webhook, claimed, changes);
  settleAttempt(deps, webhook, claimed, { attempt, isOnce: true });
  return deliveryOf(webhookRepo.findDelivery(db, row.orgCode, row.webhookId, row.id) ?? claimed);
}

export function deliveryOf(row: webhookRepo.DeliveryRow): WebhookDelivery {
  const { id, type, status, attempts, responseStatus, responseBody, durationMs, error, payload } = row;
  return {
    id,
    type,
    status,
    attempts,
    responseStatus,
    responseBody,
    durationMs,
    error,
    payload,
    createdAt: isoOf(row.createdAt),
    lastAttemptAt: isoOf(row.lastAttemptAt),
    nextAttemptAt: isoOf(row.nextAttemptAt),
  };
}
