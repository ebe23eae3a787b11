import type { ChannelDefinition, ExchangeOutcome } from '@orchestrate/shared';

/** Size of a segment, in bytes. */
const SEGMENT_BYTES = 524_288;
const MAX_BYTES_PER_UNIT = 3;
const LENGTH_BYTES = 4;

/**
 * A ring buffer of texts outside the heap, where the garbage collector would move each of them twice. Drops the oldest
 * texts a segment at a time.
 */
interface TextRing {
  /**
   * Stores a text, passed in two parts to avoid joining them.
   * @returns its offset, which always increases; undefined if the text doesn't fit into a segment
   */
  keep(beginning: string, rest: string): number | undefined;
  /** Returns the text at an offset; undefined if it was dropped. */
  read(place: number): string | undefined;
  isKept(place: number): boolean;
}

/** Creates a ring. @param maxBytes maximum memory, which is allocated as needed */
function createTextRing(maxBytes: number): TextRing {
  const count = Math.ceil(maxBytes / SEGMENT_BYTES);
  const segments: Buffer[] = [];
  /** Offset of the next text: segment number times segment size, plus the offset in the segment. */
  let next = 0;
  let segment: Buffer = Buffer.alloc(0);

  function enter(number: number): void {
    const index = number % count;
    segment = segments[index] ??= Buffer.allocUnsafeSlow(SEGMENT_BYTES);
    next = number * SEGMENT_BYTES;
  }

  const isKept = (place: number): boolean =>
    Math.floor(place / SEGMENT_BYTES) + count > Math.floor(next / SEGMENT_BYTES);

  return {
    keep(beginning, rest) {
      const most = LENGTH_BYTES + (beginning.length + rest.length) * MAX_BYTES_PER_UNIT;
      if (most > SEGMENT_BYTES) return undefined;
      if (segments.length === 0) enter(0);
      // The last byte stays free, so that the next offset is in the same segment.
      else if ((next % SEGMENT_BYTES) + most >= SEGMENT_BYTES) enter(Math.floor(next / SEGMENT_BYTES) + 1);
      const place = next;
      const start = place % SEGMENT_BYTES;
      let length = segment.write(beginning, start + LENGTH_BYTES, 'utf8');
      if (rest !== '') length += segment.write(rest, start + LENGTH_BYTES + length, 'utf8');
      segment.writeUInt32LE(length, start);
      next += LENGTH_BYTES + length;
      return place;
    },
    read(place) {
      if (!isKept(place)) return undefined;
      const bytes = segments[Math.floor(place / SEGMENT_BYTES) % count];
      const start = (place % SEGMENT_BYTES) + LENGTH_BYTES;
      return bytes?.toString('utf8', start, start + bytes.readUInt32LE(start - LENGTH_BYTES));
    },
    isKept,
  };
}

/**
 * A request without its body and response, secrets included. Contains only strings, numbers and lists of them.
 */
export interface HttpFacts {
  kind: 'http';
  method: string;
  /** Requested URL, with its query. */
  url: string;
  /** Pattern of the route. */
  pattern: string | undefined;
  params: unknown;
  query: unknown;
  status: number;
  /** Size of the body on the wire, in bytes. */
  bodyBytes: number;
  /** Target of a redirect. */
  location: string | undefined;
  isTruncated: boolean;
  /** Duration as an integer, because formatting a fraction takes longer than all other fields. */
  tenthsOfMs: number;
  ip: string;
  requestId: string;
  /** The signed-in member. */
  suid: string | undefined;
  orgCode: string | undefined;
}

/** A request and its response as sent. */
export interface RawHttp extends HttpFacts {
  body: unknown;
  /** JSON text of the response, if it is JSON. */
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
  /** The signed-in member. */
  suid?: string | undefined;
  orgCode?: string | undefined;
  /** Query with which it was opened. */
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
  /** Undefined if the application is unknown. */
  orgCode: string | undefined;
  appId: string | undefined;
  /** User name or LDAP DN, as sent. */
  name: string | undefined;
  ip: string;
}

export interface RawFault {
  kind: 'fault';
  path: string;
  what: string;
}

export type RawEntry = RawHttp | RawSocket | RawChallenge | RawMessage | RawPolicy | RawExchange | RawFault;

