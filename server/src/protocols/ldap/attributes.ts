/**
 * How values of an attribute are compared (RFC 4517 §4.2): texts without regard to case and composition, without an
 * order; integers also by their order; distinguished names part by part.
 */
export type MatchingRule = 'text' | 'integer' | 'name';

/** Every attribute of an entry, by its usual spelling: a filter that names another is neither met nor not met. */
const ATTRIBUTES = {
  objectClass: 'text',
  cn: 'text',
  description: 'text',
  displayName: 'text',
  employeeNumber: 'text',
  gidNumber: 'integer',
  givenName: 'text',
  homeDirectory: 'text',
  mail: 'text',
  member: 'name',
  memberOf: 'name',
  memberUid: 'text',
  mobile: 'text',
  ou: 'text',
  sn: 'text',
  uid: 'text',
  uidNumber: 'integer',
  uniqueIdentifier: 'text',
  namingContexts: 'name',
  supportedControl: 'text',
  supportedExtension: 'text',
  supportedFeatures: 'text',
  supportedLDAPVersion: 'integer',
  vendorName: 'text',
} as const satisfies Record<string, MatchingRule>;

export type LdapAttribute = keyof typeof ATTRIBUTES;

const RULES: ReadonlyMap<string, MatchingRule> = new Map(
  Object.entries(ATTRIBUTES).map(([name, rule]) => [name.toLowerCase(), rule]),
);

/** @param name in lower case. @returns undefined for an attribute that no entry has */
export const ruleOf = (name: string): MatchingRule | undefined => RULES.get(name);

/** The numbers of attributes, and their names beside the usual one (RFC 2307, RFC 2798, RFC 4519, RFC 4524). */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.0', 'objectclass'],
  ['2.5.4.3', 'cn'],
  ['commonname', 'cn'],
  ['2.5.4.4', 'sn'],
  ['surname', 'sn'],
  ['2.5.4.10', 'o'],
  ['organizationname', 'o'],
  ['2.5.4.11', 'ou'],
  ['organizationalunitname', 'ou'],
  ['2.5.4.13', 'description'],
  ['2.5.4.31', 'member'],
  ['2.5.4.42', 'givenname'],
  ['gn', 'givenname'],
  ['0.9.2342.19200300.100.1.1', 'uid'],
  ['userid', 'uid'],
  ['0.9.2342.19200300.100.1.3', 'mail'],
  ['rfc822mailbox', 'mail'],
  ['0.9.2342.19200300.100.1.41', 'mobile'],
  ['mobiletelephonenumber', 'mobile'],
  ['2.16.840.1.113730.3.1.3', 'employeenumber'],
  ['2.16.840.1.113730.3.1.241', 'displayname'],
  ['1.3.6.1.1.1.1.0', 'uidnumber'],
  ['1.3.6.1.1.1.1.1', 'gidnumber'],
  ['1.3.6.1.1.1.1.3', 'homedirectory'],
  ['1.3.6.1.1.1.1.12', 'memberuid'],
]);

/** The usual name of an attribute, in lower case, by any of its names or its number (RFC 4512 §2.5). */
export function usualName(name: string): string {
  const lower = name.toLowerCase();
  return OTHER_NAMES.get(lower) ?? lower;
}
