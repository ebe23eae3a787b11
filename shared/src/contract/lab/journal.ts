import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, orgCode, queryNumber, servedPath } from '../../fields.ts';
import { RESULT_NAMES } from '../../result-codes.ts';

const lab = { who: 'lab' } as const;

/** Most entries that are kept: older ones are forgotten. */
export const JOURNAL_MAX = 2_000;
/** Most entries in one answer. */
export const JOURNAL_PAGE_MAX = 500;
const PAGE = 100;

const shared = {
  /** Counts up from 1; a reset does not start again. */
  seq: z.number().int(),
  at: z.string(),
  /** One sentence for people. */
  summary: z.string(),
  /** Whom it is about, where that is known. */
  email: z.string().optional(),
  org: z.string().optional(),
};

/** Of a socket, as the portal sees it; `refused` before it was opened. */
const direction = z.enum(['opened', 'sent', 'received', 'closed', 'refused']);
/** How a request by RADIUS or LDAP may end: the kind of the reply, and the names of RFC 4511 §4.1.9. */
export const EXCHANGE_OUTCOMES = [
  'Access-Accept',
  'Access-Reject',
  'Access-Challenge',
  'no answer',
  'success',
  'operationsError',
  'protocolError',
  'sizeLimitExceeded',
  'compareFalse',
  'compareTrue',
  'authMethodNotSupported',
  'adminLimitExceeded',
  'unavailableCriticalExtension',
  'noSuchAttribute',
  'noSuchObject',
  'invalidDnSyntax',
  'invalidCredentials',
  'insufficientAccessRights',
  'busy',
  'unavailable',
  'unwillingToPerform',
] as const;
export type ExchangeOutcome = (typeof EXCHANGE_OUTCOMES)[number];

const exchangeFacts = {
  protocol: z.enum(['radius', 'ldap']),
  outcome: z.enum(EXCHANGE_OUTCOMES),
  /** Id of the application that asks; of LDAP, that in which something is asked for. */
  application: z.string(),
};

/** The directions of messages. */
const OF_MESSAGES: readonly (string | undefined)[] = [undefined, 'sent', 'received'];

/** Something that happened. Secrets read `[secret]`. */
export const journalEntry = z.discriminatedUnion('kind', [
  /** A request, once it is answered. */
  z.object({
    ...shared,
    kind: z.literal('http'),
    method: z.string(),
    path: z.string(),
    query: z.json().optional(),
    /** 0 where the connection ended without an answer. */
    status: z.number().int(),
    resultName: z.string().optional(),
    ms: z.number(),
    ip: z.string(),
    requestId: z.string(),
    /** Where a redirect leads. */
    location: z.string().optional(),
    requestBody: z.json().optional(),
    responseBody: z.json().optional(),
    /** A body was too long to be kept. */
    truncated: z.literal(true).optional(),
  }),
  /** A connection, or a message on it. */
  z.object({
    ...shared,
    kind: z.literal('socket'),
    channel: z.string(),
    /** Which connection of the channel; 0 for one that was refused. */
    connection: z.number().int(),
    direction,
    message: z.json().optional(),
    /** Of the close; or the status of the refusal, with its result name as the reason. */
    code: z.number().int().optional(),
    reason: z.string().optional(),
  }),
  /** A sign-in or another request to a device: begun, opened, answered or over. */
  z.object({ ...shared, kind: z.literal('challenge'), challengeKind: z.string(), state: z.string() }),
  /** A mail or text message. */
  z.object({ ...shared, kind: z.literal('message'), channel: z.string(), to: z.string(), template: z.string() }),
  /** A phone that answered by itself. */
  z.object({
    ...shared,
    kind: z.literal('policy'),
    zid: z.string(),
    answer: z.string(),
    lie: z.string().optional(),
    resultName: z.string(),
  }),
  /** A request by RADIUS or LDAP, once it is answered. */
  z.object({
    ...shared,
    ...exchangeFacts,
    kind: z.literal('exchange'),
    operation: z.string(),
    /** Missing where nothing says it: of RADIUS, an unknown secret. */
    application: exchangeFacts.application.optional(),
    /** As it was sent: the name of a person, or what LDAP binds as or begins its search at. */
    name: z.string().optional(),
    ip: z.string(),
  }),
  /** A fault that met a request, connection or message. */
  z.object({ ...shared, kind: z.literal('fault'), path: z.string(), what: z.string() }),
]);
export type JournalEntry = z.output<typeof journalEntry>;

const kind = z.enum(['http', 'socket', 'challenge', 'message', 'policy', 'exchange', 'fault']);
export type JournalKind = z.output<typeof kind>;

/** Whether a request of a protocol can end so. */
const canEnd = (protocol: 'radius' | 'ldap', outcome: ExchangeOutcome): boolean =>
  (protocol === 'radius') === (outcome.startsWith('Access-') || outcome === 'no answer');

type Refuse = (name: string, message: string) => void;

/** What an entry of a kind never has: asked for, it would never be found. */
function requireFitting(
  wanted: JournalKind | undefined,
  given: { path?: unknown; email?: unknown; org?: unknown },
  refuse: Refuse,
) {
  if (wanted === undefined) return;
  const isPlaced = wanted === 'http' || wanted === 'socket' || wanted === 'fault';
  if (!isPlaced && given.path !== undefined)
    refuse('path', `path only applies to http, socket and fault, not to ${wanted}`);
  for (const name of ['email', 'org'] as const) {
    if (wanted === 'fault' && given[name] !== undefined)
      refuse(name, `${name} does not apply to faults in the journal`);
  }
}

