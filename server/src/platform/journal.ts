import type { IncomingMessage } from 'node:http';
import type { ChannelDefinition, ExchangeOutcome, WrongSignature } from '@orchestrate/shared';

/** Size of a ring buffer segment, in bytes. */
const SEGMENT_BYTES = 524_288;
const MAX_BYTES_PER_UNIT = 3;
const LENGTH_BYTES = 4;

/**
 * A ring buffer of strings outside the heap, where the garbage collector would move each string twice. Drops the
 * oldest strings one segment at a time.
 */
interface TextRing {
  /**
   * Stores a string, passed in two parts to avoid concatenating them.
   * @returns the string's offset, which always increases; undefined if the string doesn't fit into a segment
   */
  keep(beginning: string, rest: string): number | undefined;
  /** Returns the string at an offset, or undefined if it was dropped. */
  read(offset: number): string | undefined;
  isKept(offset: number): boolean;
}

/** Creates a ring buffer. @param maxBytes maximum memory, allocated as needed */
function createTextRing(maxBytes: number): TextRing {
  const count = Math.ceil(maxBytes / SEGMENT_BYTES);
  const segments: Buffer[] = [];
  /** Offset of the next string: segment number times segment size, plus the offset within the segment. */
  let next = 0;
  let segment: Buffer = Buffer.alloc(0);

  function enter(number: number): void {
    const index = number % count;
    segment = segments[index] ??= Buffer.allocUnsafeSlow(SEGMENT_BYTES);
    next = number * SEGMENT_BYTES;
  }

  const isKept = (offset: number): boolean =>
    Math.floor(offset / SEGMENT_BYTES) + count > Math.floor(next / SEGMENT_BYTES);

  return {
    keep(beginning, rest) {
      const most = LENGTH_BYTES + (beginning.length + rest.length) * MAX_BYTES_PER_UNIT;
      if (most > SEGMENT_BYTES) return undefined;
      if (segments.length === 0) enter(0);
      // Leave the last byte free, so that the next offset is in the same segment.
      else if ((next % SEGMENT_BYTES) + most >= SEGMENT_BYTES) enter(Math.floor(next / SEGMENT_BYTES) + 1);
      const offset = next;
      const start = offset % SEGMENT_BYTES;
      let length = segment.write(beginning, start + LENGTH_BYTES, 'utf8');
      if (rest !== '') length += segment.write(rest, start + LENGTH_BYTES + length, 'utf8');
      segment.writeUInt32LE(length, start);
      next += LENGTH_BYTES + length;
      return offset;
    },
    read(offset) {
      if (!isKept(offset)) return undefined;
      const bytes = segments[Math.floor(offset / SEGMENT_BYTES) % count];
      const start = (offset % SEGMENT_BYTES) + LENGTH_BYTES;
      return bytes?.toString('utf8', start, start + bytes.readUInt32LE(start - LENGTH_BYTES));
    },
    isKept,
  };
}

/** Reasons for refused protocol requests, as sentences without secrets. Only the lab sees them, never the client. */
export const refusalReasons = new WeakMap<IncomingMessage, string>();

/**
 * Facts about a request without its body and response. Secrets are included. Values are only strings, numbers and
 * lists of strings or numbers.
 */
export interface HttpFacts {
  kind: 'http';
  method: string;
  /** Requested URL including its query. */
  url: string;
  /** Route pattern. */
  pattern: string | undefined;
  params: unknown;
  query: unknown;
  status: number;
  /** Body size on the wire, in bytes. */
  bodyBytes: number;
  /** Redirect target. */
  location: string | undefined;
  isTruncated: boolean;
  /**
   * Duration in tenths of a millisecond. An integer, because formatting a fraction takes longer than all other fields
   * together.
   */
  tenthsOfMs: number;
  ip: string;
  requestId: string;
  /** ID of the signed-in member. */
  suid: string | undefined;
  orgCode: string | undefined;
  /** Why a protocol refused the request: see `refusalReasons`. */
  reason: string | undefined;
}

/** A request and its response as sent. */
export interface RawHttp extends HttpFacts {
  body: unknown;
  /** Response as a JSON string; undefined if it isn't JSON. */
  answer: string | undefined;
}

