import type { ChannelDefinition, ExchangeOutcome } from '@orchestrate/shared';
import { createKeptTexts } from './kept-texts.ts';

/** What is known of a request beside its body and answer, secrets included: nothing but texts, numbers and lists of them. */
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
export interface Happened {
  seq: number;
  at: number;
  raw: RawEntry;
}

/**
 * What has happened lately. It keeps what travelled, and the lab hides the secrets when it is read: a request pays next to
 * nothing for it.
 */
export interface Journal {
  /** False with `LAB=off`: nothing is kept. */
  readonly isOn: boolean;
  /** @param body as it was parsed: nothing that JSON could not say */
  recordHttp(facts: HttpFacts, body: unknown, answer: string | undefined): void;
  record(raw: Exclude<RawEntry, RawHttp>): void;
  /**
   * Oldest first.
   * @param wanted only those after a number, or of a kind
   */
  entries(wanted?: { after?: number | undefined; kind?: RawEntry['kind'] | undefined }): Happened[];
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
  /** Of requests and their answers, taken at most. */
  maxBytes: number;
}

/** Longer addresses are cut, of requests that are too long to be kept in full. */
const ADDRESS_MAX_LENGTH = 16_384;

type Other = Exclude<RawEntry, RawHttp>;

interface Kept {
  seq: number;
  at: number;
  /** What happened; of a request the place of its text. */
  what: Other | number;
}

export function createJournal({ isOn, now, onRecord, max, maxBytes }: JournalOptions): Journal {
  const texts = createKeptTexts(maxBytes);
  let kept: Kept[] = [];
  let seq = 0;
  /** Entries before this are forgotten, and are cut off many at a time. */
  let first = 0;

  function add(what: Kept['what']): void {
    seq += 1;
    kept.push({ seq, at: now(), what });
    while (kept.length - first > max || isForgotten(kept[first])) first += 1;
    if (first > max) {
      kept = kept.slice(first);
      first = 0;
    }
    onRecord();
  }

  const isForgotten = (entry: Kept | undefined) => typeof entry?.what === 'number' && !texts.isKept(entry.what);

  function read({ seq, at, what }: Kept): Happened {
    return { seq, at, raw: typeof what === 'number' ? readHttp(texts.read(what) ?? '') : what };
  }

  return {
    isOn,
    recordHttp(facts, body, answer) {
      if (!isOn) return;
      const place = texts.keep(written(facts, body), answer ?? '') ?? texts.keep(written(shortened(facts)), '');
      if (place !== undefined) add(place);
    },
    record(raw) {
      if (isOn) add(raw);
    },
    entries({ after = 0, kind } = {}) {
      const found: Happened[] = [];
      for (const one of kept.slice(first)) {
        const kindOf = typeof one.what === 'number' ? 'http' : one.what.kind;
        if (one.seq > after && (kind === undefined || kind === kindOf)) found.push(read(one));
      }
      return found;
    },
    last: () => seq,
    clear() {
      kept = [];
      first = 0;
      onRecord();
    },
  };
}

/** A request as text: a line for each fact, which none of them breaks, and a line for the body. The answer follows. */
function written(facts: HttpFacts, body?: unknown): string {
  return [
    facts.method,
    facts.url,
    facts.pattern,
    jsonOf(facts.params),
    jsonOf(facts.query),
    facts.status,
    facts.bodyBytes,
    facts.location,
    facts.isTruncated,
    facts.tenthsOfMs,
    facts.ip,
    facts.requestId,
    facts.suid,
    facts.orgCode,
    jsonOf(body),
    '',
  ].join('\n');
}

/** Where Node lets headers be longer than its own 16 kB, an address alone may be longer than all that is kept. */
function shortened(facts: HttpFacts): HttpFacts {
  const short = (text: string) => text.slice(0, ADDRESS_MAX_LENGTH);
  const isShort = (jsonOf(facts.params)?.length ?? 0) <= ADDRESS_MAX_LENGTH;
  return {
    ...facts,
    url: short(facts.url),
    location: facts.location && short(facts.location),
    params: isShort ? facts.params : undefined,
    query: undefined,
    isTruncated: true,
  };
}

const jsonOf = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
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
