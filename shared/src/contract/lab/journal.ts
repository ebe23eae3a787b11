import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../audit-actions.ts';
import { endpoint } from '../../endpoint.ts';
import { email, orgCode, portalText, queryNumber, servedPath } from '../../fields.ts';
import { RESULT_NAMES } from '../../result-codes.ts';
import { WRONG_SIGNATURES } from './deliveries.ts';

const lab = { who: 'lab' } as const;

/** Maximum number of stored entries. Older entries are deleted. */
export const JOURNAL_MAX = 2_000;
/** Maximum number of entries per response. */
export const JOURNAL_PAGE_MAX = 500;
const PAGE = 100;

const shared = {
  /** Sequence number of the entry, counted from 1. A reset doesn't restart it. */
  seq: z.number().int(),
  at: z.string(),
  /** What happened, in one sentence. */
  summary: portalText(z.string()),
  /** Email address of the user the entry is about, if known. */
  email: z.string().optional(),
  org: z.string().optional(),
};

/** Socket event as seen by the portal; `refused` if the socket was never opened. */
const direction = z.enum(['opened', 'sent', 'received', 'closed', 'refused']);
/** Outcomes of RADIUS and LDAP requests: the reply type, or a result name from RFC 4511 §4.1.9. */
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
  /** ID of the requesting application. For LDAP, the application that was searched. */
  application: z.string(),
};

/** Event types of webhook deliveries. */
const webhookEvent = z.enum([...AUDIT_ACTIONS, 'webhook.test']);

/** Directions of entries that contain a message. */
const MESSAGE_DIRECTIONS: readonly (string | undefined)[] = [undefined, 'sent', 'received'];

/** A journal entry. Secrets are replaced by `[secret]`. */
export const journalEntry = z.discriminatedUnion('kind', [
  /** An HTTP request, recorded once it is answered. */
  z.object({
    ...shared,
    kind: z.literal('http'),
    method: z.string(),
    path: z.string(),
    query: z.json().optional(),
    /** HTTP status; 0 if the connection ended without a response. */
    status: z.number().int(),
    resultName: z.string().optional(),
    /**
     * Why an organisation's OIDC provider refused the request, in one or two sentences. More precise than the
     * response, which must not help attackers (RFC 6749 §5.2).
     */
    reason: portalText(z.string()).optional(),
    ms: z.number(),
    ip: z.string(),
    requestId: z.string(),
    /** Redirect target. */
    location: z.string().optional(),
    requestBody: z.json().optional(),
    responseBody: z.json().optional(),
    /** True if a body was too long to store in full. */
    truncated: z.literal(true).optional(),
  }),
  /** A socket connection, or a message on it. */
  z.object({
    ...shared,
    kind: z.literal('socket'),
    channel: z.string(),
    /** Number of the connection on this channel; 0 if it was refused. */
    connection: z.number().int(),
    direction,
    message: z.json().optional(),
    /** Close code. For a refused connection, the HTTP status, with the result name as the reason. */
    code: z.number().int().optional(),
    reason: z.string().optional(),
  }),
  /** A sign-in or other request to a device that was started, opened, answered or ended. */
  z.object({ ...shared, kind: z.literal('challenge'), challengeKind: z.string(), state: z.string() }),
  /** An email or text message that was sent. */
  z.object({ ...shared, kind: z.literal('message'), channel: z.string(), to: z.string(), template: z.string() }),
  /** An automatic answer by a phone. */
  z.object({
    ...shared,
    kind: z.literal('policy'),
    zid: z.string(),
    answer: z.string(),
    lie: z.string().optional(),
    resultName: z.string(),
  }),
  /** A RADIUS or LDAP request, recorded once it is answered. */
  z.object({
    ...shared,
    ...exchangeFacts,
    kind: z.literal('exchange'),
    operation: z.string(),
    /** Omitted if unknown, as for RADIUS requests with an unknown secret. */
    application: exchangeFacts.application.optional(),
    /** Name in the request: a username, an LDAP bind DN or a search base. */
    name: z.string().optional(),
    ip: z.string(),
  }),
  /** An attempt to deliver an event to a webhook, recorded once it has ended. */
  z.object({
    ...shared,
    kind: z.literal('webhook'),
    /** Event type, e.g. `member.paused`. */
    event: z.string(),
    webhookId: z.string(),
    /** The `webhook-id` header, which is the same for every attempt. */
    deliveryId: z.string(),
    /** Number of the attempt, counted from 1. */
    attempt: z.number().int(),
    /** URL of the webhook, masked because it can contain a token. */
    url: z.string(),
    /** HTTP status of the response; 0 if there was none. */
    status: z.number().int(),
    /** Reason for the missing response. */
    error: z.string().optional(),
    ms: z.number(),
    /** Flaw of the signature, if the lab signed the delivery wrongly. */
    signature: z.enum(WRONG_SIGNATURES).optional(),
    /** True if the lab forged the event. */
    forged: z.literal(true).optional(),
    /** The payload. */
    requestBody: z.json().optional(),
  }),
  /** A fault that affected a request, connection, message, delivery or email. */
  z.object({ ...shared, kind: z.literal('fault'), path: z.string(), what: z.string() }),
]);
export type JournalEntry = z.output<typeof journalEntry>;