export const readJournal = endpoint({
  method: 'GET',
  path: '/lab/journal',
  area: 'Lab',
  summary:
    'What happened: requests, messages of sockets, sign-ins, mails, phones, RADIUS, LDAP and faults, oldest first',
  access: lab,
  query: z
    .strictObject({
      /** Only what came after the entry with this number, which there must be or have been; without it the newest. */
      after: queryNumber(0, Number.MAX_SAFE_INTEGER).optional(),
      kind: kind.optional(),
      path: servedPath.optional(),
      email: email.optional(),
      org: orgCode.optional(),
      limit: queryNumber(1, JOURNAL_PAGE_MAX).default(PAGE),
    })
    .superRefine(({ kind: wanted, ...given }, context) =>
      requireFitting(wanted, given, (name, message) => context.addIssue({ code: 'custom', path: [name], message })),
    ),
  reply: z.object({
    entries: z.array(journalEntry),
    /** The number of the newest entry of all, 0 where nothing has happened. */
    last: z.number().int(),
    /** How many entries after `after` are forgotten, since there was no room for them: read it more often. */
    skipped: z.number().int(),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
});

export const emptyJournal = endpoint({
  method: 'DELETE',
  path: '/lab/journal',
  area: 'Lab',
  summary: 'Forget what happened',
  access: lab,
  reply: z.object({}),
  events: ['lab.journal-emptied'],
});

const times = z.number().int().min(0).max(JOURNAL_MAX);

/** What should have happened. */
export const expectation = z
  .strictObject({
    kind: kind.default('http'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).optional(),
    path: servedPath.optional(),
    email: email.optional(),
    org: orgCode.optional(),
    /** Only what came after the entry with this number. */
    after: z.int().min(0).optional(),
    /** 0 where the connection ended without an answer. */
    status: z
      .number()
      .int()
      .min(0)
      .max(599)
      .refine((status) => status === 0 || status >= 100, 'The status must be 100 to 599, or 0')
      .optional(),
    resultName: z.enum(RESULT_NAMES).optional(),
    /** With `socket`: `opened` counts connections. */
    direction: direction.optional(),
    /** These go with `exchange`. */
    protocol: exchangeFacts.protocol.optional(),
    outcome: exchangeFacts.outcome.optional(),
    application: exchangeFacts.application.optional(),
    /** What the body of the request, or the message of the socket, contains. */
    body: z.record(z.string(), z.json()).optional(),
    /** Exactly this often. */
    count: times.optional(),
    atLeast: times.optional(),
    atMost: times.optional(),
  })
  .superRefine(({ count, atLeast, atMost, kind: wanted, ...given }, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    if (count !== undefined && (atLeast ?? atMost) !== undefined)
      refuse('count', 'count cannot be combined with atLeast or atMost');
    if (atLeast === 0 && atMost === undefined) refuse('atLeast', 'At least 0 times always holds');
    if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
      refuse('atLeast', 'atLeast cannot be greater than atMost');
    for (const name of ['method', 'status', 'resultName'] as const) {
      if (wanted !== 'http' && given[name] !== undefined)
        refuse(name, `${name} only applies to http, not to ${wanted}`);
    }
    for (const name of ['protocol', 'outcome', 'application'] as const) {
      if (wanted !== 'exchange' && given[name] !== undefined)
        refuse(name, `${name} only applies to exchange, not to ${wanted}`);
    }
    if (given.protocol && given.outcome && !canEnd(given.protocol, given.outcome)) {
      refuse('outcome', `No request by ${given.protocol} ends with ${given.outcome}`);
    }
    if (wanted !== 'socket' && given.direction !== undefined) {
      refuse('direction', `direction only applies to socket, not to ${wanted}`);
    }
    requireFitting(wanted, given, refuse);
    if (given.body !== undefined && !OF_MESSAGES.includes(given.direction)) {
      refuse('body', `A connection that is ${given.direction} has no message`);
    }
    if (wanted !== 'http' && wanted !== 'socket' && given.body !== undefined) {
      refuse('body', `body only applies to http and socket, not to ${wanted}`);
    }
  });
export type Expectation = z.output<typeof expectation>;

const miss = z.object({
  entry: journalEntry,
  differs: z.array(z.object({ field: z.string(), expected: z.json(), actual: z.json() })),
});
export type JournalMiss = z.output<typeof miss>;

export const verifyJournal = endpoint({
  method: 'POST',
  path: '/lab/journal/verify',
  area: 'Lab',
  summary: 'Whether something happened as often as it should; if not, what came nearest, and in what it differs',
  access: lab,
  body: expectation,
  reply: z.object({
    ok: z.boolean(),
    /** How often it happened. */
    count: z.number().int(),
    /**
     * How many entries after `after` are forgotten, since there was no room for them: what is asked for at most so
     * often is not ok then.
     */
    skipped: z.number().int(),
    /** One sentence for people. */
    message: z.string(),
    /** Nearest first, at most 5; where it happened too often, the last of those, which differ in `count`. */
    misses: z.array(miss),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  // It only looks.
  events: [],
});
