/**
 * How attribute values are compared (RFC 4517 §4.2). Text is compared ignoring case, composition and insignificant
 * spaces, and has no order. Integers and times also support ordering. Distinguished names are compared RDN by RDN.
 */
export type MatchingRule = 'text' | 'telephone' | 'identifier' | 'integer' | 'name' | 'time' | 'uuid' | 'definition';

interface AttributeType {
  /** Object identifier. */
  oid: string;
  /** Alternative names (RFC 4519). */
  aliases?: readonly string[];
  rule: MatchingRule;
  isSingle?: boolean;
  /**
   * Set for operational attributes, which are returned only on request (RFC 4512 §3.4). `root` attributes describe
   * the server rather than an entry.
   */
  usage?: 'entry' | 'root';
}

/**
 * All entry attributes by their usual spelling, from RFC 2307, RFC 2798, RFC 4512, RFC 4519, RFC 4524 and RFC 4530. A
 * filter on any other attribute is undefined.
 */
const ATTRIBUTES = {
  objectClass: { oid: '2.5.4.0', rule: 'identifier' },
  cn: { oid: '2.5.4.3', aliases: ['commonName'], rule: 'text' },
  description: { oid: '2.5.4.13', rule: 'text' },
  displayName: { oid: '2.16.840.1.113730.3.1.241', rule: 'text', isSingle: true },
  employeeNumber: { oid: '2.16.840.1.113730.3.1.3', rule: 'text', isSingle: true },
  gidNumber: { oid: '1.3.6.1.1.1.1.1', rule: 'integer', isSingle: true },
  givenName: { oid: '2.5.4.42', aliases: ['gn'], rule: 'text' },
  homeDirectory: { oid: '1.3.6.1.1.1.1.3', rule: 'text', isSingle: true },
  mail: { oid: '0.9.2342.19200300.100.1.3', aliases: ['rfc822Mailbox'], rule: 'text' },
  member: { oid: '2.5.4.31', rule: 'name' },
  memberOf: { oid: '1.2.840.113556.1.2.102', rule: 'name' },
  memberUid: { oid: '1.3.6.1.1.1.1.12', rule: 'text' },
  mobile: { oid: '0.9.2342.19200300.100.1.41', aliases: ['mobileTelephoneNumber'], rule: 'telephone' },
  o: { oid: '2.5.4.10', aliases: ['organizationName'], rule: 'text' },
  ou: { oid: '2.5.4.11', aliases: ['organizationalUnitName'], rule: 'text' },
  sn: { oid: '2.5.4.4', aliases: ['surname'], rule: 'text' },
  uid: { oid: '0.9.2342.19200300.100.1.1', aliases: ['userid'], rule: 'text' },
  uidNumber: { oid: '1.3.6.1.1.1.1.0', rule: 'integer', isSingle: true },
  uniqueIdentifier: { oid: '0.9.2342.19200300.100.1.44', rule: 'text' },
  createTimestamp: { oid: '2.5.18.1', rule: 'time', isSingle: true, usage: 'entry' },
  modifyTimestamp: { oid: '2.5.18.2', rule: 'time', isSingle: true, usage: 'entry' },
  entryUUID: { oid: '1.3.6.1.1.16.4', rule: 'uuid', isSingle: true, usage: 'entry' },
  subschemaSubentry: { oid: '2.5.18.10', rule: 'name', isSingle: true, usage: 'entry' },
  attributeTypes: { oid: '2.5.21.5', rule: 'definition', usage: 'entry' },
  dITContentRules: { oid: '2.5.21.2', rule: 'definition', usage: 'entry' },
  ldapSyntaxes: { oid: '1.3.6.1.4.1.1466.101.120.16', rule: 'definition', usage: 'entry' },
  matchingRules: { oid: '2.5.21.4', rule: 'definition', usage: 'entry' },
  objectClasses: { oid: '2.5.21.6', rule: 'definition', usage: 'entry' },
  namingContexts: { oid: '1.3.6.1.4.1.1466.101.120.5', rule: 'name', usage: 'root' },
  supportedControl: { oid: '1.3.6.1.4.1.1466.101.120.13', rule: 'identifier', usage: 'root' },
  supportedExtension: { oid: '1.3.6.1.4.1.1466.101.120.7', rule: 'identifier', usage: 'root' },
  supportedFeatures: { oid: '1.3.6.1.4.1.4203.1.3.5', rule: 'identifier', usage: 'root' },
  supportedLDAPVersion: { oid: '1.3.6.1.4.1.1466.101.120.15', rule: 'integer', usage: 'root' },
  vendorName: { oid: '1.3.6.1.1.4', rule: 'text', isSingle: true, usage: 'root' },
} as const satisfies Record<string, AttributeType>;

export type LdapAttribute = keyof typeof ATTRIBUTES;

/** All attribute types, with their names in the usual spelling. */
export const ATTRIBUTE_TYPES: readonly (AttributeType & { name: string })[] = Object.entries(ATTRIBUTES).map(
  ([name, type]) => ({ name, ...type }),
);

const TYPES: ReadonlyMap<string, AttributeType> = new Map(
  ATTRIBUTE_TYPES.map((type) => [type.name.toLowerCase(), type]),
);

/** Returns an attribute's matching rule. @param name in lower case. @returns undefined if no entry has the attribute */
export const matchingRuleOf = (name: string): MatchingRule | undefined => TYPES.get(name)?.rule;

/** Returns true if the attribute is returned only on request. @param name in lower case */
export const isOperational = (name: string): boolean => TYPES.get(name)?.usage !== undefined;

/** Maps alternative names and OIDs to usual names, all in lower case. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  ATTRIBUTE_TYPES.flatMap(({ name, oid, aliases = [] }) =>
    [oid, ...aliases].map((other) => [other.toLowerCase(), name.toLowerCase()] as const),
  ),
);

/**
 * Returns an attribute's usual name in lower case, given any of its names or its OID (RFC 4512 §2.5). A name with an
 * option, such as `cn;lang-de`, is a different attribute, which no entry has.
 */
export function usualName(name: string): string {
  const lower = name.toLowerCase();
  return OTHER_NAMES.get(lower) ?? lower;
}
