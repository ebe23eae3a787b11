import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { clockTime, id, orgCode, portalText, queryNumber, secret, text } from '../../fields.ts';
import { publicKey } from '../devices/authenticator.ts';
import { deviceType } from '../models.ts';
import { seedChoice, WORLD_BYTES } from '../world/world.ts';
import { outboxFault, webhookFault } from './deliveries.ts';
import { anyFault } from './faults.ts';
import { phonePolicy } from './phones.ts';
import { socketFault } from './sockets.ts';

/**
 * The mock controls (contract §15). Available only with `LAB=on`: on a local portal only from this machine, otherwise
 * with the lab token.
 */
const lab = { who: 'lab' } as const;

export const outboxMessage = z.object({
  id: z.string(),
  channel: z.enum(['mail', 'text']),
  to: z.string(),
  subject: z.string(),
  text: secret(z.string()),
  html: secret(z.string()),
  /** The activation code or one-time code in the message, if any. */
  code: secret(z.string()).optional(),
  links: secret(z.array(z.string())),
  sentAt: z.string(),
  /**
   * Time at which the mail server accepted the message. null if the server hasn't accepted it or there is no mail
   * server.
   */
  deliveredAt: z.string().nullable(),
  /** Number of delivery attempts, and the mail server's answer if the last attempt failed. */
  attempts: z.number().int(),
  lastError: z.string().nullable(),
});
export type OutboxMessage = z.output<typeof outboxMessage>;

/** Maximum number of messages per response. Search by address to find older messages. */
export const OUTBOX_MESSAGES_MAX = 200;

export const readOutbox = endpoint({
  method: 'GET',
  path: '/lab/outbox',
  area: 'Lab',
  summary:
    'List emails and text messages, newest first, at most 200; with `wait`, wait for the first message if there are none yet',
  access: lab,
  query: z.strictObject({
    /** Email address or phone number of the recipient. Default: all recipients. */
    to: text(254).toLowerCase().optional(),
    /** ID of a message. Only later messages are returned. */
    after: id.optional(),
    /** Seconds of real time to wait for a message. Returns HTTP 404 if no message arrives within that time. */
    wait: queryNumber(0, 60).optional(),
  }),
  reply: z.object({
    messages: z.array(outboxMessage),
    /** Number of additional messages between `after` and the returned messages. Search by address to find them. */
    skipped: z.number().int(),
  }),
  refuses: ['ID_DOESNOT_EXIST'],
});

export const emptyOutbox = endpoint({
  method: 'DELETE',
  path: '/lab/outbox',
  area: 'Lab',
  summary: 'Empty the outbox; with `to`, delete only the messages to this recipient',
  access: lab,
  query: z.strictObject({
    /** Email address or phone number of the recipient. Default: all recipients. */
    to: text(254).toLowerCase().optional(),
  }),
  reply: z.object({
    /** Number of deleted messages. */
    deleted: z.number().int(),
  }),
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
  privateKeyJwk: secret(publicKey.extend({ d: z.string() })),
});
export type VirtualDevice = z.output<typeof virtualDevice>;

export const virtualDevices = endpoint({
  method: 'GET',
  path: '/lab/virtual-devices',
  area: 'Lab',
  summary: 'List the seeded demo devices with their private keys, so that a page, script or test can act as them',
  access: lab,
  query: z.strictObject({
    /** Code of an organisation. Default: all organisations. */
    orgCode: orgCode.optional(),
  }),
  reply: z.object({ devices: z.array(virtualDevice) }),
  refuses: ['ORG_CODE_NOT_FOUND'],
});

export const readUnused = endpoint({
  method: 'GET',
  path: '/lab/unused',
  area: 'Lab',
  summary: 'List the faults and policies that have not taken effect since they were set',
  access: lab,
  reply: z.object({
    faults: z.array(anyFault),
    policies: z.array(phonePolicy),
    socketFaults: z.array(socketFault),
    webhookFaults: z.array(webhookFault),
    outboxFaults: z.array(outboxFault),
    /** A sentence about each of them, with the reason if the journal shows it. */
    messages: z.array(portalText(z.string())),
  }),
});

export const resetLab = endpoint({
  method: 'POST',
  path: '/lab/reset',
  area: 'Lab',
  summary: 'Reset to the initial state or to another seed; all errors in a world are listed in `issues`',
  access: lab,
  body: z
    .strictObject({
      /** State to reset to: `demo`, `none` or a world. Default: the initial state. */
      seed: seedChoice.optional(),
    })
    .optional(),
  bodyBytes: WORLD_BYTES,
  reply: z.object({}),
  events: ['lab.reset'],
});

const ADVANCE_SECONDS_MAX = 10 * 366 * 86_400;
const SECONDS_IN = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A duration such as `90s`, `10m`, `24h`, `7d` or `1h 30m`. Parsed as seconds. */
const duration = z
  .string()
  .regex(/^\d{1,9}[smhd](?: ?\d{1,9}[smhd])*$/, 'Enter a duration such as 90s, 10m, 24h, 7d or 1h 30m')
  .transform((written) =>
    [...written.matchAll(/(\d+)([smhd])/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * SECONDS_IN[unit as keyof typeof SECONDS_IN],
      0,
    ),
  )
  .refine((seconds) => seconds <= ADVANCE_SECONDS_MAX, 'At most ten years');

/**
 * Clock used for times in OIDC tokens, SAML messages and webhook signatures. `machine` works with programs whose
 * clock is correct, regardless of the lab's clock. `lab` works with programs that use a fake clock.
 */
const tokens = z.enum(['machine', 'lab']);

const clockState = z.object({ now: z.string(), mode: z.enum(['real', 'offset', 'frozen']), tokens });

export const readClock = endpoint({
  method: 'GET',
  path: '/lab/clock',
  area: 'Lab',
  summary: "Get the portal's clock",
  access: lab,
  reply: clockState,
});

const CLOCK_CHANGES = ['advanceSeconds', 'advance', 'freezeAt', 'mode'] as const;

export const setClock = endpoint({
  method: 'POST',
  path: '/lab/clock',
  area: 'Lab',
  summary:
    'Advance, freeze or release the clock, or choose the clock for tokens; due expiries fire before the response',
  access: lab,
  body: z
    .strictObject({
      /** Seconds to advance the clock by. */
      advanceSeconds: z.number().min(0).max(ADVANCE_SECONDS_MAX).optional(),
      /** Duration to advance the clock by, e.g. `90s`, `10m`, `24h`, `7d` or `1h 30m`. */
      advance: duration.optional(),
      /** Time to freeze the clock at, in ISO 8601 and UTC. */
      freezeAt: clockTime.optional(),
      /** `frozen` stops the clock now. `real` lets it run with the machine's clock. */
      mode: z.enum(['real', 'frozen']).optional(),
      /** Clock for times in tokens: `machine`, or `lab` for clients with a fake clock. Default: unchanged. */
      tokens: tokens.optional(),
    })
    .superRefine((body, context) => {
      const changes = CLOCK_CHANGES.filter((name) => body[name] !== undefined);
      const [first, second] = changes;
      if (second) {
        const message = `${second} and ${first} cannot be combined`;
        context.addIssue({ code: 'custom', path: [second], message });
      } else if (!first && !body.tokens) {
        const message = `Provide one of ${CLOCK_CHANGES.join(', ')}, or tokens`;
        context.addIssue({ code: 'custom', path: [], message });
      }
    }),
  reply: clockState,
  events: ['lab.clock-set'],
});
