import type { ExchangeOutcome } from '@orchestrate/shared';
import { BerWriter } from 'ldapts';
import type { LdapAttribute } from './attributes.ts';
import { Malformed, type StrictReader, strictReader } from './ber.ts';
import { attributeName, type LdapFilter, readFilter } from './filter.ts';

/** Of RFC 4511 §4.1.9, those that are answered here. */
export const RESULT = {
  success: 0,
  protocolError: 2,
  sizeLimitExceeded: 4,
  compareFalse: 5,
  compareTrue: 6,
  authMethodNotSupported: 7,
  unavailableCriticalExtension: 12,
  noSuchAttribute: 16,
  noSuchObject: 32,
  invalidDnSyntax: 34,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
} as const;

const OUTCOMES = new Map<number, ExchangeOutcome>(
  Object.entries(RESULT).map(([name, code]) => [code, name as keyof typeof RESULT]),
);
/** The name of a result code. */
export const outcomeOf = ({ code }: LdapResult): ExchangeOutcome => OUTCOMES.get(code) ?? 'protocolError';

/** Requests with the tags of their answers. */
const ANSWERED_BY: Readonly<Record<number, number>> = {
  96: 0x61,
  99: 0x65,
  102: 0x67,
  104: 0x69,
  74: 0x6b,
  108: 0x6d,
  119: 0x78,
};
const UNBIND = 0x42;
const ABANDON = 0x50;
const BIND_RESPONSE = 0x61;
const SEARCH_ENTRY = 0x64;
const SEARCH_DONE = 0x65;
export const COMPARE_RESPONSE = 0x6f;
const EXTENDED_RESPONSE = 0x78;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTROLS = 0xa0;
const BOOLEAN = 0x01;
const OCTET_STRING = 0x04;
export const PAGED_RESULTS = '1.2.840.113556.1.4.319';

export interface SearchWish {
  base: string;
  scope: number;
  sizeLimit: number;
  typesOnly: boolean;
  filter: LdapFilter;
  /** In lower case. */
  attributes: string[];
}

/** One page of what a search finds (RFC 2696 §2). */
export interface Page {
  /** 0 to end the search. */
  size: number;
  /** The cookie that we returned with the page before; '' for the first page. */
  cookie: string;
}

export type LdapRequest = { id: number } & Controls &
  (
    | { op: 'bind'; version: number; dn: string; password: string | undefined }
    | ({ op: 'search' } & SearchWish)
    | { op: 'compare'; dn: string; attribute: string; value: string }
    | { op: 'extended'; name: string }
    | { op: 'unbind' | 'abandon' }
    | { op: 'other'; answeredBy: number }
  );

/** The tag that answers a request, for one that is refused whatever it asks. */
export const answerTagOf = (request: LdapRequest): number => {
  if (request.op === 'bind') return BIND_RESPONSE;
  if (request.op === 'search') return SEARCH_DONE;
  if (request.op === 'compare') return COMPARE_RESPONSE;
  return request.op === 'other' ? request.answeredBy : EXTENDED_RESPONSE;
};

/** @param bytes one whole message. @throws Malformed */
export function readRequest(bytes: Buffer): LdapRequest {
  try {
    return strictReader(bytes).inside(SEQUENCE, (message) => {
      const id = message.whole();
      // RFC 4511 §4.1.1.1: 0 is that of notices.
      if (id < 1) throw new Malformed('The message ID must be positive.');
      const request = readOperation(message);
      return { id, ...request, ...readControls(message, request.op) };
    });
  } catch (reason) {
    // What the library throws has no class of its own for all cases.
    throw reason instanceof Malformed ? reason : new Malformed('The message cannot be read.', { cause: reason });
  }
}

type Operation<R> = R extends unknown ? Omit<R, 'id' | keyof Controls> : never;

function readOperation(message: StrictReader): Operation<LdapRequest> {
  const tag = message.next();
  if (tag === undefined) throw new Malformed('The message is empty.');
  if (tag === UNBIND || tag === ABANDON) {
    message.skip();
    return { op: tag === UNBIND ? 'unbind' : 'abandon' };
  }
  switch (tag) {
    case 0x60:
      return message.inside(tag, (bind) => {
        const version = bind.whole();
        const dn = bind.text();
        return { op: 'bind', version, dn, password: bind.next() === 0x80 ? bind.text(0x80) : undefined };
      });
    case 0x63:
      return message.inside(tag, readSearch);
    case 0x6e:
      return message.inside(tag, (compared) => {
        const dn = compared.text();
        return compared.inside(SEQUENCE, (pair) => ({
          op: 'compare',
          dn,
          attribute: attributeName(pair.text()),
          value: pair.text(),
        }));
      });
    case 0x77:
      return message.inside(tag, (extended) => ({ op: 'extended', name: extended.text(0x80) }));
  }
  const answeredBy = ANSWERED_BY[tag];
  if (answeredBy === undefined) throw new Malformed('The operation is not known.');
  message.skip();
  return { op: 'other', answeredBy };
}

