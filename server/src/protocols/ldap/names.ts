import { isUtf8 } from 'node:buffer';
import { applicationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { usualName } from './attributes.ts';
import { strictReader } from './ber.ts';
import { type LdapResult, RESULT, TYPE } from './message.ts';

/** An RDN attribute: its usual name in lower case and its unescaped value. */
export interface NamePart {
  attribute: string;
  value: string;
}

/** Characters that can follow a backslash (RFC 4514 §3). */
const ESCAPED = String.raw`\\(?:[ "#+,;<=>\\]|[0-9a-f]{2})`;

/**
 * Matches an attribute and its value with the delimiter, as in RFC 4514 §3, and with the quotes, semicolons and `oid.`
 * of RFC 2253 §4. `(?! )` prevents backtracking over the spaces before a value.
 */
const PART = new RegExp(
  [
    String.raw` *(?<attribute>[a-z][\w-]*|(?:oid\.)?\d+(?:\.\d+)+) *= *(?! )`,
    String.raw`(?:"(?<quoted>(?:[^"\\]|${ESCAPED})*)" *(?! )|#(?<hex>(?:[0-9a-f]{2})+) *(?! )`,
    String.raw`|(?<plain>(?!#)(?:[^\0"+,;<>\\]|${ESCAPED})*))`,
    '(?<end>[,;+]|$)',
  ].join(''),
  'iy',
);

/** Maximum number of attributes in a name; those of this directory have at most four. */
const PARTS_MAX = 20;

/**
 * Returns the RDNs of a distinguished name (RFC 4514), the innermost first; undefined if it is invalid or too deep. A
 * multi-valued RDN, which no name here has, becomes one with all its names and values.
 */
export function readName(dn: string): NamePart[] | undefined {
  const parts: NamePart[] = [];
  if (dn.trim() === '') return parts;
  const reading = new RegExp(PART);
  let count = 0;
  for (let before = ','; before !== ''; ) {
    count += 1;
    if (count > PARTS_MAX) return undefined;
    const { attribute, quoted, hex, plain, end } = reading.exec(dn)?.groups ?? {};
    const value = hex === undefined ? unescaped(quoted ?? trimmed(plain ?? '')) : textOf(Buffer.from(hex, 'hex'));
    if (attribute === undefined || !value) return undefined;
    const part = { attribute: usualName(attribute.replace(/^oid\./i, '')), value };
    const first = before === '+' ? parts.pop() : undefined;
    parts.push(first ? { attribute: `${first.attribute}+${part.attribute}`, value: `${first.value}+${value}` } : part);
    before = end ?? '';
  }
  return parts;
}

/** The result for an invalid name. The usual cause is an unescaped `+` in an email address. */
export const INVALID_NAME: LdapResult = {
  code: RESULT.invalidDnSyntax,
  message: 'This is not a distinguished name. In a value, the characters , + ; < > " \\ need a backslash before them.',
};

/** Returns a name for comparisons, outermost RDN first, so that descendants share its prefix. */
export const keyOf = (parts: readonly NamePart[]): string =>
  parts
    .toReversed()
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(withoutSpaces(value).toLowerCase())}`)
    .join(',');

/** Trims spaces, except an escaped one at the end. */
function trimmed(value: string): string {
  const inner = value.trim();
  return /(?<!\\)(?:\\\\)*\\$/.test(inner) ? `${inner} ` : inner;
}

/** Returns undefined for bytes that are not UTF-8. */
function unescaped(value: string): string | undefined {
  let isText = true;
  const text = value.replace(/((?:\\[0-9a-f]{2})+)|\\(.)/gi, (_, pairs: string | undefined, char: string) => {
    if (pairs === undefined) return char;
    const bytes = Buffer.from(pairs.replaceAll('\\', ''), 'hex');
    isText &&= isUtf8(bytes);
    return bytes.toString('utf8');
  });
  return isText ? text : undefined;
}

const UTF8_STRING = 0x0c;

/** Returns the text of a BER octet string or UTF-8 string; undefined for any other value. */
function textOf(ber: Buffer): string | undefined {
  const reader = strictReader(ber);
  try {
    const bytes = reader.contents(reader.next() === UTF8_STRING ? UTF8_STRING : TYPE.octetString);
    return reader.next() === undefined && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  } catch {
    // The library throws its own errors for other tags and impossible lengths.
    return undefined;
  }
}

/** Escapes a value for a distinguished name (RFC 4514 §2.4). */
export const escaped = (value: string): string =>
  value
    .replace(/[\\,+"<>;=]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\20');

/** Collapses the insignificant spaces of a value (RFC 4518 §2.6.1). */
const withoutSpaces = (value: string): string => value.split(/\s+/).filter(Boolean).join(' ');

/** Returns a distinguished name in a comparable form, except for its case; undefined if it is invalid. */
export const canonical = (dn: string): string | undefined =>
  readName(dn)
    ?.map(({ attribute, value }) => `${attribute}=${escaped(withoutSpaces(value))}`)
    .join(',');

/** The position of a name in the tree of an application. */
export interface Located {
  application: applicationRepo.ApplicationRow;
  /** RDNs below the application's base, innermost first; empty for the base itself. */
  inner: NamePart[];
}

/** Finds the application whose tree contains a name; undefined if there is none. */
export function locate({ db }: Pick<Deps, 'db'>, parts: readonly NamePart[]): Located | undefined {
  const [unit, organisation] = parts.slice(-2);
  if (unit?.attribute !== 'ou' || organisation?.attribute !== 'o') return undefined;
  const find = (appId: string) => applicationRepo.findApplication(db, organisation.value.toLowerCase(), appId);
  // Ids generated here are in lower case; those of a world may not be.
  const application = find(unit.value) ?? find(unit.value.toLowerCase());
  if (application?.integrationType !== 'ldap') return undefined;
  return { application, inner: parts.slice(0, -2) };
}