const kind = z.enum(['http', 'socket', 'challenge', 'message', 'policy', 'exchange', 'webhook', 'fault']);
export type JournalKind = z.output<typeof kind>;

/** Returns true if a request over this protocol can have this outcome. */
const canEnd = (protocol: 'radius' | 'ldap', outcome: ExchangeOutcome): boolean =>
  (protocol === 'radius') === (outcome.startsWith('Access-') || outcome === 'no answer');

type Refuse = (name: string, message: string) => void;

/** Rejects filters that can never match entries of the given kind. */
function requireApplicable(
  wanted: JournalKind | undefined,
  filters: { path?: unknown; email?: unknown; org?: unknown },
  refuse: Refuse,
) {
  if (wanted === undefined) return;
  const hasPath = wanted === 'http' || wanted === 'socket' || wanted === 'webhook' || wanted === 'fault';
  if (!hasPath && filters.path !== undefined)
    refuse('path', `path only applies to http, socket, webhook and fault, not to ${wanted}`);
  for (const name of ['email', 'org'] as const) {
    if (wanted === 'fault' && filters[name] !== undefined)
      refuse(name, `${name} does not apply to faults in the journal`);
  }
}

export const readJournal = endpoint({
  method: 'GET',
  path: '/lab/journal',
  area: 'Lab',
  summary:
    'Read the journal, oldest first: requests, socket messages, sign-ins, emails, phones, RADIUS, LDAP, webhooks and faults',
  access: lab,
  query: z
    .strictObject({
      /**
       * Limits the result to entries after the entry with this number, which must exist or have existed. If omitted,
       * the newest entries are returned.
       */
      after: queryNumber(0, Number.MAX_SAFE_INTEGER).optional(),
      /** Kind of entry. Default: all kinds. */
      kind: kind.optional(),
      /** Path of the portal or, with `webhook`, of the webhook's URL. Default: any path. */
      path: servedPath.optional(),
      /** Email address of the user an entry is about. Default: any user. */
      email: email.optional(),
      /** Code of the organisation an entry is about. Default: any organisation. */
      org: orgCode.optional(),
      /** Maximum number of entries to return. */
      limit: queryNumber(1, JOURNAL_PAGE_MAX).default(PAGE),
    })
    .superRefine(({ kind: wanted, ...filters }, context) =>
      requireApplicable(wanted, filters, (name, message) =>
        context.addIssue({ code: 'custom', path: [name], message }),
      ),
    ),
  reply: z.object({
    entries: z.array(journalEntry),
    /** Number of the newest entry, or 0. */
    last: z.number().int(),
    /** How many entries after `after` were deleted for lack of space. If this isn't 0, read the journal more often. */
    skipped: z.number().int(),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
});

export const emptyJournal = endpoint({
  method: 'DELETE',
  path: '/lab/journal',
  area: 'Lab',
  summary: 'Clear the journal',
  access: lab,
  reply: z.object({}),
  events: ['lab.journal-emptied'],
});

const times = z.number().int().min(0).max(JOURNAL_MAX);

/** Describes the journal entries to expect. */
const expectedEntry = z.strictObject({
  /** Kind of entry. */
  kind: kind.default('http'),
  /** HTTP method, for `http` only. Default: any method. */
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).optional(),
  /** Path of the portal or, with `webhook`, of the webhook's URL. Default: any path. */
  path: servedPath.optional(),
  /** Email address of the user an entry is about. Default: any user. */
  email: email.optional(),
  /** Code of the organisation an entry is about. Default: any organisation. */
  org: orgCode.optional(),
  /** Number (`seq`) of an entry: only later entries count. Default: all entries count. */
  after: z.int().min(0).optional(),
  /** Response status, for `http` and `webhook`; 0 if there was no response. Default: any status. */
  status: z
    .number()
    .int()
    .min(0)
    .max(599)
    .refine((status) => status === 0 || status >= 100, 'The status must be 0 or from 100 to 599')
    .optional(),
  /** Name of the result, for `http` only, e.g. `UNAUTHORIZED`. Default: any result. */
  resultName: z.enum(RESULT_NAMES).optional(),
  /** Socket event, for `socket` only. `opened` counts connections. */
  direction: direction.optional(),
  /** Event type, for `webhook` only, e.g. `member.paused`. Default: any event. */
  event: webhookEvent.optional(),
  /** Protocol, for `exchange` only. Default: both protocols. */
  protocol: exchangeFacts.protocol.optional(),
  /** Reply type or LDAP result name, for `exchange` only. Default: any outcome. */
  outcome: exchangeFacts.outcome.optional(),
  /** ID of the application, for `exchange` only. Default: any application. */
  application: exchangeFacts.application.optional(),
  /** Fields that the request body, socket message or webhook payload must contain. Default: none. */
  body: z.record(z.string(), z.json()).optional(),
});
export type ExpectedEntry = z.output<typeof expectedEntry>;

/** Kinds of entries that a filter applies to. */
const APPLICABLE_KINDS: readonly (readonly [keyof ExpectedEntry, readonly JournalKind[]])[] = [
  ['method', ['http']],
  ['status', ['http', 'webhook']],
  ['resultName', ['http']],
  ['protocol', ['exchange']],
  ['outcome', ['exchange']],
  ['application', ['exchange']],
  ['direction', ['socket']],
  ['event', ['webhook']],
  ['body', ['http', 'socket', 'webhook']],
];

function refuseUnmatchable({ kind: wanted, ...filters }: ExpectedEntry, refuse: Refuse): void {
  for (const [name, kinds] of APPLICABLE_KINDS) {
    const isUseless = name !== 'kind' && filters[name] !== undefined && !kinds.includes(wanted);
    if (isUseless) refuse(name, `${name} doesn't apply to ${wanted}, only to ${kinds.join(', ')}`);
  }
  if (filters.protocol && filters.outcome && !canEnd(filters.protocol, filters.outcome)) {
    refuse('outcome', `${filters.protocol} requests never end with ${filters.outcome}`);
  }
  requireApplicable(wanted, filters, refuse);
  if (filters.body !== undefined && !MESSAGE_DIRECTIONS.includes(filters.direction)) {
    refuse('body', `Entries with direction ${filters.direction} have no message`);
  }
}

export const expectation = expectedEntry
  .extend({
    /** Exact number of entries to expect. */
    count: times.optional(),
    /** Minimum number of entries. Default: 1, unless `count` or `atMost` is set. */
    atLeast: times.optional(),
    /** Maximum number of entries. Default: no limit. */
    atMost: times.optional(),
  })
  .superRefine(({ count, atLeast, atMost, ...entry }, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    if (count !== undefined && (atLeast ?? atMost) !== undefined)
      refuse('count', 'count cannot be combined with atLeast or atMost');
    if (atLeast === 0 && atMost === undefined) refuse('atLeast', 'atLeast must be 1 or more, unless atMost is set');
    if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
      refuse('atLeast', 'atLeast cannot be greater than atMost');
    refuseUnmatchable(entry, refuse);
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
  summary:
    'Check how often an entry occurred. If the count is different, the response shows the closest entries and how they differ',
  access: lab,
  body: expectation,
  reply: z.object({
    ok: z.boolean(),
    /** Number of matching entries. */
    count: z.number().int(),
    /**
     * How many entries after `after` were deleted for lack of space. If any were deleted, an upper limit can't be
     * verified and the check isn't ok.
     */
    skipped: z.number().int(),
    /** Result of the check, in one sentence. */
    message: portalText(z.string()),
    /**
     * Closest entries first, at most 5. If there were too few or too many matches, also the last matches, which differ
     * in `count`.
     */
    misses: z.array(miss),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  // Verifying doesn't modify any data, so there is no audit event.
  events: [],
});

export const awaitEntry = endpoint({
  method: 'POST',
  path: '/lab/journal/wait',
  area: 'Lab',
  summary: 'Wait for a matching entry. If none occurs within `wait`, the response shows the closest entries',
  access: lab,
  body: expectedEntry
    .extend({
      /** Maximum wait, in seconds of real time. */
      wait: z.number().min(0).max(60).default(5),
    })
    .superRefine(({ wait: _, ...entry }, context) =>
      refuseUnmatchable(entry, (name, message) => context.addIssue({ code: 'custom', path: [name], message })),
    ),
  reply: z.object({
    /** First matching entry, or null if none occurred in time. */
    entry: journalEntry.nullable(),
    /** Result as a sentence. */
    message: portalText(z.string()),
    /** If nothing matched, the five closest entries, closest first. */
    misses: z.array(miss),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  // Waiting doesn't modify any data.
  events: [],
});