function readSearch(search: StrictReader): { op: 'search' } & SearchWish {
  const base = search.text();
  const scope = search.enumerated();
  // Aliases: there are none.
  search.enumerated();
  const sizeLimit = search.whole();
  // A search takes no time worth limiting.
  search.whole();
  const typesOnly = search.flag();
  const filter = readFilter(search);
  const attributes = search.inside(SEQUENCE, (names) => {
    const all: string[] = [];
    while (names.next() !== undefined) all.push(names.text().toLowerCase());
    return all;
  });
  return { op: 'search', base, scope, sizeLimit, typesOnly, filter, attributes };
}

interface Controls {
  /** Whether a critical control is unknown, or not for this operation. */
  hasUnknownControl: boolean;
  page: Page | undefined;
}

/** RFC 4511 §4.1.11. */
function readControls(message: StrictReader, op: LdapRequest['op']): Controls {
  const found: Controls = { hasUnknownControl: false, page: undefined };
  if (message.next() !== CONTROLS) return found;
  message.inside(CONTROLS, (controls) => {
    while (controls.next() !== undefined) {
      controls.inside(SEQUENCE, (control) => {
        const type = control.text();
        const isCritical = control.next() === BOOLEAN && control.flag();
        if (type === PAGED_RESULTS && op === 'search') found.page = control.inside(OCTET_STRING, readPage);
        else if (isCritical) found.hasUnknownControl = true;
      });
    }
  });
  return found;
}

function readPage(value: StrictReader): Page {
  return value.inside(SEQUENCE, (page) => {
    const size = page.whole();
    if (size < 0) throw new Malformed('The size of a page must not be negative.');
    return { size, cookie: page.text() };
  });
}

export interface LdapResult {
  code: number;
  message?: string | undefined;
}

/** @param id that of the request; 0 for a notice that nobody asked for */
export function writeResult(
  id: number,
  tag: number,
  result: LdapResult,
  extension: { name?: string; value?: string } = {},
): Buffer {
  return written(id, tag, (writer) => writeOutcome(writer, result, extension));
}

function writeOutcome(
  writer: BerWriter,
  { code, message = '' }: LdapResult,
  { name, value }: { name?: string; value?: string } = {},
): void {
  writer.writeEnumeration(code);
  writer.writeString('');
  writer.writeString(message);
  if (name !== undefined) writer.writeString(name, 0x8a);
  if (value !== undefined) writer.writeString(value, 0x8b);
}

/** The end of a search. @param cookie with which the next page is asked for, '' after the last; undefined without pages */
export function writeSearchDone(id: number, result: LdapResult, cookie: string | undefined): Buffer {
  const page = new BerWriter();
  page.startSequence();
  // The total number of entries: 0 for unknown (RFC 2696 §2).
  page.writeInt(0);
  page.writeString(cookie ?? '');
  page.endSequence();
  return written(
    id,
    SEARCH_DONE,
    (writer) => writeOutcome(writer, result),
    (writer) => {
      if (cookie === undefined) return;
      writer.startSequence(CONTROLS);
      writer.startSequence();
      writer.writeString(PAGED_RESULTS);
      writer.writeBuffer(page.buffer, OCTET_STRING);
      writer.endSequence();
      writer.endSequence();
    },
  );
}

/** RFC 4511 §4.4.1: said before the connection is closed. */
export const disconnection = (result: LdapResult): Buffer =>
  writeResult(0, EXTENDED_RESPONSE, result, { name: '1.3.6.1.4.1.1466.20036' });

export interface LdapEntry {
  dn: string;
  attributes: Readonly<Partial<Record<LdapAttribute, readonly string[]>>>;
}

export function writeEntry(id: number, { dn, attributes }: LdapEntry): Buffer {
  return written(id, SEARCH_ENTRY, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [name, values] of Object.entries(attributes)) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(SET);
      for (const value of values) writer.writeString(value);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });
}

function written(
  id: number,
  tag: number,
  write: (writer: BerWriter) => void,
  writeControls: (writer: BerWriter) => void = () => {},
): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  writeControls(writer);
  writer.endSequence();
  return writer.buffer;
}
