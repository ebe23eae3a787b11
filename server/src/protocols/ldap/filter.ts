import { usualName } from './attributes.ts';
import { Malformed, type StrictReader } from './ber.ts';

/** A search filter (RFC 4511 §4.5.1.7). Attributes have their usual names. */
export type LdapFilter =
  | { op: 'and' | 'or'; filters: LdapFilter[] }
  | { op: 'not'; filter: LdapFilter }
  | { op: 'present'; attribute: string }
  | { op: 'eq' | 'ge' | 'le'; attribute: string; value: string }
  | { op: 'substrings'; attribute: string; initial: string; any: string[]; final: string }
  /** An extensible match with an unsupported rule. */
  | { op: 'unknown' };

const TAG = {
  and: 0xa0,
  or: 0xa1,
  not: 0xa2,
  equal: 0xa3,
  substrings: 0xa4,
  ge: 0xa5,
  le: 0xa6,
  present: 0x87,
} as const;
const APPROXIMATE = 0xa8;
const EXTENSIBLE = 0xa9;
const SEQUENCE = 0x30;
/** Maximum nesting depth. Real clients nest three or four levels. */
const DEPTH_MAX = 20;
/** Maximum number of conditions. Each middle substring of a substring filter counts as a condition. */
const FILTERS_MAX = 200;

/** Thrown for a filter that is too expensive to evaluate. */
class TooLarge extends Error {}

/**
 * Reads a filter. @returns undefined for a filter that is too large; the reader is then positioned after the filter.
 * @throws Malformed
 */
export function readFilter(reader: StrictReader): LdapFilter | undefined {
  let count = 0;

  function countOne(): void {
    count += 1;
    if (count > FILTERS_MAX) throw new TooLarge();
  }

  function read(from: StrictReader, depth: number): LdapFilter {
    countOne();
    if (depth > DEPTH_MAX) throw new TooLarge();
    const tag = from.next();
    const compared = (op: 'eq' | 'ge' | 'le', at: number): LdapFilter =>
      from.inside(at, (pair) => ({ op, attribute: usualName(pair.text()), value: pair.text() }));
    switch (tag) {
      case TAG.and:
      case TAG.or:
        return from.inside(tag, (set) => {
          const filters: LdapFilter[] = [];
          while (set.next() !== undefined) filters.push(read(set, depth + 1));
          return { op: tag === TAG.and ? 'and' : 'or', filters };
        });
      case TAG.not:
        return from.inside(tag, (one) => ({ op: 'not', filter: read(one, depth + 1) }));
      case TAG.equal:
      case APPROXIMATE:
        return compared('eq', tag);
      case TAG.ge:
        return compared('ge', tag);
      case TAG.le:
        return compared('le', tag);
      case TAG.present:
        return { op: 'present', attribute: usualName(from.text(tag)) };
      case TAG.substrings:
        return from.inside(tag, (one) => readSubstrings(one, countOne));
      case EXTENSIBLE:
        from.skip();
        return { op: 'unknown' };
      default:
        throw new Malformed('The filter is not supported.');
    }
  }

  try {
    return read(reader, 0);
  } catch (reason) {
    if (reason instanceof TooLarge) return undefined;
    throw reason;
  }
}

/** Reads a substring filter. @param onPart called for each middle substring, because each counts as a condition */
function readSubstrings(reader: StrictReader, onPart: () => void): LdapFilter {
  const attribute = usualName(reader.text());
  return reader.inside(SEQUENCE, (parts) => {
    // RFC 4511 §4.5.1.7.2: reject an empty list, which would match every entry.
    if (parts.next() === undefined) throw new Malformed('The substring filter must have at least one part.');
    const found = { initial: '', any: [] as string[], final: '' };
    for (let tag = parts.next(); tag !== undefined; tag = parts.next()) {
      if (tag === 0x80) found.initial = parts.text(tag);
      else if (tag === 0x81) {
        onPart();
        found.any.push(parts.text(tag));
      } else if (tag === 0x82) found.final = parts.text(tag);
      else throw new Malformed('The filter is not supported.');
    }
    return { op: 'substrings', attribute, ...found };
  });
}
