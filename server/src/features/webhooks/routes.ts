import { webhookRepo } from '@orchestrate/db';
import type { WebhookDelivery } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { Refusal } from '#platform/refusal.ts';
import { deliveryOf, sendOnce } from '#protocols/webhook-delivery/send-once.ts';
import { webhookDetailOf, webhookOf } from './webhook-of.ts';
import { createWebhook, deleteWebhook, requireWebhook, rotateSecret, updateWebhook } from './write-webhook.ts';

/**
 * Sends a `webhook.test` event, even if the webhook is disabled.
 * @throws Refusal ID_DOESNOT_EXIST
 */
async function sendTest(deps: Deps, orgCode: string, webhookId: string): Promise<WebhookDelivery> {
  const { db, clock, random } = deps;
  const webhook = requireWebhook(db, orgCode, webhookId);
  const createdAt = clock.now();
  const data = { orgCode, webhookId };
  const payload = JSON.stringify({ type: 'webhook.test', timestamp: clock.iso(createdAt), data });
  const created = webhookRepo.insertDelivery(db, {
    id: `test_${random.id()}`,
    orgCode,
    webhookId,
    type: 'webhook.test',
    payload,
    createdAt,
    nextAttemptAt: null,
  });
  return sendOnce(deps, webhook, created);
}

/**
 * Resends a delivery immediately.
 * @throws Refusal ID_DOESNOT_EXIST
 */
function sendAgain(
  deps: Deps,
  orgCode: string,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<WebhookDelivery> {
  const webhook = requireWebhook(deps.db, orgCode, webhookId);
  const known = webhookRepo.findDelivery(deps.db, orgCode, webhookId, deliveryId);
  if (!known) throw new Refusal('ID_DOESNOT_EXIST', { message: "This delivery doesn't exist." });
  return sendOnce(deps, webhook, known);
}

const deliveryKey = z.object({ id: z.string().regex(/^\d{1,15}$/) });

/** Serves webhooks and their deliveries. */
export function webhooks(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  implement(app, deps, contract.listWebhooks, ({ caller: { orgCode } }) => ({
    webhooks: webhookRepo.listWebhooks(db, orgCode).map((row) => webhookOf(deps, row)),
  }));

  implement(app, deps, contract.createWebhook, ({ actor, body }) => {
    const created = createWebhook(deps, actor, body);
    return { webhook: webhookDetailOf(deps, created), secret: created.secret };
  });

  implement(app, deps, contract.readWebhook, ({ caller: { orgCode }, params: { webhookId } }) => ({
    webhook: webhookDetailOf(deps, requireWebhook(db, orgCode, webhookId)),
  }));

  implement(app, deps, contract.updateWebhook, ({ actor, params: { webhookId }, body, version }) => ({
    webhook: webhookDetailOf(deps, updateWebhook(deps, actor, webhookId, body, version)),
  }));

  implement(app, deps, contract.deleteWebhook, ({ actor, params: { webhookId } }) => {
    deleteWebhook(deps, actor, webhookId);
    return {};
  });

  implement(app, deps, contract.readWebhookSecret, ({ caller: { orgCode }, params: { webhookId } }) => ({
    secret: requireWebhook(db, orgCode, webhookId).secret,
  }));

  implement(app, deps, contract.rotateWebhookSecret, ({ actor, params: { webhookId } }) => {
    const rotated = rotateSecret(deps, actor, webhookId);
    return { webhook: webhookDetailOf(deps, rotated), secret: rotated.secret };
  });

  implement(app, deps, contract.testWebhook, async ({ caller: { orgCode }, params: { webhookId } }) => ({
    delivery: await sendTest(deps, orgCode, webhookId),
  }));

  implement(app, deps, contract.resendWebhookDelivery, async ({ caller: { orgCode }, params }) => ({
    delivery: await sendAgain(deps, orgCode, params),
  }));

  implement(app, deps, contract.listWebhookDeliveries, ({ caller: { orgCode }, params: { webhookId }, query }) => {
    const { status, pageSize, lastItem } = query;
    requireWebhook(db, orgCode, webhookId);
    const before = lastItem === undefined ? undefined : Number(readPageKey(deliveryKey, lastItem).id);
    const found = webhookRepo.listDeliveries(db, orgCode, webhookId, { count: pageSize + 1, before, status });
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    return { Items: page.map(deliveryOf), LastEvaluatedKey: last ? { id: String(last.number) } : null };
  });
}
