/** Every attribute of an entry, by its usual spelling: a filter that names another is neither met nor not met. */
const ATTRIBUTES = [
  'objectClass',
  'cn',
  'description',
  'displayName',
  'employeeNumber',
  'gidNumber',
  'givenName',
  'homeDirectory',
  'mail',
  'member',
  'memberOf',
  'mobile',
  'ou',
  'sn',
  'uid',
  'uidNumber',
  'uniqueIdentifier',
  'supportedControl',
  'supportedExtension',
  'supportedFeatures',
  'supportedLDAPVersion',
  'vendorName',
] as const;

export type LdapAttribute = (typeof ATTRIBUTES)[number];

const KNOWN: ReadonlySet<string> = new Set(ATTRIBUTES.map((name) => name.toLowerCase()));

/** @param name in small letters */
export const isKnown = (name: string): boolean => KNOWN.has(name);
