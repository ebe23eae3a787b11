import { isUtf8 } from 'node:buffer';
import { applicationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { usualName } from './attributes.ts';
import { strictReader } from './ber.ts';
import { type LdapResult, RESULT, TYPE } from './message.ts';

/** A relative distinguished name: its attribute's usual name in lower case, and its unescaped value. */
export interface Rdn {
  attribute: string;
  value: string;
}

/** Characters that can follow a backslash (RFC 4514 §3). */
const ESCAPED = String.raw`\\(?:[ "#+,;<=>\\]|[0-9a-f]{2})`;

/**
 * Matches an attribute with its value and the delimiter after it: the syntax of RFC 4514 §3, plus the quotes,
 * semicolons and `oid.` prefix of RFC 2253 §4. `(?! )` prevents backtracking over the spaces before a value.
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

/** Maximum number of attributes in a name. Names in this directory have at most four. */
const PARTS_MAX = 20;

/**
 * Returns a distinguished name's RDNs (RFC 4514), innermost first, or undefined if the name is invalid or too deep. A
 * multi-valued RDN, which no entry here has, becomes a single RDN that joins its attribute names and values.
 */
export function readName(dn: string): Rdn[] | undefined {
  const parts: Rdn[] = [];
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

/** Returned for an invalid name. The usual cause is an unescaped `+` in an email address. */
export const INVALID_NAME: LdapResult = {
  code: RESULT.invalidDnSyntax,
  message:
    'This is not a valid distinguished name. Inside a value, escape the characters , + ; < > " \\ with a backslash.',
};

/**
 * Returns a name as a comparison key, outermost RDN first, so that a descendant's key starts with the key of its
 * ancestor.
 */
export const comparisonKeyOf = (parts: readonly Rdn[]): string =>
  parts
    .toReversed()
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(withoutSpaces(value).toLowerCase())}`)
    .join(',');

/** Trims spaces, except an escaped trailing space. */
function trimmed(value: string): string {
  const inner = value.trim();
  return /(?<!\\)(?:\\\\)*\\$/.test(inner) ? `${inner} ` : inner;
}

/** Unescapes a value. Returns undefined if its bytes are not UTF-8. */
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

/** Returns the text of a BER octet string or UTF-8 string, or undefined for any other type. */
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

/** Escapes a value for use in a distinguished name (RFC 4514 §2.4). */
export const escapeDnValue = (value: string): string =>
  value
    .replace(/[\\,+"<>;=]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\20');

/** Collapses insignificant spaces in a value (RFC 4518 §2.6.1). */
const withoutSpaces = (value: string): string => value.split(/\s+/).filter(Boolean).join(' ');

/** Returns a distinguished name in a canonical form that preserves case, or undefined if the name is invalid. */
export const canonicalDn = (dn: string): string | undefined =>
  readName(dn)
    ?.map(({ attribute, value }) => `${attribute}=${escapeDnValue(withoutSpaces(value))}`)
    .join(',');

/** A name's position in an application's tree. */
export interface LocatedName {
  application: applicationRepo.ApplicationRow;
  /** RDNs below the application's base, innermost first. Empty for the base itself. */
  inner: Rdn[];
}

/** Finds the application whose tree contains a name. Returns undefined if no application's tree does. */
export function locate({ db }: Pick<Deps, 'db'>, parts: readonly Rdn[]): LocatedName | undefined {
  const [unit, organisation] = parts.slice(-2);
  if (unit?.attribute !== 'ou' || organisation?.attribute !== 'o') return undefined;
  const find = (appId: string) => applicationRepo.findApplication(db, organisation.value.toLowerCase(), appId);
  // The portal generates IDs in lower case, but a world can contain other IDs.
  const application = find(unit.value) ?? find(unit.value.toLowerCase());
  if (application?.integrationType !== 'ldap') return undefined;
  return { application, inner: parts.slice(0, -2) };
}
