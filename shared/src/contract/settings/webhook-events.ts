import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, AUDIT_OBJECT_TYPES } from '../../audit-actions.ts';

/** A value before or after a change. */
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** Payload of a webhook delivery, structured according to Standard Webhooks 1.0.0. */
export const webhookEvent = z.object({
  /** Event type, as `object.verb`. */
  type: z.enum(AUDIT_ACTIONS),
  /** Time of the event on the portal's clock. */
  timestamp: z.string(),
  data: z.object({
    /** ID of the event in the audit trail, which is the same for every webhook. */
    id: z.string(),
    orgCode: z.string(),
    /** Who caused the event. */
    actor: z.object({
      kind: z.enum(AUDIT_ACTOR_KINDS),
      /** ID of the member, or null for other actors. */
      suid: z.string().nullable(),
      name: z.string(),
      /** How the member signed in, or null. */
      mode: z.string().nullable(),
      ip: z.string().nullable(),
    }),
    /** What changed. `type` is the part of the event type before the dot. */
    object: z.object({ type: z.enum(AUDIT_OBJECT_TYPES), id: z.string(), name: z.string() }),
    /** ID of the affected member, or null. */
    suid: z.string().nullable(),
    /** Changed fields. `before` is absent for created objects, `after` for deleted ones; secrets are `(changed)`. */
    changes: z.array(z.object({ field: z.string(), before: value.optional(), after: value.optional() })),
    /** True if the payload would exceed 20 kB, so that `changes` contains only the field names. */
    isShortened: z.literal(true).optional(),
  }),
});
export type WebhookEvent = z.output<typeof webhookEvent>;

/** Payload of `webhook.test`, which an administrator sends to check a receiver. */
export const webhookTestEvent = z.object({
  type: z.literal('webhook.test'),
  timestamp: z.string(),
  data: z.object({ orgCode: z.string(), webhookId: z.string() }),
});

/** Headers of a webhook delivery (Standard Webhooks 1.0.0). */
export const webhookHeaders = z.object({
  /** ID of the delivery, which is the same for every attempt. Use it to ignore duplicates. */
  'webhook-id': z.string(),
  /** Time of the attempt, in seconds since the epoch. Reject a time that differs from yours by more than 5 minutes. */
  'webhook-timestamp': z.string(),
  /**
   * Space-separated signatures `v1,<base64>`: HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the
   * secret after `whsec_`, decoded from base64. Accept the delivery if any signature matches: for 24 hours after a
   * rotation, there are two.
   */
  'webhook-signature': z.string(),
});