export interface RawSocket {
  kind: 'socket';
  channel: ChannelDefinition;
  connection: number;
  direction: 'opened' | 'sent' | 'received' | 'closed' | 'refused';
  message?: unknown;
  code?: number;
  reason?: string;
  /** ID of the signed-in member. */
  suid?: string | undefined;
  orgCode?: string | undefined;
  /** Query with which the socket was opened. */
  query: unknown;
}

export interface RawChallenge {
  kind: 'challenge';
  challengeKind: string;
  state: string;
  suid: string | null;
  orgCode: string;
}

export interface RawMessage {
  kind: 'message';
  channel: string;
  to: string;
  template: string;
  orgCode: string;
}

export interface RawPolicy {
  kind: 'policy';
  zid: string;
  email: string;
  orgCode: string;
  answer: string;
  lie: string | undefined;
  resultName: string;
}

export interface RawExchange {
  kind: 'exchange';
  protocol: 'radius' | 'ldap';
  operation: string;
  outcome: ExchangeOutcome;
  /** Organisation code; undefined if the application is unknown. */
  orgCode: string | undefined;
  appId: string | undefined;
  /** User name or LDAP DN, as sent. */
  name: string | undefined;
  ip: string;
}

export interface RawWebhook {
  kind: 'webhook';
  orgCode: string;
  webhookId: string;
  deliveryId: string;
  event: string;
  attempt: number;
  /** Complete URL, which can contain a token. */
  url: string;
  /** HTTP status; 0 if there was no response. */
  status: number;
  /** Reason why there was no response, or ''. */
  error: string;
  ms: number;
  signature: WrongSignature | undefined;
  isForged: boolean;
  /** Payload as JSON. */
  payload: string;
}

export interface RawFault {
  kind: 'fault';
  path: string;
  what: string;
}

export type RawEntry =
  | RawHttp
  | RawSocket
  | RawChallenge
  | RawMessage
  | RawPolicy
  | RawExchange
  | RawWebhook
  | RawFault;

/** A journal entry with its sequence number and the portal's time in milliseconds since the epoch. */
export interface RecordedEntry {
  seq: number;
  at: number;
  raw: RawEntry;
}

/**
 * Recent traffic and events, for the lab. Entries are stored as sent, at almost no cost per request. The lab masks
 * secrets when it reads them.
 */
export interface Journal {
  /** False with `LAB=off` and while the lab is closed. Nothing is recorded in that case. */
  readonly isOn: boolean;
  /**
   * Records a request. @param body request body as parsed JSON
   * @param answer response as a JSON string
   */
  recordHttp(facts: HttpFacts, body: unknown, answer: string | undefined): void;
  record(raw: Exclude<RawEntry, RawHttp>): void;
  /**
   * Returns entries, oldest first.
   * @param wanted limits the result to one kind, and to sequence numbers greater than `after`
   */
  entries(wanted?: { after?: number | undefined; kind?: RawEntry['kind'] | undefined }): RecordedEntry[];
  /** Returns how many entries after `after` were dropped for lack of space. Cleared entries aren't included. */
  forgotten(after: number): number;
  /** Returns the sequence number of the newest entry, or 0 if there are no entries. */
  last(): number;
  clear(): void;
}

interface JournalOptions {
  isOn: boolean;
  now: () => number;
  /** Called after each new entry. */
  onRecord: () => void;
  /** Maximum number of entries. Older entries are dropped. */
  max: number;
  /** Maximum total size of stored requests and responses, in bytes. */
  maxBytes: number;
}

/** Maximum length of a truncated URL, in characters. Used only if a request is too long to be stored completely. */
const ADDRESS_MAX_LENGTH = 16_384;

type Other = Exclude<RawEntry, RawHttp>;

