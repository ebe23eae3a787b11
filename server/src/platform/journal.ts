import type { ChannelDefinition, ExchangeOutcome } from '@orchestrate/shared';

/** Bytes of a segment. */
const SEGMENT_BYTES = 524_288;
const MAX_BYTES_PER_UNIT = 3;
const LENGTH_BYTES = 4;

/**
 * Texts kept outside the heap, because the garbage collector would move each of them twice, and then search the whole
 * heap for what became of it. The oldest are forgotten, a segment at a time.
 */
interface TextRing {
  /**
   * Keeps one text, which is given in two parts so that they need not be joined before.
   * @returns its place, a number that grows; undefined for a text that is longer than a segment may be
   */
  keep(beginning: string, rest: string): number | undefined;
  /** Undefined for a text that is forgotten. */
  read(place: number): string | undefined;
  isKept(place: number): boolean;
}

/** @param maxBytes taken at most; memory is taken as texts come */
function createTextRing(maxBytes: number): TextRing {
  const count = Math.ceil(maxBytes / SEGMENT_BYTES);
  const segments: Buffer[] = [];
  /** The place of the next text: the number of its segment, times the size of one, plus where it begins there. */
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
      // The last byte stays free, so that the next place is in the same segment.
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
 * What is known of a request beside its body and answer, secrets included: nothing but texts, numbers and lists of
 * them.
 */
export interface HttpFacts {
  kind: 'http';
  method: string;
  /** The address as it was asked for, with its query. */
  url: string;
  /** The route that answered. */
  pattern: string | undefined;
  params: unknown;
  query: unknown;
  status: number;
  /** What the request took to be sent, in bytes. */
  bodyBytes: number;
  /** Where a redirect leads. */
  location: string | undefined;
  isTruncated: boolean;
  /** Whole, because writing a fraction as text takes longer than writing all other facts. */
  tenthsOfMs: number;
  ip: string;
  requestId: string;
  /** Who was signed in. */
  suid: string | undefined;
  orgCode: string | undefined;
}

/** A request and its answer as they travelled. */
export interface RawHttp extends HttpFacts {
  body: unknown;
  /** JSON text of the answer, where it is JSON. */
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
  /** Whose connection it is, where somebody is signed in. */
  suid?: string | undefined;
  orgCode?: string | undefined;
  /** What it was opened with. */
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
  /** Undefined where nothing says which application it is. */
  orgCode: string | undefined;
  appId: string | undefined;
  /** As it was sent: the name of a person, or a name in LDAP. */
  name: string | undefined;
  ip: string;
}

export interface RawFault {
  kind: 'fault';
  path: string;
  what: string;
}

export type RawEntry = RawHttp | RawSocket | RawChallenge | RawMessage | RawPolicy | RawExchange | RawFault;

/** What has happened, with its number and the portal's time in milliseconds since the epoch. */
export interface RecordedEntry {
  seq: number;
  at: number;
  raw: RawEntry;
}

/**
 * What has happened lately. It keeps what travelled, and the lab hides the secrets when it is read: a request pays next
 * to nothing for it.
 */
export interface Journal {
  /** False with `LAB=off` and while the lab is closed: nothing is kept. */
  readonly isOn: boolean;
  /** @param body as it was parsed: only values that JSON can represent */
  recordHttp(facts: HttpFacts, body: unknown, answer: string | undefined): void;
  record(raw: Exclude<RawEntry, RawHttp>): void;
  /**
   * Oldest first.
   * @param wanted only those after a number, or of a kind
   */
  entries(wanted?: { after?: number | undefined; kind?: RawEntry['kind'] | undefined }): RecordedEntry[];
  /** How many entries after a number were dropped for lack of room; those that were cleared do not count. */
  forgotten(after: number): number;
  /** The number of the newest, 0 where nothing has happened. */
  last(): number;
  clear(): void;
}

interface JournalOptions {
  isOn: boolean;
  now: () => number;
  /** Called after each entry. */
  onRecord: () => void;
  /** Older entries are forgotten. */
  max: number;
  /** Maximum number of bytes for requests and their answers. */
  maxBytes: number;
}

/** The length to which addresses are cut in a request that is too long to be kept in full. */
const ADDRESS_MAX_LENGTH = 16_384;

type Other = Exclude<RawEntry, RawHttp>;

export function createJournal({ isOn, now, onRecord, max, maxBytes }: JournalOptions): Journal {
  const texts = createTextRing(maxBytes);
  // Of the entry `seq` at `seq % max`. Numbers, not objects: objects that live for a while keep the garbage collector
  // busy.
  const times = new Float64Array(max);
  /** Where the text of a request is. */
  const places = new Float64Array(max);
  /** What happened, where it is not a request. */
  const others: (Other | undefined)[] = [];
  let seq = 0;
  /** The last entry that was emptied away. */
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
   * Of all that is kept. Nothing older than what is forgotten is shown: a gap would look as if nothing had happened
   * there.
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

/** A request as text: a line for each fact, which none of them breaks, and a line for the body. The answer follows. */
function written(facts: HttpFacts, body?: unknown): string {
  const { method, url, pattern = '', params, query, status, bodyBytes, location = '' } = facts;
  const { isTruncated, tenthsOfMs, ip, requestId, suid = '', orgCode = '' } = facts;
  const asked = `${method}\n${url}\n${pattern}\n${jsonOf(params)}\n${jsonOf(query)}`;
  const answered = `${status}\n${bodyBytes}\n${location}\n${isTruncated}\n${tenthsOfMs}`;
  return `${asked}\n${answered}\n${ip}\n${requestId}\n${suid}\n${orgCode}\n${jsonOf(body)}\n`;
}

/** Where Node lets headers be longer than its own 16 kB, an address alone may be longer than all that is kept. */
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
