import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { text } from '../../fields.ts';

const lab = { who: 'lab' } as const;

const acts = z.enum([
  /** Refuses the next connection with HTTP 503 instead of upgrading it. */
  'refuse',
  /** Drops the connection without a close frame, instead of the message. */
  'cut',
  /** Closes the connection with `code`, instead of the message. */
  'close',
  /** Delays the message by `ms`; later messages wait for it. */
  'delay',
  /** Sends the message twice. */
  'duplicate',
  /** Never sends the message. */
  'drop',
  /** Sends the message after the next one, or after two seconds if no other message follows. */
  'reorder',
]);

/** A fault on a channel's sockets. */
export const socketFault = z
  .strictObject({
    /** Channel whose connections the fault applies to. */
    channel: z.enum(['login', 'add-device', 'test-device', 'bulk-invite', 'verbal', 'authenticator']),
    /** Effect on the next connection (`refuse`) or message (all others). */
    do: acts,
    /** Close code, with `close`. Must be a code that a server can send (RFC 6455 §7.4). */
    code: z
      .number()
      .int()
      .refine(
        (code) =>
          (code >= 1_000 && code <= 1_014 && ![1_004, 1_005, 1_006].includes(code)) || (code >= 3_000 && code < 5_000),
        "Servers can't close a connection with this code",
      )
      .optional(),
    /** Delay, with `delay`, in milliseconds of real time. */
    ms: z.number().int().min(1).max(60_000).optional(),
    /** State of the message to match, e.g. `success`. Default: the next message on any connection. */
    state: text(40).optional(),
    /** Number of connections or messages that the fault affects. */
    times: z.number().int().min(1).max(1_000).default(1),
  })
  .superRefine((fault, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (fault.do === 'close' && fault.code === undefined) refuse('code', 'close requires a code');
    if (fault.do !== 'close' && fault.code !== undefined)
      refuse('code', `code only applies to close, not to ${fault.do}`);
    if (fault.do === 'delay' && fault.ms === undefined) refuse('ms', 'delay requires ms');
    if (fault.do !== 'delay' && fault.ms !== undefined) refuse('ms', `ms only applies to delay, not to ${fault.do}`);
    if (fault.do === 'refuse' && fault.state !== undefined)
      refuse('state', 'state cannot be combined with refuse: refused connections have no messages');
  });
export type SocketFault = z.output<typeof socketFault>;

const sockets = z.object({
  /** Pending faults, each with the number of times it can still fire. */
  faults: z.array(socketFault),
  /** Faults that have fired, newest first, at most 200. */
  fired: z.array(z.object({ at: z.string(), fault: socketFault })),
});

export const readSocketFaults = endpoint({
  method: 'GET',
  path: '/lab/sockets',
  area: 'Lab',
  summary: 'List the pending socket faults and the most recently fired ones',
  access: lab,
  reply: sockets,
});

export const addSocketFault = endpoint({
  method: 'POST',
  path: '/lab/sockets',
  area: 'Lab',
  summary: 'Refuse, cut or close a connection; delay, duplicate, drop or reorder a message',
  access: lab,
  body: socketFault,
  reply: sockets,
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.socket-fault-added'],
});

export const clearSocketFaults = endpoint({
  method: 'DELETE',
  path: '/lab/sockets',
  area: 'Lab',
  summary: 'Remove all socket faults',
  access: lab,
  reply: z.object({}),
  events: ['lab.socket-faults-cleared'],
});