export function createJournal({ isOn, now, onRecord, max, maxBytes }: JournalOptions): Journal {
  const texts = createTextRing(maxBytes);
  // Entry `seq` is stored at index `seq % max`. Use typed arrays, because many long-lived objects would slow down
  // garbage collection.
  const times = new Float64Array(max);
  /** Offsets of request strings in the ring buffer. */
  const offsets = new Float64Array(max);
  /** All entries except HTTP requests. */
  const others: (Other | undefined)[] = [];
  let seq = 0;
  /** Sequence number of the last cleared entry. */
  let emptied = 0;

  function add(offset: number, other?: Other): void {
    seq += 1;
    const at = seq % max;
    times[at] = now();
    offsets[at] = offset;
    others[at] = other;
    onRecord();
  }

  /**
   * Returns the sequence number of the oldest readable entry. Excludes entries older than a dropped entry, because
   * readers would take the gap for a time without activity.
   */
  function oldest(): number {
    const first = Math.max(emptied, seq - max) + 1;
    let one = seq;
    while (one >= first && (others[one % max] || texts.isKept(offsets[one % max] ?? 0))) one -= 1;
    return one + 1;
  }

  return {
    isOn,
    recordHttp(facts, body, answer) {
      if (!isOn) return;
      const offset = texts.keep(written(facts, body), answer ?? '') ?? texts.keep(written(shortened(facts)), '');
      if (offset !== undefined) add(offset);
    },
    record(raw) {
      if (isOn) add(0, raw);
    },
    entries({ after = 0, kind } = {}) {
      const found: RecordedEntry[] = [];
      for (let one = Math.max(after + 1, oldest()); one <= seq; one += 1) {
        const other = others[one % max];
        if (kind !== undefined && kind !== (other?.kind ?? 'http')) continue;
        const raw = other ?? readHttp(texts.read(offsets[one % max] ?? 0) ?? '');
        found.push({ seq: one, at: times[one % max] ?? 0, raw });
      }
      return found;
    },
    forgotten: (after) => Math.max(0, oldest() - 1 - Math.max(after, emptied)),
    last: () => seq,
    clear() {
      emptied = seq;
      others.length = 0;
      onRecord();
    },
  };
}

/** Serialises a request with one line per field and a final line for the body. The response is stored after it. */
function written(facts: HttpFacts, body?: unknown): string {
  const { method, url, pattern = '', params, query, status, bodyBytes, location = '' } = facts;
  const { isTruncated, tenthsOfMs, ip, requestId, suid = '', orgCode = '', reason = '' } = facts;
  const request = `${method}\n${url}\n${pattern}\n${jsonOf(params)}\n${jsonOf(query)}`;
  const answered = `${status}\n${bodyBytes}\n${location}\n${isTruncated}\n${tenthsOfMs}`;
  return `${request}\n${answered}\n${ip}\n${requestId}\n${suid}\n${orgCode}\n${reason}\n${jsonOf(body)}\n`;
}

/** Truncates the URL, which can exceed a segment if Node is configured to allow headers longer than 16 kB. */
function shortened(facts: HttpFacts): HttpFacts {
  const short = (text: string) => text.slice(0, ADDRESS_MAX_LENGTH);
  const isShort = jsonOf(facts.params).length <= ADDRESS_MAX_LENGTH;
  return {
    ...facts,
    url: short(facts.url),
    location: facts.location && short(facts.location),
    params: isShort ? facts.params : undefined,
    query: undefined,
    isTruncated: true,
  };
}

const jsonOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));
const parsed = (json: string | undefined): unknown => (json ? JSON.parse(json) : undefined);

function readHttp(text: string): RawHttp {
  const [method = '', url = '', pattern, params, query, status, bodyBytes, location, isTruncated, tenths, ...rest] =
    text.split('\n');
  const [ip = '', requestId = '', suid, orgCode, reason, body, ...answer] = rest;
  return {
    kind: 'http',
    method,
    url,
    pattern: pattern || undefined,
    params: parsed(params),
    query: parsed(query),
    status: Number(status),
    bodyBytes: Number(bodyBytes),
    location: location || undefined,
    isTruncated: isTruncated === 'true',
    tenthsOfMs: Number(tenths),
    ip,
    requestId,
    suid: suid || undefined,
    orgCode: orgCode || undefined,
    reason: reason || undefined,
    body: parsed(body),
    answer: answer.join('\n') || undefined,
  };
}
