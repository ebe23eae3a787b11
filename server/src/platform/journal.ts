import type { ChannelDefinition } from '@orchestrate/shared';

/** A request and its answer as they travelled, secrets included. */
export interface RawHttp {
  kind: 'http';
  method: string;
  /** The address as it was asked for, with its query. */
  url: string;
  /** The route that answered. */
  pattern: string | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  status: number;
  /** What the request took to be sent, in bytes. */
  bodyBytes: number;
  /** Where a redirect leads. */
  location: string | undefined;
  /** JSON text of the answer, where it is JSON. */
  answer: string | undefined;
  isTruncated: boolean;
  ms: number;
  ip: string;
  requestId: string;
  /** Who was signed in. */
  suid: string | undefined;
  orgCode: string | undefined;
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
 * What has happened lately. It keeps references to what travelled anyway, and the lab hides the secrets when it is
 * read: a request pays next to nothing for it.
 */
export interface Journal {
  /** False with `LAB=off`: nothing is kept. */
  readonly isOn: boolean;
  record(raw: RawEntry): void;
  /** Oldest first. */
  entries(): readonly Happened[];
  /** The number of the newest, 0 where nothing has happened. */
  last(): number;
  clear(): void;
}

/** Roughly what an entry keeps in memory beside its texts. */
const ENTRY_BYTES = 600;

interface JournalOptions {
  isOn: boolean;
  now: () => number;
  /** Called after each entry. */
  onRecord: () => void;
  /** Older entries are forgotten. */
  max: number;
  maxBytes: number;
}

export function createJournal({ isOn, now, onRecord, max, maxBytes }: JournalOptions): Journal {
  let entries: (Happened & { bytes: number })[] = [];
  let bytes = 0;
  let seq = 0;
  /** Entries before this are forgotten, and are cut off many at a time. */
  let first = 0;

  return {
    isOn,
    record(raw) {
      if (!isOn) return;
      seq += 1;
      const size = ENTRY_BYTES + (raw.kind === 'http' ? 2 * (raw.answer?.length ?? 0) + 2 * raw.bodyBytes : 0);
      entries.push({ seq, at: now(), raw, bytes: size });
      bytes += size;
      while (entries.length - first > max || bytes > maxBytes) {
        bytes -= entries[first]?.bytes ?? 0;
        first += 1;
      }
      if (first > max) {
        entries = entries.slice(first);
        first = 0;
      }
      onRecord();
    },
    entries: () => entries.slice(first),
    last: () => seq,
    clear() {
      entries = [];
      bytes = 0;
      first = 0;
      onRecord();
    },
  };
}
