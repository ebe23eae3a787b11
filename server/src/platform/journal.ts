import type { ChannelDefinition } from '@orchestrate/shared';
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
  ms: number;
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
  direction: 'opened' | 'sent' | 'received' | 'closed';
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

export interface RawFault {
  kind: 'fault';
  path: string;
  what: string;
}

export type RawEntry = RawHttp | RawSocket | RawChallenge | RawMessage | RawPolicy | RawFault;

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

/** A request whose texts are kept elsewhere. */
interface WrittenHttp {
  kind: 'http';
  facts: number;
  body: number | undefined;
  answer: number | undefined;
}

interface Kept {
  seq: number;
  at: number;
  what: WrittenHttp | Exclude<RawEntry, RawHttp>;
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

  const isForgotten = (entry: Kept | undefined) => entry?.what.kind === 'http' && !texts.isKept(entry.what.facts);

  function read({ seq, at, what }: Kept): Happened {
    if (what.kind !== 'http') return { seq, at, raw: what };
    const textAt = (place: number | undefined) => (place === undefined ? undefined : texts.read(place));
    const body = textAt(what.body);
    const facts: HttpFacts = JSON.parse(textAt(what.facts) ?? '{}');
    return { seq, at, raw: { ...facts, body: body && JSON.parse(body), answer: textAt(what.answer) } };
  }

  return {
    isOn,
    recordHttp(facts, body, answer) {
      if (!isOn) return;
      add({
        kind: 'http',
        facts: texts.keep(JSON.stringify(facts)),
        body: body === undefined ? undefined : texts.keep(JSON.stringify(body)),
        answer: answer === undefined ? undefined : texts.keep(answer),
      });
    },
    record(raw) {
      if (isOn) add(raw);
    },
    entries({ after = 0, kind } = {}) {
      const found: Happened[] = [];
      for (const one of kept.slice(first)) {
        if (one.seq > after && (kind === undefined || one.what.kind === kind)) found.push(read(one));
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
