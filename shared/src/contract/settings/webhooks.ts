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

/** An endpoint that receives events, signed according to Standard Webhooks 1.0.0. */
export const webhook = z.object({
  id: z.string(),
  /** URL, masked because it can contain a token: `https://hooks.slack.com/…`. */
  url: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  /** Subscribed events. Empty subscribes to all events except those of the lab (`lab.*`). */
  events: z.array(z.enum(AUDIT_ACTIONS)),
  createdAt: z.string(),
  /** Time at which the portal disabled the webhook after days of failures, or null. */
  disabledAt: z.string().nullable(),
  /** Time until which events are also signed with the previous secret, or null. */
  oldSecretUntil: z.string().nullable(),
  /** Status of the last delivery. null before the first delivery. */
  lastStatus: z.enum(['delivered', 'failed', 'waiting']).nullable(),
  lastAttemptAt: z.string().nullable(),
  /** Version for the `If-Match` header. */
  version: z.string(),
});
export type WebhookEndpoint = z.output<typeof webhook>;

/** A webhook with its full URL, for editing. */
const webhookDetail = webhook.extend({ url: secret(z.string()) });

export const webhookForm = z.object({
  /** URL of the endpoint. Must use https, or http on this machine. */
  url: secret(webAddress),
  description: optionalDisplayText(200).default(''),
  enabled: z.boolean().default(true),
  /** Events to send. Empty sends all events except those of the lab (`lab.*`), which must be listed by name. */
  events: z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length).default([]),
});
export type WebhookForm = z.output<typeof webhookForm>;

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/org/webhooks',
  area,
  access,
  summary: "List the organisation's webhooks, with masked URLs",
  reply: z.object({ webhooks: z.array(webhook) }),
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/org/webhooks',
  area,
  access,
  unversioned: 'creates',
  summary: 'Add a webhook; the response contains its secret',
  body: webhookForm,
  reply: z.object({ webhook: webhookDetail, secret: secret(z.string()) }),
  events: ['webhook.created'],
});

export const readWebhook = endpoint({
  method: 'GET',
  path: '/org/webhooks/:webhookId',
  area,
  access,
  summary: 'Get a webhook with its full URL',
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
  summary: 'Change a webhook; a masked URL keeps the current one, and re-enabling the webhook resets its failures',
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
  summary: 'Delete a webhook and its pending deliveries',
  params: path,
  reply: z.object({}),
  events: ['webhook.deleted'],
});

export const readWebhookSecret = endpoint({
  method: 'GET',
  path: '/org/webhooks/:webhookId/secret',
  area,
  access,
  summary: 'Get the secret that receivers use to verify signatures, `whsec_…`',
  params: path,
  reply: z.object({ secret: secret(z.string()) }),
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/org/webhooks/:webhookId/rotate',
  area,
  access,
  unversioned: 'acts',
  summary: 'Create a new secret; for 24 hours, events are also signed with the old secret',
  params: path,
  body: z.object({}),
  reply: z.object({ webhook: webhookDetail, secret: secret(z.string()) }),
  events: ['webhook.secret-rotated'],
});

/** One event for one webhook, and its delivery status. */
export const webhookDelivery = z.object({
  /** The `webhook-id` header, which is the same for every attempt. */
  id: z.string(),
  /** Event type: an audit action, or `webhook.test`. */
  type: z.string(),
  createdAt: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number().int(),
  lastAttemptAt: z.string().nullable(),
  /** Time of the next attempt, or null. */
  nextAttemptAt: z.string().nullable(),
  /** HTTP status of the last response, or null. */
  responseStatus: z.number().int().nullable(),
  /** Beginning of the last response's body. */
  responseBody: z.string(),
  /** Duration of the last attempt, in milliseconds. */
  durationMs: z.number().int().nullable(),
  /** Reason why the last attempt received no response, or ''. */
  error: z.string(),
  /** The JSON payload. */
  payload: z.string(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const testWebhook = endpoint({
  method: 'POST',
  path: '/org/webhooks/:webhookId/test',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send `webhook.test` immediately and return the response',
  params: path,
  body: z.object({}),
  reply: z.object({ delivery: webhookDelivery }),
  // A test doesn't modify any settings, so there is no audit event.
  events: [],
});

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/org/webhooks/:webhookId/deliveries',
  area,
  access,
  summary: "List a webhook's deliveries, newest first, with keyset pagination",
  params: path,
  query: z.object({
    status: z.enum(['waiting', 'delivered', 'failed']).optional(),
    pageSize: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** `LastEvaluatedKey` from the previous response, as JSON. */
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
  summary: 'Resend a delivery immediately, with the same ID, and return the response',
  params: path.extend({ deliveryId: id }),
  body: z.object({}),
  reply: z.object({ delivery: webhookDelivery }),
  // Resending doesn't modify any settings, so there is no audit event.
  events: [],
});
