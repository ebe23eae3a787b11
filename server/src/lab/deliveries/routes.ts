import { organisationRepo, webhookRepo } from '@orchestrate/db';
import { contract, DELIVERY_FAULTS_MAX, type DeliveryKind, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import type { DeliveryFaults } from '#platform/live/delivery-faults.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { takeWebhookFault } from '#protocols/webhook-delivery/deliver-webhooks.ts';
import { sampleEvent } from '#protocols/webhook-delivery/sample-event.ts';
import { sendOnce } from '#protocols/webhook-delivery/send-once.ts';
import { requireOrgCode } from '../phones/find-phone.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { markSet } from '../unused.ts';
import { createWaiting } from '../wait-until.ts';

/** Serves the lab endpoints for webhook deliveries and emails. */
export function deliveries(app: FastifyInstance, deps: Deps): void {
  const { webhookFaults, outboxFaults } = deps;
  const list = <Fault, Target>(faults: DeliveryFaults<Fault, Target>) => ({
    faults: [...faults.waiting()],
    fired: [...faults.fired()],
  });

  implement(app, deps, contract.readWebhookFaults, () => list(webhookFaults));

  implement(app, deps, contract.addWebhookFault, ({ body, actor }) => {
    requireCapacity(webhookFaults, '/api/lab/webhooks/faults');
    if (body.org !== undefined) requireOrgCode(deps, 'org', body.org);
    webhookFaults.add(body);
    markSet(deps, body);
    recordLabAction(deps, actor, 'lab.webhook-fault-added', body);
    return list(webhookFaults);
  });

  implement(app, deps, contract.clearWebhookFaults, ({ actor }) => {
    webhookFaults.clear();
    recordLabAction(deps, actor, 'lab.webhook-faults-cleared', {});
    return {};
  });

  implement(app, deps, contract.readOutboxFaults, () => list(outboxFaults));

  implement(app, deps, contract.addOutboxFault, ({ body, actor }) => {
    requireCapacity(outboxFaults, '/api/lab/outbox/faults');
    outboxFaults.add(body);
    markSet(deps, body);
    recordLabAction(deps, actor, 'lab.outbox-fault-added', body);
    return list(outboxFaults);
  });

  implement(app, deps, contract.clearOutboxFaults, ({ actor }) => {
    outboxFaults.clear();
    recordLabAction(deps, actor, 'lab.outbox-faults-cleared', {});
    return {};
  });

  implement(app, deps, contract.forgeDelivery, async ({ params: { webhookId }, body, actor }) => {
    const webhook = requireWebhookOfAny(deps, webhookId);
    const { type, data, signature } = body;
    recordLabAction(deps, actor, 'lab.delivery-forged', { webhookId, type, signature });
    const { orgCode } = webhook;
    const now = deps.clock.now();
    const event = sampleEvent(type, { orgCode, at: now });
    const created = webhookRepo.insertDelivery(deps.db, {
      id: `evt_forged_${deps.random.id()}`,
      orgCode,
      webhookId,
      type,
      payload: JSON.stringify({ ...event, data: { ...event.data, ...data } }),
      createdAt: now,
      nextAttemptAt: null,
    });
    // The response contains the result, so a forged delivery can't wait. Of two flaws, only one would have an effect.
    const fault = takeWebhookFault(deps, created, (one) =>
      one.do === 'mis-sign' ? signature === undefined : one.do === 'drop' || one.do === 'duplicate',
    );
    const misSigned = fault?.do === 'mis-sign' ? (fault.signature ?? 'wrong-secret') : undefined;
    const changes = { signature: signature ?? misSigned, isDuplicated: fault?.do === 'duplicate', isForged: true };
    return { delivery: await sendOnce(deps, webhook, created, fault?.do === 'drop' ? 'drop' : changes) };
  });

  settled(app, deps);
}

/** @throws Refusal INVALID_REQUEST with HTTP 409 if there are too many pending faults */
function requireCapacity(faults: DeliveryFaults<unknown, unknown>, path: string): void {
  if (faults.waiting().length < DELIVERY_FAULTS_MAX) return;
  const message = `${DELIVERY_FAULTS_MAX} faults are already pending. Remove them with DELETE ${path}.`;
  throw new Refusal('INVALID_REQUEST', { status: 409, message });
}

/**
 * Returns a webhook of any organisation.
 * @throws Refusal ID_DOESNOT_EXIST with the closest known ID
 */
function requireWebhookOfAny({ db }: Deps, webhookId: string): webhookRepo.WebhookRow {
  const all = organisationRepo.listOrgCodes(db).flatMap((orgCode) => webhookRepo.listWebhooks(db, orgCode));
  const found = all.find(({ id }) => id === webhookId);
  if (found) return found;
  const meant = nearest(
    webhookId,
    all.map(({ id }) => id),
  );
  const message = `There is no webhook ${webhookId}.${meant ? ` Did you mean ${meant}?` : ''}`;
  throw new Refusal('ID_DOESNOT_EXIST', { message });
}

/** Names of the delivery kinds in error messages. */
const NAMES: Record<DeliveryKind, string> = {
  webhook: 'webhook deliveries',
  email: 'emails',
  provisioning: 'outbound provisioning',
  logout: 'logout notices',
};

/** Serves the endpoint that waits until nothing is due or being sent. It ignores retries that are due later. */
function settled(app: FastifyInstance, deps: Deps): void {
  const { clock, deliveryQueues } = deps;
  const waiting = createWaiting(app, deps);
  const pending = () =>
    deliveryQueues
      .states()
      .filter(({ underway, nextTime }) => underway > 0 || (nextTime !== null && nextTime <= clock.now()));

  implement(app, deps, contract.awaitSettled, async ({ query: { wait } }) => {
    await waiting.until([TOPIC.delivered, TOPIC.reset], () => pending().length === 0, wait * SECOND);
    const left = [...new Set(pending().map(({ kind }) => NAMES[kind]))];
    if (left.length > 0) {
      const message = `Not settled within ${wait} s. Still pending: ${left.join(', ')}.`;
      throw new Refusal('INVALID_REQUEST', { status: 409, message });
    }
    const scheduled = deliveryQueues.states().flatMap(({ kind, nextTime }) => (nextTime ? [{ kind, nextTime }] : []));
    return { scheduled: scheduled.map(({ kind, nextTime }) => ({ kind, at: isoOf(nextTime) })) };
  });
}
