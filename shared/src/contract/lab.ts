import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { orgCode, queryNumber, text } from '../fields.ts';
import { publicKey } from './authenticator.ts';
import { deviceType } from './models.ts';

/**
 * The mock controls (contract §15): only with `LAB=on`; on a local portal from this machine only, else with the lab
 * token.
 */
const lab = { who: 'lab' } as const;

export const outboxMessage = z.object({
  id: z.string(),
  channel: z.enum(['mail', 'text']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** The activation or one-time code in it, where there is one. */
  code: z.string().optional(),
  links: z.array(z.string()),
  sentAt: z.string(),
  /** When the mail server took it; null where there is none, or not yet. */
  deliveredAt: z.string().nullable(),
  /** How often it was handed to the mail server, and the server's answer where the last attempt failed. */
  attempts: z.number().int(),
  lastError: z.string().nullable(),
});
export type OutboxMessage = z.output<typeof outboxMessage>;

/** Most messages in one answer; search by address to find older ones. */
export const OUTBOX_MESSAGES_MAX = 200;

export const readOutbox = endpoint({
  method: 'GET',
  path: '/lab/outbox',
  area: 'Lab',
  summary: 'Mails and text messages, newest first, at most 200; `wait` long-polls for one that is newer than the call',
  access: lab,
  query: z.object({
    to: text(254).optional(),
    /** Seconds to wait. */
    wait: queryNumber(0, 60).optional(),
  }),
  reply: z.object({ messages: z.array(outboxMessage) }),
});

export const emptyOutbox = endpoint({
  method: 'DELETE',
  path: '/lab/outbox',
  area: 'Lab',
  summary: 'Empty the outbox',
  access: lab,
  reply: z.object({}),
  events: ['lab.outbox-emptied'],
});

export const virtualDevice = z.object({
  zid: z.string(),
  suid: z.string(),
  orgCode: z.string(),
  orgName: z.string(),
  name: z.string(),
  type: deviceType,
  primaryEmail: z.string(),
  fullName: z.string(),
  roleName: z.string(),
  privateKeyJwk: publicKey.extend({ d: z.string() }),
});
export type VirtualDevice = z.output<typeof virtualDevice>;

export const virtualDevices = endpoint({
  method: 'GET',
  path: '/lab/virtual-devices',
  area: 'Lab',
  summary: 'The seeded demo devices with their private keys, so that a page, script or test can act as them',
  access: lab,
  query: z.object({ orgCode: orgCode.optional() }),
  reply: z.object({ devices: z.array(virtualDevice) }),
});

export const resetLab = endpoint({
  method: 'POST',
  path: '/lab/reset',
  area: 'Lab',
  summary: 'Back to the state right after start, at once',
  access: lab,
  body: z.object({ seed: z.enum(['demo', 'none']).optional() }).optional(),
  reply: z.object({}),
  events: ['lab.reset'],
});

const clockState = z.object({ now: z.string(), mode: z.enum(['real', 'offset', 'frozen']) });

export const readClock = endpoint({
  method: 'GET',
  path: '/lab/clock',
  area: 'Lab',
  summary: 'The time that everything follows',
  access: lab,
  reply: clockState,
});

export const setClock = endpoint({
  method: 'POST',
  path: '/lab/clock',
  area: 'Lab',
  summary: 'Advance, freeze or release the clock; due expiries fire before the answer',
  access: lab,
  body: z.union([
    z.object({
      advanceSeconds: z
        .number()
        .min(0)
        .max(10 * 366 * 86_400),
    }),
    z.object({ freezeAt: z.iso.datetime() }),
    z.object({ mode: z.literal('real') }),
  ]),
  reply: clockState,
  events: ['lab.clock-set'],
});

export const fault = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  /** Path below `/api`, e.g. `/device/manage`. */
  path: text(200),
  /** HTTP status of the failure; the call never reaches its handler. */
  status: z.number().int().min(400).max(599).default(500),
  /** How many calls fail before the fault ends. */
  times: z.number().int().min(1).max(1_000).default(1),
  /** Milliseconds to delay a call before it fails. */
  delayMs: z.number().int().min(0).max(60_000).default(0),
});
export type Fault = z.output<typeof fault>;

export const readFaults = endpoint({
  method: 'GET',
  path: '/lab/faults',
  area: 'Lab',
  summary: 'The failures that are set up',
  access: lab,
  reply: z.object({ faults: z.array(fault) }),
});

export const addFault = endpoint({
  method: 'POST',
  path: '/lab/faults',
  area: 'Lab',
  summary: 'Let the next calls of an endpoint fail',
  access: lab,
  body: fault,
  reply: z.object({ faults: z.array(fault) }),
  events: ['lab.fault-added'],
});

export const clearFaults = endpoint({
  method: 'DELETE',
  path: '/lab/faults',
  area: 'Lab',
  summary: 'Forget all failures',
  access: lab,
  reply: z.object({}),
  events: ['lab.faults-cleared'],
});
