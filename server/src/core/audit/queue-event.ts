import { type auditRepo, webhookRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { TOPIC } from '../../platform/live/bus.ts';

/** Queues an event for every webhook that receives it. They are woken once the transaction is over. */
export function queueEvent(
  { clock, bus }: Pick<Deps, 'clock'> & Partial<Pick<Deps, 'bus'>>,
  tx: Parameters<typeof webhookRepo.insertDelivery>[0],
  event: auditRepo.AuditRow,
): void {
  const { orgCode, action: type } = event;
  const wanting = webhookRepo.listWebhooksFor(tx, orgCode, type);
  if (wanting.length === 0) return;
  const now = clock.now();
  const payload = payloadOf(event);
  for (const webhookId of wanting) {
    // The same for every attempt, but different for each webhook.
    const id = `evt_${event.id}_${webhookId}`;
    webhookRepo.insertDelivery(tx, { id, orgCode, webhookId, type, payload, createdAt: now, nextAttemptAt: now });
  }
  queueMicrotask(() => bus?.changed(TOPIC.webhooks));
}

/**
 * Standard Webhooks 1.0.0, "Payload size": smaller than 20 kB. A larger event names only the fields; their values are
 * in the trail.
 */
const PAYLOAD_MAX_BYTES = 20_000;

/** Standard Webhooks 1.0.0, payload structure: `type`, `timestamp`, `data`. */
function payloadOf(event: auditRepo.AuditRow): string {
  const { id, orgCode, at, action: type, suid, changes } = event;
  const actor = { kind: event.actorKind, suid: event.actorSuid, name: event.actorName, mode: event.actorMode };
  const object = { type: event.objectType, id: event.objectId, name: event.objectName };
  const data = { id: String(id), orgCode, actor: { ...actor, ip: event.ip }, object, suid, changes };
  const whole = JSON.stringify({ type, timestamp: isoOf(at), data });
  if (Buffer.byteLength(whole) <= PAYLOAD_MAX_BYTES) return whole;
  const fields = changes.map(({ field }) => ({ field }));
  return JSON.stringify({ type, timestamp: isoOf(at), data: { ...data, changes: fields, isShortened: true } });
}
