import { webhookRepo } from '@orchestrate/db';
import type { WebhookDelivery } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseEndedSession, retryIfReset } from '../../platform/retry-if-reset.ts';
import { attemptDelivery } from '../../protocols/webhook-delivery/attempt-delivery.ts';
import { LEASE_MS } from '../../protocols/webhook-delivery/deliver-webhooks.ts';
import { settleAttempt } from '../../protocols/webhook-delivery/settle-attempt.ts';
import { deliveryOf } from './webhook-of.ts';
import { requireWebhook } from './write-webhook.ts';

/** Sends `webhook.test`, also to a webhook that is switched off. @throws Refusal ID_DOESNOT_EXIST */
export async function sendTest(deps: Deps, orgCode: string, webhookId: string): Promise<WebhookDelivery> {
  const { db, clock, random } = deps;
  const webhook = requireWebhook(db, orgCode, webhookId);
  const createdAt = clock.now();
  const data = { orgCode, webhookId };
  const payload = JSON.stringify({ type: 'webhook.test', timestamp: clock.iso(createdAt), data });
  const made = webhookRepo.insertDelivery(db, {
    id: `test_${random.id()}`,
    orgCode,
    webhookId,
    type: 'webhook.test',
    payload,
    createdAt,
    nextAttemptAt: null,
  });
  return sendOnce(deps, webhook, made);
}

/** Immediately sends a delivery that was sent before or still waits. @throws Refusal ID_DOESNOT_EXIST */
export function sendAgain(
  deps: Deps,
  orgCode: string,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<WebhookDelivery> {
  const webhook = requireWebhook(deps.db, orgCode, webhookId);
  const known = webhookRepo.findDelivery(deps.db, orgCode, webhookId, deliveryId);
  if (!known) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such delivery.' });
  return sendOnce(deps, webhook, known);
}

async function sendOnce(deps: Deps, webhook: webhookRepo.WebhookRow, row: webhookRepo.DeliveryRow) {
  const { db, clock } = deps;
  const claimed = webhookRepo.claimDelivery(db, row, { now: clock.now(), leaseMs: LEASE_MS }) ?? row;
  await retryIfReset(
    deps,
    () => attemptDelivery(deps, webhook, claimed),
    (attempt) => settleAttempt(deps, webhook, claimed, { attempt, isOnce: true }),
    refuseEndedSession,
  );
  return deliveryOf(webhookRepo.findDelivery(db, row.orgCode, row.webhookId, row.id) ?? claimed);
}