/** A journal entry with its number and the portal's time, in milliseconds since the epoch. */
export interface RecordedEntry {
  seq: number;
  at: number;
  raw: RawEntry;
}

/**
 * Recent traffic and events, for the lab. Stores them as sent, at almost no cost per request; the lab masks the secrets on
 * reading.
 */
export interface Journal {
  /** False with `LAB=off` and while the lab is closed; then nothing is recorded. */
  readonly isOn: boolean;
  /** Records a request. @param body parsed JSON */
  recordHttp(facts: HttpFacts, body: unknown, answer: string | undefined): void;
  record(raw: Exclude<RawEntry, RawHttp>): void;
  /**
   * Returns entries, oldest first.
   * @param wanted filter by minimum number (exclusive) and kind
   */
  entries(wanted?: { after?: number | undefined; kind?: RawEntry['kind'] | undefined }): RecordedEntry[];
  /** Returns the number of entries after `after` that were dropped for lack of space, not by clearing. */
  forgotten(after: number): number;
  /** Returns the number of the newest entry; 0 if there is none. */
  last(): number;
  clear(): void;
}

interface JournalOptions {
  isOn: boolean;
  now: () => number;
  /** Called after each entry. */
  onRecord: () => void;
  /** Maximum number of entries; older ones are dropped. */
  max: number;
  /** Maximum size of requests and responses, in bytes. */
  maxBytes: number;
}

/** Length to which URLs are cut in a request that is too long to be stored completely. */
const ADDRESS_MAX_LENGTH = 16_384;

type Other = Exclude<RawEntry, RawHttp>;

export function createJournal({ isOn, now, onRecord, max, maxBytes }: JournalOptions): Journal {
  const texts = createTextRing(maxBytes);
  // Entry `seq` is at `seq % max`. Typed arrays, because long-lived objects slow the garbage collector down.
  const times = new Float64Array(max);
  /** Offsets of the texts of requests. */
  const places = new Float64Array(max);
  /** Entries other than requests. */
  const others: (Other | undefined)[] = [];
  let seq = 0;
  /** Number of the last entry that was cleared. */
  let emptied = 0;

  function add(place: number, other?: Other): void {
    seq += 1;
    const at = seq % max;
    times[at] = now();
    places[at] = place;
    others[at] = other;
    onRecord();
  }

  /**
   * Returns the number of the oldest entry. Excludes entries older than a dropped one, because a gap would look as if
   * nothing had happened.
   */
  function oldest(): number {
    const first = Math.max(emptied, seq - max) + 1;
    let one = seq;
    while (one >= first && (others[one % max] || texts.isKept(places[one % max] ?? 0))) one -= 1;
    return one + 1;
  }

  return {
    isOn,
    recordHttp(facts, body, answer) {
      if (!isOn) return;
      const place = texts.keep(written(facts, body), answer ?? '') ?? texts.keep(written(shortened(facts)), '');
      if (place !== undefined) add(place);
    },
    record(raw) {
      if (isOn) add(0, raw);
    },
    entries({ after = 0, kind } = {}) {
      const found: RecordedEntry[] = [];
      for (let one = Math.max(after + 1, oldest()); one <= seq; one += 1) {
        const other = others[one % max];
        if (kind !== undefined && kind !== (other?.kind ?? 'http')) continue;
        const raw = other ?? readHttp(texts.read(places[one % max] ?? 0) ?? '');
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

/** Serialises a request: a line per field, then a line for the body. The response follows. */
function written(facts: HttpFacts, body?: unknown): string {
  const { method, url, pattern = '', params, query, status, bodyBytes, location = '' } = facts;
  const { isTruncated, tenthsOfMs, ip, requestId, suid = '', orgCode = '' } = facts;
  const asked = `${method}\n${url}\n${pattern}\n${jsonOf(params)}\n${jsonOf(query)}`;
  const answered = `${status}\n${bodyBytes}\n${location}\n${isTruncated}\n${tenthsOfMs}`;
  return `${asked}\n${answered}\n${ip}\n${requestId}\n${suid}\n${orgCode}\n${jsonOf(body)}\n`;
}

/** Cuts the URL, which can exceed a segment if Node is configured for headers longer than 16 kB. */
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
  const [ip = '', requestId = '', suid, orgCode, body, ...answer] = rest;
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
    body: parsed(body),
    answer: answer.join('\n') || undefined,
  };
}
