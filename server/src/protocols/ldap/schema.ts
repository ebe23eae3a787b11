import { ATTRIBUTE_TYPES, type MatchingRule } from './attributes.ts';
import type { LdapEntry } from './message.ts';

/** DN of the schema entry. */
export const SCHEMA_DN = 'cn=Subschema';

const SYNTAX = '1.3.6.1.4.1.1466.115.121.1';

/** Syntaxes with their descriptions (RFC 4517 §3.3, RFC 4530 §2.1). */
const SYNTAXES: Readonly<Record<string, string>> = {
  [`${SYNTAX}.3`]: 'Attribute Type Description',
  [`${SYNTAX}.12`]: 'DN',
  [`${SYNTAX}.15`]: 'Directory String',
  [`${SYNTAX}.16`]: 'DIT Content Rule Description',
  [`${SYNTAX}.24`]: 'Generalized Time',
  [`${SYNTAX}.27`]: 'INTEGER',
  [`${SYNTAX}.30`]: 'Matching Rule Description',
  [`${SYNTAX}.37`]: 'Object Class Description',
  [`${SYNTAX}.38`]: 'OID',
  [`${SYNTAX}.50`]: 'Telephone Number',
  [`${SYNTAX}.54`]: 'LDAP Syntax Description',
  [`${SYNTAX}.58`]: 'Substring Assertion',
  '1.3.6.1.1.16.1': 'UUID',
};

/** Name, OID and syntax of each matching rule (RFC 4517 §4.2, RFC 4530 §2.2). */
const MATCHING_RULES: readonly [name: string, oid: string, syntax: string][] = [
  ['objectIdentifierMatch', '2.5.13.0', `${SYNTAX}.38`],
  ['distinguishedNameMatch', '2.5.13.1', `${SYNTAX}.12`],
  ['caseIgnoreMatch', '2.5.13.2', `${SYNTAX}.15`],
  ['caseIgnoreSubstringsMatch', '2.5.13.4', `${SYNTAX}.58`],
  ['integerMatch', '2.5.13.14', `${SYNTAX}.27`],
  ['integerOrderingMatch', '2.5.13.15', `${SYNTAX}.27`],
  ['telephoneNumberMatch', '2.5.13.20', `${SYNTAX}.50`],
  ['telephoneNumberSubstringsMatch', '2.5.13.21', `${SYNTAX}.58`],
  ['generalizedTimeMatch', '2.5.13.27', `${SYNTAX}.24`],
  ['generalizedTimeOrderingMatch', '2.5.13.28', `${SYNTAX}.24`],
  ['objectIdentifierFirstComponentMatch', '2.5.13.30', `${SYNTAX}.38`],
  ['UUIDMatch', '1.3.6.1.1.16.2', '1.3.6.1.1.16.1'],
  ['UUIDOrderingMatch', '1.3.6.1.1.16.3', '1.3.6.1.1.16.1'],
];

/** Matching-rule clauses for attribute type definitions. */
const RULE: Readonly<Record<Exclude<MatchingRule, 'definition'>, string>> = {
  text: `EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch SYNTAX ${SYNTAX}.15`,
  telephone: `EQUALITY telephoneNumberMatch SUBSTR telephoneNumberSubstringsMatch SYNTAX ${SYNTAX}.50`,
  identifier: `EQUALITY objectIdentifierMatch SYNTAX ${SYNTAX}.38`,
  integer: `EQUALITY integerMatch ORDERING integerOrderingMatch SYNTAX ${SYNTAX}.27`,
  name: `EQUALITY distinguishedNameMatch SYNTAX ${SYNTAX}.12`,
  time: `EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch SYNTAX ${SYNTAX}.24`,
  uuid: 'EQUALITY UUIDMatch ORDERING UUIDOrderingMatch SYNTAX 1.3.6.1.1.16.1',
};

const DEFINITION_SYNTAX: Readonly<Record<string, string>> = {
  attributeTypes: `${SYNTAX}.3`,
  dITContentRules: `${SYNTAX}.16`,
  ldapSyntaxes: `${SYNTAX}.54`,
  matchingRules: `${SYNTAX}.30`,
  objectClasses: `${SYNTAX}.37`,
};

