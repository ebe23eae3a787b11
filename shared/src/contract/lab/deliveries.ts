import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../audit-actions.ts';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, queryNumber } from '../../fields.ts';
import { webhookDelivery } from '../settings/webhooks.ts';

const lab = { who: 'lab' } as const;

/** Maximum number of pending webhook faults. The same limit applies to outbox faults. */
export const DELIVERY_FAULTS_MAX = 200;

const times = z.number().int().min(1).max(1_000);

/** Ways to sign a delivery wrongly. A receiver must reject each of them (Standard Webhooks 1.0.0). */
export const WRONG_SIGNATURES = [
  /** Signed with a secret that isn't the webhook's. */
  'wrong-secret',
  /** The body differs from the signed body. */
  'altered',
  /** Signed correctly with a timestamp an hour old, like a replayed request. */
  'old',
  /** Signed correctly with a timestamp an hour ahead. */
  'future',
  /** Without the `webhook-signature` header. */
  'missing',
] as const;
export type WrongSignature = (typeof WRONG_SIGNATURES)[number];

const WEBHOOK_FAULT_EFFECTS = [
  /** Never sends the delivery and doesn't retry it. It is listed as failed, and can be resent. */
  'drop',
  /** Sends the delivery `ms` milliseconds later, by the portal's clock. */
  'delay',
  /** Sends the delivery twice, with the same ID, timestamp and signature. */
  'duplicate',
  /** Sends the delivery after the webhook's next one, or after two seconds by the portal's clock if none follows. */
  'reorder',
  /** Signs the first attempt wrongly, as set by `signature`. Retries are signed correctly. */
  'mis-sign',
] as const;

/**
 * A fault that affects deliveries to webhooks. Test events and resent deliveries aren't affected. `delay` and `reorder`
 * wait for a real event, because a forged one is sent immediately.
 */
export const webhookFault = z
  .strictObject({
    /**
     * Effect on the delivery: `drop` never sends it, `delay` sends it later, `duplicate` sends it twice, `reorder`
     * sends it after the next one, and `mis-sign` signs it wrongly.
     */
    do: z.enum(WEBHOOK_FAULT_EFFECTS),
    /** Event type, e.g. `member.paused`. Default: any event. */
    event: z.enum(AUDIT_ACTIONS).optional(),
    /** Organisation of the webhook. Default: any organisation. */
    org: orgCode.optional(),
    /** Delay in milliseconds, by the portal's clock. Required with `delay`. */
    ms: z.number().int().min(1).max(86_400_000).optional(),
    /** Flaw of the signature, with `mis-sign`. Default: `wrong-secret`. */
    signature: z.enum(WRONG_SIGNATURES).optional(),
    /** Number of deliveries that the fault affects. */
    times: times.default(1),
  })
  .superRefine((fault, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (fault.do === 'delay' && fault.ms === undefined) refuse('ms', 'delay requires ms');
    if (fault.do !== 'delay' && fault.ms !== undefined) refuse('ms', `ms only applies to delay, not to ${fault.do}`);
    if (fault.do !== 'mis-sign' && fault.signature !== undefined)
      refuse('signature', `signature only applies to mis-sign, not to ${fault.do}`);
  });
export type WebhookFault = z.output<typeof webhookFault>;

const webhookFaults = z.object({
  /** Pending faults, each with the number of deliveries that it can still affect. */
  faults: z.array(webhookFault),
  /** Faults that have fired, newest first, at most 200. */
  fired: z.array(z.object({ at: z.string(), deliveryId: z.string(), fault: webhookFault })),
});

export const readWebhookFaults = endpoint({
  method: 'GET',
  path: '/lab/webhooks/faults',
  area: 'Lab',
  summary: 'List the pending webhook faults and the most recently fired ones',
  access: lab,
  reply: webhookFaults,
});

