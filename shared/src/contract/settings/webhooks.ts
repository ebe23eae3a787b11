import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../audit-actions.ts';
import { endpoint } from '../../endpoint.ts';
import { id, optionalDisplayText, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { webAddress } from '../applications/app-fields.ts';

const area = 'Webhooks' as const;
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const path = z.object({ webhookId: id });

export const WEBHOOKS_MAX = 10;

/** Where events are sent, signed according to Standard Webhooks 1.0.0. */
export const webhook = z.object({
  id: z.string(),
  /** Masked, because it can contain a token: `https://hooks.slack.com/…`. */
  url: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  /** Which events; empty: all. */
  events: z.array(z.enum(AUDIT_ACTIONS)),
  createdAt: z.string(),
  /** When the portal switched it off, after days of failure. */
  disabledAt: z.string().nullable(),
  /** Until when the secret before the last rotation also signs. */
  oldSecretUntil: z.string().nullable(),
  /** Outcome of the last delivery; null before the first. */
  lastStatus: z.enum(['delivered', 'failed', 'waiting']).nullable(),
  lastAttemptAt: z.string().nullable(),
  /** Its version, for `If-Match`. */
  version: z.string(),
});
export type WebhookEndpoint = z.output<typeof webhook>;

/** A webhook with its full address, for editing it. */
const webhookDetail = webhook.extend({ url: secret(z.string()) });

export const webhookForm = z.object({
  /** https, or http on this machine. */
  url: secret(webAddress),
  description: optionalDisplayText(200).default(''),
  enabled: z.boolean().default(true),
  events: z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length).default([]),
});
export type WebhookForm = z.output<typeof webhookForm>;

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/org/webhooks',
  area,
  access,
  summary: 'The webhooks of the organisation, with their addresses masked',
  reply: z.object({ webhooks: z.array(webhook) }),
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/org/webhooks',
  area,
  access,
  unversioned: 'creates',
  summary: 'Add a webhook; its secret is in the answer',
  body: webhookForm,
  reply: z.object({ webhook: webhookDetail, secret: secret(z.string()) }),
  events: ['webhook.created'],
});

export const readWebhook = endpoint({
  method: 'GET',
  path: '/org/webhooks/:webhookId',
  area,
  access,
  summary: 'A webhook with its full address',
  params: path,
  reply: z.object({ webhook: webhookDetail }),
});

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/org/webhooks/:webhookId',
  area,
  access,
  versioned: 'webhook',
  current: z.object({
    url: secret(z.string()),
    description: z.string(),
    enabled: z.boolean(),
    events: z.array(z.string()),
  }),
  summary: 'Change a webhook; a masked address leaves its address as it is, and enabling it again resets its failures',
  params: path,
  body: webhookForm,
  reply: z.object({ webhook: webhookDetail }),
  events: ['webhook.updated'],
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/org/webhooks/:webhookId',
  area,
  access,
  unversioned: 'deletes',
  summary: 'Delete a webhook and its waiting deliveries',
  params: path,
  reply: z.object({}),
  events: ['webhook.deleted'],
});

export const readWebhookSecret = endpoint({
  method: 'GET',
  path: '/org/webhooks/:webhookId/secret',
  area,
  access,
  summary: 'The secret by which a receiver verifies, `whsec_…`',
  params: path,
  reply: z.object({ secret: secret(z.string()) }),
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/org/webhooks/:webhookId/rotate',
  area,
  access,
  unversioned: 'acts',
  summary: 'Make a new secret; for 24 hours the old one signs as well',
  params: path,
  body: z.object({}),
  reply: z.object({ webhook: webhookDetail, secret: secret(z.string()) }),
  events: ['webhook.secret-rotated'],
});

/** One event for one webhook, and what became of it. */
export const webhookDelivery = z.object({
  /** The `webhook-id` header: the same at every attempt. */
  id: z.string(),
  /** An action, or `webhook.test`. */
  type: z.string(),
  createdAt: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number().int(),
  lastAttemptAt: z.string().nullable(),
  /** When the next attempt is due; null where there will be none. */
  nextAttemptAt: z.string().nullable(),
  /** HTTP status of the last answer; null where there was none. */
  responseStatus: z.number().int().nullable(),
  /** The beginning of the last answer. */
  responseBody: z.string(),
  /** Duration of the last attempt, in milliseconds. */
  durationMs: z.number().int().nullable(),
  /** Why the last attempt got no answer; '' where it did. */
  error: z.string(),
  /** The JSON that is sent. */
  payload: z.string(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const testWebhook = endpoint({
  method: 'POST',
  path: '/org/webhooks/:webhookId/test',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send `webhook.test` at once and say what came back',
  params: path,
  body: z.object({}),
  reply: z.object({ delivery: webhookDelivery }),
  // It changes nothing.
  events: [],
});

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/org/webhooks/:webhookId/deliveries',
  area,
  access,
  summary: 'What was sent to a webhook, newest first, keyset paged',
  params: path,
  query: z.object({
    status: z.enum(['waiting', 'delivered', 'failed']).optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({ Items: z.array(webhookDelivery), LastEvaluatedKey: z.object({ id: z.string() }).nullable() }),
});

export const resendWebhookDelivery = endpoint({
  method: 'POST',
  path: '/org/webhooks/:webhookId/deliveries/:deliveryId/resend',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send it once more at once, with the same id, and say what came back',
  params: path.extend({ deliveryId: id }),
  body: z.object({}),
  reply: z.object({ delivery: webhookDelivery }),
  // It changes nothing.
  events: [],
});
