import { usualName } from './attributes.ts';
import { Malformed, type StrictReader, strictReader } from './ber.ts';
import { readFilter } from './filter.ts';
import {
  type Controls,
  type LdapRequest,
  type LdapResult,
  PAGED_RESULTS,
  type Page,
  RESULT,
  type SearchRequest,
  TAG,
  TYPE,
} from './message.ts';

/** Maps the tags of write requests to their response tags. */
const ANSWERED_BY: Readonly<Record<number, number>> = {
  [TAG.modifyRequest]: TAG.modifyResponse,
  [TAG.addRequest]: TAG.addResponse,
  [TAG.delRequest]: TAG.delResponse,
  [TAG.modDnRequest]: TAG.modDnResponse,
};

/** Parses a request. @param bytes one complete message. @throws Malformed */
export function readRequest(bytes: Buffer): LdapRequest {
  try {
    return strictReader(bytes).inside(TYPE.sequence, (message) => {
      const id = message.whole();
      // RFC 4511 §4.1.1.1: 0 is reserved for unsolicited notifications.
      if (id < 1) throw new Malformed('The message ID must be positive.');
      const { refused, ...request } = readOperation(message);
      const controls = readControls(message, request.op);
      return { id, ...request, ...controls, refused: refused ?? controls.refused };
    });
  } catch (reason) {
    // The library's errors have no common class, so treat every other error as a malformed message.
    throw reason instanceof Malformed ? reason : new Malformed('The message is malformed.', { cause: reason });
  }
}

type Operation<R> = R extends unknown ? Omit<R, 'id' | keyof Controls> & { refused?: LdapResult } : never;

function readOperation(message: StrictReader): Operation<LdapRequest> {
  const tag = message.next();
  if (tag === undefined) throw new Malformed('The message is empty.');
  if (tag === TAG.unbindRequest || tag === TAG.abandonRequest) {
    message.skip();
    return { op: tag === TAG.unbindRequest ? 'unbind' : 'abandon' };
  }
  switch (tag) {
    case TAG.bindRequest:
      return message.inside(tag, (bind) => {
        const version = bind.whole();
        const dn = bind.text();
        return { op: 'bind', version, dn, password: bind.next() === 0x80 ? bind.text(0x80) : undefined };
      });
    case TAG.searchRequest:
      return message.inside(tag, readSearch);
    case TAG.compareRequest:
      return message.inside(tag, (compared) => {
        const dn = compared.text();
        return compared.inside(TYPE.sequence, (pair) => ({
          op: 'compare',
          dn,
          attribute: usualName(pair.text()),
          value: pair.text(),
        }));
      });
    case TAG.extendedRequest:
      return message.inside(tag, (extended) => ({ op: 'extended', name: extended.text(0x80) }));
  }
  const answeredBy = ANSWERED_BY[tag];
  if (answeredBy === undefined) throw new Malformed('The operation is not supported.');
  message.skip();
  return { op: 'other', answeredBy };
}

/** Values of derefAliases (RFC 4511 §4.5.1.3). */
const ALIASES = [0, 1, 2, 3];

function readSearch(search: StrictReader): { op: 'search'; refused?: LdapResult } & SearchRequest {
  const base = search.text();
  const scope = search.enumerated();
  // The directory has no aliases, and searches are too short to need a time limit, so both values are only validated.
  if (!ALIASES.includes(search.enumerated())) throw new Malformed('The derefAliases value is invalid.');
  const [sizeLimit, timeLimit] = [search.whole(), search.whole()];
  if (sizeLimit < 0 || timeLimit < 0) throw new Malformed('Limits cannot be negative.');
  const typesOnly = search.flag();
  const filter = readFilter(search);
  const attributes = search.inside(TYPE.sequence, (names) => {
    const all = new Set<string>();
    while (names.next() !== undefined) all.add(usualName(names.text()));
    return all;
  });
  const request = { op: 'search', base, scope, sizeLimit, typesOnly, attributes } as const;
  return filter ? { ...request, filter } : { ...request, filter: { op: 'unknown' }, refused: TOO_LARGE };
}

const TOO_LARGE: LdapResult = { code: RESULT.adminLimitExceeded, message: 'The filter is too large.' };

/** Reads the controls (RFC 4511 §4.1.11). */
function readControls(message: StrictReader, op: LdapRequest['op']): Controls {
  const found: Controls = { refused: undefined, page: undefined };
  if (message.next() !== TAG.controls) return found;
  message.inside(TAG.controls, (controls) => {
    while (controls.next() !== undefined) {
      controls.inside(TYPE.sequence, (control) => {
        const type = control.text();
        const isCritical = control.next() === TYPE.boolean && control.flag();
        if (type === PAGED_RESULTS && op === 'search') {
          if (found.page) found.refused = { code: RESULT.protocolError, message: 'Controls cannot be repeated.' };
          found.page = control.inside(TYPE.octetString, readPage);
        } else if (isCritical) found.refused ??= { code: RESULT.unavailableCriticalExtension };
      });
    }
  });
  return found;
}

function readPage(value: StrictReader): Page {
  return value.inside(TYPE.sequence, (page) => {
    const size = page.whole();
    if (size < 0) throw new Malformed('The page size cannot be negative.');
    return { size, cookie: page.text() };
  });
}
