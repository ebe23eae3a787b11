import { applicationRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { usualName } from './attributes.ts';

/** One part of a distinguished name: the usual name of the attribute in lower case, the value unescaped. */
export interface NamePart {
  attribute: string;
  value: string;
}

/** A name or a number (RFC 4512 §1.4). */
const ATTRIBUTE = /^(?:[a-z][\w-]*|\d+(?:\.\d+)+)$/i;

/**
 * The parts of a distinguished name, the innermost first (RFC 4514); undefined for what is none. Parts of several
 * attributes and values in hexadecimal occur in no name here, so they are none.
 */
export function readName(dn: string): NamePart[] | undefined {
  const parts: NamePart[] = [];
  if (dn.trim() === '') return parts;
  for (const text of dn.split(/(?<!(?<!\\)(?:\\\\)*\\),/)) {
    const at = text.indexOf('=');
    const attribute = text.slice(0, at).trim();
    const value = trimmed(text.slice(at + 1));
    if (at < 0 || !ATTRIBUTE.test(attribute) || value === '') return undefined;
    parts.push({ attribute: usualName(attribute), value: unescaped(value) });
  }
  return parts;
}

/** A name to compare: the outermost part first, so that what is below begins with it. */
export const keyOf = (parts: readonly NamePart[]): string =>
  parts
    .toReversed()
    .map(({ attribute, value }) => `${attribute}=${JSON.stringify(value.toLowerCase())}`)
    .join(',');

/** Without the spaces around it: the last one stays where it is escaped. */
function trimmed(value: string): string {
  const inner = value.trim();
  return /(?<!\\)(?:\\\\)*\\$/.test(inner) ? `${inner} ` : inner;
}

const unescaped = (value: string): string =>
  value
    .replace(/(?:\\[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'))
    .replace(/\\(.)/gs, '$1');

/** A value as part of a distinguished name (RFC 4514 §2.4). */
export const escaped = (value: string): string =>
  value
    .replace(/[\\,+"<>;=]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\20');

/** A distinguished name as it is written here; undefined for what is none. */
export const canonical = (dn: string): string | undefined =>
  readName(dn)
    ?.map(({ attribute, value }) => `${attribute}=${escaped(value)}`)
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
