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
