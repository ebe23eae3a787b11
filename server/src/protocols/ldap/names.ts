import { isUtf8 } from 'node:buffer';
import { applicationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { usualName } from './attributes.ts';
import { strictReader } from './ber.ts';
import { type LdapResult, RESULT, TYPE } from './message.ts';

/** One part of a distinguished name: the usual name of the attribute in lower case, the value unescaped. */
export interface NamePart {
  attribute: string;
  value: string;
}

/** What may follow a backslash (RFC 4514 §3). */
const ESCAPED = String.raw`\\(?:[ "#+,;<=>\\]|[0-9a-f]{2})`;

/**
 * One attribute and its value with what ends it, as in RFC 4514 §3; and as in RFC 2253 §4, with quotes, semicolons and
 * `oid.`. `(?! )` keeps the spaces before a value from being tried in every other way.
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

/** Attributes of a name; those of this directory have at most four. */
const PARTS_MAX = 20;

/**
 * The parts of a distinguished name, the innermost first (RFC 4514); undefined for anything else, or a name too deep. A part of several
 * attributes, which no name here has, becomes one part with all their names and values.
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

/** The answer to what is not a name. Most often somebody has forgotten to escape the `+` of an email address. */
export const INVALID_NAME: LdapResult = {
  code: RESULT.invalidDnSyntax,
  message: 'This is not a distinguished name. In a value, the characters , + ; < > " \\ need a backslash before them.',
};

/** A name to compare: the outermost part first, so that what is below begins with it. */
export const keyOf = (parts: readonly NamePart[]): string =>
  parts
    .toReversed()
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(withoutSpaces(value).toLowerCase())}`)
    .join(',');

/** Without the spaces around it: the last one stays where it is escaped. */
function trimmed(value: string): string {
  const inner = value.trim();
  return /(?<!\\)(?:\\\\)*\\$/.test(inner) ? `${inner} ` : inner;
}

/** Undefined for bytes that are not UTF-8. */
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

/** The text of a value in BER: an octet string or a UTF-8 string; undefined for any other. */
function textOf(ber: Buffer): string | undefined {
  const reader = strictReader(ber);
  try {
    const bytes = reader.contents(reader.next() === UTF8_STRING ? UTF8_STRING : TYPE.octetString);
    return reader.next() === undefined && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  } catch {
    // The library throws errors of its own for another tag, and for lengths that cannot be.
    return undefined;
  }
}

/** A value as part of a distinguished name (RFC 4514 §2.4). */
export const escaped = (value: string): string =>
  value
    .replace(/[\\,+"<>;=]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\20');

/** A value with one space between its words: others are insignificant (RFC 4518 §2.6.1). */
const withoutSpaces = (value: string): string => value.split(/\s+/).filter(Boolean).join(' ');

/** A distinguished name to compare with others, apart from its case; undefined for anything else. */
export const canonical = (dn: string): string | undefined =>
  readName(dn)
    ?.map(({ attribute, value }) => `${attribute}=${escaped(withoutSpaces(value))}`)
    .join(',');

/** Where in the tree of an application a name is. */
export interface Located {
  application: applicationRepo.ApplicationRow;
  /** The parts above which the application's base is, the innermost first; none: the base itself. */
  inner: NamePart[];
}

/** The application in whose tree a name is; undefined where there is none. */
export function locate({ db }: Pick<Deps, 'db'>, parts: readonly NamePart[]): Located | undefined {
  const [unit, organisation] = parts.slice(-2);
  if (unit?.attribute !== 'ou' || organisation?.attribute !== 'o') return undefined;
  const find = (appId: string) => applicationRepo.findApplication(db, organisation.value.toLowerCase(), appId);
  // Ids that are made here are in lower case; those of a world may not be.
  const application = find(unit.value) ?? find(unit.value.toLowerCase());
  if (application?.integrationType !== 'ldap') return undefined;
  return { application, inner: parts.slice(0, -2) };
}
