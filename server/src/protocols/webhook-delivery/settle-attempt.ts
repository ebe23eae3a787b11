import { webhookRepo } from '@orchestrate/db';
import { DAY, maskAddress } from '@orchestrate/shared';
import { alertAdministrators } from '#core/audit/alert-administrators.ts';
import type { Deps } from '#deps.ts';
import { systemActor } from '#platform/http/callers/actors.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { drawChance, nextDeliveryAttempt } from '#platform/live/next-delivery-attempt.ts';
import { type Attempt, isAccepted } from './attempt-delivery.ts';

/** How long a webhook can accept no delivery before it is disabled, in milliseconds. */
const GIVEN_UP_AFTER_MS = 3 * DAY;

/** 410 Gone: the endpoint wants no more deliveries. */
const GONE = 410;

/**
 * Records the result of an attempt. A webhook that has accepted nothing for three days or responds with 410 is
 * disabled, and the administrators are notified.
 * @param isOnce true if there are no further attempts, as for a test or a manual retry
 */
export function settleAttempt(
  deps: Deps,
  webhook: webhookRepo.WebhookRow,
  delivery: webhookRepo.DeliveryRow,
  { attempt, isOnce }: { attempt: Attempt; isOnce: boolean },
): void {
  const { db, clock, bus, random } = deps;
  const { retryAfterMs, ...outcome } = attempt;
  const now = clock.now();
  db.transaction((tx) => {
    const { orgCode, id } = webhook;
    // The webhook may have been deleted or changed since it was read.
    const present = webhookRepo.findWebhook(tx, orgCode, id);
    if (isAccepted(attempt)) {
      webhookRepo.settleDelivery(tx, delivery, { ...outcome, status: 'delivered', nextAttemptAt: null });
      if (present?.failingSince) webhookRepo.changeWebhook(tx, orgCode, id, { failingSince: null });
      return;
    }
    const failure = { attempts: delivery.attempts, retryAfterMs, chance: drawChance(random) };
    const next = isOnce ? null : nextDeliveryAttempt(failure, now);
    const status = next === null ? 'failed' : 'waiting';
    webhookRepo.settleDelivery(tx, delivery, { ...outcome, status, nextAttemptAt: next });
    if (isOnce || !present?.enabled) return;
    const failingSince = present.failingSince ?? now;
    const isOver = attempt.responseStatus === GONE || now - failingSince >= GIVEN_UP_AFTER_MS;
    if (!isOver) return webhookRepo.changeWebhook(tx, orgCode, id, { failingSince });
    webhookRepo.changeWebhook(tx, orgCode, id, { failingSince, enabled: false, disabledAt: now });
    webhookRepo.cancelDeliveries(tx, orgCode, id, 'The webhook was disabled');
    const address = maskAddress(webhook.url);
    const lastAnswer = attempt.error || String(attempt.responseStatus);
    alertAdministrators(deps, tx, systemActor(orgCode), {
      action: 'webhook.disabled',
      object: { type: 'webhook', id, name: address },
      before: { enabled: true },
      after: { enabled: false },
      texts: {
        en: {
          subject: 'A webhook was disabled',
          what: `${address} hasn't accepted events for some time, so the portal has stopped sending them.`,
          details: [['Last response', lastAnswer]],
          advice: 'Check its deliveries, fix the receiver, and enable the webhook again.',
        },
        de: {
          subject: 'Ein Webhook wurde ausgeschaltet',
          what: `${address} hat seit einiger Zeit kein Ereignis angenommen, daher sendet das Portal nichts mehr dorthin.`,
          details: [['Letzte Antwort', lastAnswer]],
          advice:
            'Prüfen Sie die Zustellungen, bringen Sie den Empfänger in Ordnung und aktivieren Sie den Webhook wieder.',
        },
      },
    });
  });
  bus.changed(TOPIC.outbox);
}