/** OID and remaining definition of each class. Definitions mention only attributes that exist here. */
const CLASSES: Readonly<Record<string, readonly [oid: string, definition: string]>> = {
  top: ['2.5.6.0', 'ABSTRACT MUST objectClass'],
  organizationalUnit: ['2.5.6.5', 'SUP top STRUCTURAL MUST ou MAY description'],
  person: ['2.5.6.6', 'SUP top STRUCTURAL MUST ( sn $ cn ) MAY description'],
  organizationalPerson: ['2.5.6.7', 'SUP person STRUCTURAL MAY ou'],
  // Omits MUST member, because a role without members is a group too.
  groupOfNames: ['2.5.6.9', 'SUP top STRUCTURAL MUST cn MAY ( member $ o $ ou $ description )'],
  applicationProcess: ['2.5.6.11', 'SUP top STRUCTURAL MUST cn MAY ( ou $ description )'],
  inetOrgPerson: [
    '2.16.840.1.113730.3.2.2',
    'SUP organizationalPerson STRUCTURAL MAY ( displayName $ employeeNumber $ givenName $ mail $ mobile $ o $ uid )',
  ],
  posixAccount: [
    '1.3.6.1.1.1.2.0',
    'SUP top AUXILIARY MUST ( cn $ uid $ uidNumber $ gidNumber $ homeDirectory ) MAY description',
  ],
  // Auxiliary, as in RFC 2307bis, because every Unix group is also a groupOfNames.
  posixGroup: ['1.3.6.1.1.1.2.2', 'SUP top AUXILIARY MUST ( cn $ gidNumber ) MAY ( memberUid $ description )'],
  subentry: ['2.5.17.0', 'SUP top STRUCTURAL MUST cn'],
  subschema: [
    '2.5.20.1',
    'AUXILIARY MAY ( attributeTypes $ dITContentRules $ ldapSyntaxes $ matchingRules $ objectClasses )',
  ],
};

const CLASS_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(CLASSES).map(([name, [oid]]) => [oid, name.toLowerCase()]),
);

/** Normalises an object class or other identifier to its name in lower case, or to its OID if it has no name. */
export function identifierKey(identifier: string): string {
  const lower = identifier.trim().toLowerCase();
  return CLASS_NAMES.get(lower) ?? lower;
}

function attributeType({ name, oid, aliases = [], rule, isSingle, usage }: (typeof ATTRIBUTE_TYPES)[number]): string {
  const names = [name, ...aliases].map((one) => `'${one}'`);
  const comparison =
    rule === 'definition'
      ? `EQUALITY objectIdentifierFirstComponentMatch SYNTAX ${DEFINITION_SYNTAX[name]}`
      : RULE[rule];
  const flags = [
    ...(isSingle ? ['SINGLE-VALUE'] : []),
    ...(usage || name === 'memberOf' ? ['NO-USER-MODIFICATION'] : []),
    ...(usage ? [`USAGE ${usage === 'root' ? 'dSAOperation' : 'directoryOperation'}`] : []),
  ];
  return `( ${[oid, 'NAME', names.length > 1 ? `( ${names.join(' ')} )` : names[0], comparison, ...flags].join(' ')} )`;
}

/**
 * The subschema shared by all trees (RFC 4512 §4.2). Anyone can read it, because it reveals nothing about an
 * organisation.
 */
export const SUBSCHEMA: LdapEntry = {
  dn: SCHEMA_DN,
  attributes: {
    objectClass: ['top', 'subentry', 'subschema'],
    cn: ['Subschema'],
    subschemaSubentry: [SCHEMA_DN],
    objectClasses: Object.entries(CLASSES).map(([name, [oid, rest]]) => `( ${oid} NAME '${name}' ${rest} )`),
    attributeTypes: ATTRIBUTE_TYPES.map(attributeType),
    matchingRules: MATCHING_RULES.map(([name, oid, syntax]) => `( ${oid} NAME '${name}' SYNTAX ${syntax} )`),
    ldapSyntaxes: Object.entries(SYNTAXES).map(([oid, name]) => `( ${oid} DESC '${name}' )`),
    dITContentRules: [
      `( ${CLASSES.inetOrgPerson?.[0]} NAME 'members' AUX posixAccount MAY ( memberOf $ uniqueIdentifier ) )`,
      `( ${CLASSES.groupOfNames?.[0]} NAME 'groups' AUX posixGroup )`,
      `( ${CLASSES.subentry?.[0]} NAME 'schema' AUX subschema )`,
    ],
  },
};