export const addWebhookFault = endpoint({
  method: 'POST',
  path: '/lab/webhooks/faults',
  area: 'Lab',
  summary: 'Drop, delay, duplicate, reorder or wrongly sign the next deliveries to webhooks',
  access: lab,
  body: webhookFault,
  reply: webhookFaults,
  refuses: ['ORG_CODE_NOT_FOUND'],
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.webhook-fault-added'],
});

export const clearWebhookFaults = endpoint({
  method: 'DELETE',
  path: '/lab/webhooks/faults',
  area: 'Lab',
  summary: 'Remove all webhook faults',
  access: lab,
  reply: z.object({}),
  events: ['lab.webhook-faults-cleared'],
});

export const forgeDelivery = endpoint({
  method: 'POST',
  path: '/lab/webhooks/:webhookId/forge',
  area: 'Lab',
  summary: 'Send an event that never happened to a webhook, signed correctly or wrongly, and return the response',
  access: lab,
  params: z.object({
    /** ID of the webhook. */
    webhookId: id,
  }),
  body: z.strictObject({
    /** Event type, e.g. `member.paused`. */
    type: z.enum(AUDIT_ACTIONS),
    /** Fields that replace those of the sample event's `data`. Default: the sample's fields. */
    data: z.record(z.string(), z.json()).optional(),
    /** Flaw of the signature. Default: none. */
    signature: z.enum(WRONG_SIGNATURES).optional(),
  }),
  reply: z.object({ delivery: webhookDelivery }),
  events: ['lab.delivery-forged'],
});

/** A fault that makes the mail server refuse emails. Text messages aren't affected. */
export const outboxFault = z.strictObject({
  /**
   * Reply code of the mail server (RFC 5321 §4.2.3). 421 (service not available) and 451 (this email) are temporary:
   * the portal retries the email after 30 seconds by its clock. 550 is permanent: the portal gives up.
   */
  smtp: z.literal([421, 451, 550]),
  /** Recipient of the email. Default: any recipient. */
  to: email.optional(),
  /** Number of attempts that the fault affects. */
  times: times.default(1),
});
export type OutboxFault = z.output<typeof outboxFault>;

const outboxFaults = z.object({
  /** Pending faults, each with the number of attempts that it can still affect. */
  faults: z.array(outboxFault),
  /** Faults that have fired, newest first, at most 200. */
  fired: z.array(z.object({ at: z.string(), messageId: z.string(), fault: outboxFault })),
});

export const readOutboxFaults = endpoint({
  method: 'GET',
  path: '/lab/outbox/faults',
  area: 'Lab',
  summary: 'List the pending outbox faults and the most recently fired ones',
  access: lab,
  reply: outboxFaults,
});

export const addOutboxFault = endpoint({
  method: 'POST',
  path: '/lab/outbox/faults',
  area: 'Lab',
  summary: 'Make the mail server refuse the next emails, temporarily (421, 451) or permanently (550)',
  access: lab,
  body: outboxFault,
  reply: outboxFaults,
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.outbox-fault-added'],
});

export const clearOutboxFaults = endpoint({
  method: 'DELETE',
  path: '/lab/outbox/faults',
  area: 'Lab',
  summary: 'Remove all outbox faults',
  access: lab,
  reply: z.object({}),
  events: ['lab.outbox-faults-cleared'],
});

/** Kinds of deliveries to other programs. */
export const DELIVERY_KINDS = ['webhook', 'email', 'provisioning', 'logout'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export const awaitSettled = endpoint({
  method: 'GET',
  path: '/lab/settled',
  area: 'Lab',
  summary: 'Wait until no webhook delivery, email, outbound provisioning or logout notice is due or being sent',
  access: lab,
  query: z.strictObject({
    /** Maximum wait, in seconds of real time. If deliveries are still pending then, the response is HTTP 409. */
    wait: queryNumber(0, 60).default(10),
  }),
  reply: z.object({
    /** Next scheduled attempt of each kind, such as a retry. Advance the clock to its time to run it. */
    scheduled: z.array(z.object({ kind: z.enum(DELIVERY_KINDS), at: z.string() })),
  }),
  refusesWith: { 409: 'INVALID_REQUEST' },
});
