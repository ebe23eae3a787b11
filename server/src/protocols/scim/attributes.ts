/**
 * URN of the User schema. The schemas in this file are the supported subset of RFC 7643, in the terms of its §7, and
 * are used by the Schemas endpoint and PATCH.
 */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'integer' | 'decimal' | 'complex' | 'reference' | 'dateTime' | 'binary';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable';
  returned: 'always' | 'default' | 'request';
  uniqueness: 'none' | 'server';
  canonicalValues?: readonly string[];
  /**
   * For registered attributes: accepts only canonical values (which RFC 7643 §7 allows) and performs no type
   * conversion.
   */
  isStrict?: boolean;
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

function attribute(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  };
}

const complex = (name: string, description: string, subAttributes: Attribute[], more: Partial<Attribute> = {}) =>
  attribute(name, description, { type: 'complex', subAttributes, ...more });

const isPrimary = attribute('primary', 'True if this is the primary value', { type: 'boolean' });
const readOnly = { mutability: 'readOnly' } as const;
const refTo = (...referenceTypes: string[]) =>
  attribute('$ref', 'URI of the referenced resource', {
    type: 'reference',
    caseExact: true,
    referenceTypes,
    ...readOnly,
  });

const idOf = (what: string) =>
  attribute('id', `ID of the ${what}`, { caseExact: true, returned: 'always', uniqueness: 'server', ...readOnly });
const externalId = attribute('externalId', 'ID assigned by the directory', { caseExact: true });

const meta = complex(
  'meta',
  'Resource metadata',
  [
    attribute('resourceType', 'Resource type: User or Group', { caseExact: true, ...readOnly }),
    attribute('created', 'Creation time', { type: 'dateTime', ...readOnly }),
    attribute('lastModified', 'Time of the last change', { type: 'dateTime', ...readOnly }),
    attribute('location', 'URI of the resource', {
      type: 'reference',
      caseExact: true,
      referenceTypes: ['uri'],
      ...readOnly,
    }),
    attribute('version', 'Weak entity tag', { caseExact: true, ...readOnly }),
  ],
  readOnly,
);

/** Attributes of every resource that don't appear in any schema document (RFC 7643 §3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', "URNs of the resource's schemas", {
    multiValued: true,
    type: 'reference',
    required: true,
    returned: 'always',
  }),
  idOf('resource'),
  externalId,
  meta,
];

const storedList = (name: string, description: string, value: Partial<Attribute> = {}) =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value', value),
      attribute('display', 'Human-readable value'),
      attribute('type', 'Type, e.g. work'),
      isPrimary,
    ],
    { multiValued: true },
  );

/**
 * User attributes that don't have their own column. They are stored and returned as the directory sends them
 * (decision 120).
 */
export const STORED_ATTRIBUTES: readonly Attribute[] = [
  attribute('nickName', 'Nickname'),
  attribute('profileUrl', "URL of the user's profile page", { type: 'reference', referenceTypes: ['external'] }),
  attribute('title', 'Job title, e.g. Vice President'),
  attribute('userType', 'Type of user, e.g. Contractor'),
  attribute('preferredLanguage', 'Preferred language, e.g. en-US'),
  attribute('locale', 'Locale, e.g. en-US'),
  attribute('timezone', 'Time zone, e.g. Europe/Stockholm'),
  complex(
    'addresses',
    'Postal addresses',
    [
      attribute('formatted', 'Full address, formatted for mailing'),
      attribute('streetAddress', 'Street and number'),
      attribute('locality', 'City'),
      attribute('region', 'State or region'),
      attribute('postalCode', 'Postal code'),
      attribute('country', 'ISO 3166-1 alpha-2'),
      attribute('type', 'Type, e.g. work', { canonicalValues: ['work', 'home', 'other'] }),
      isPrimary,
    ],
    { multiValued: true },
  ),
  storedList('ims', 'Instant messaging addresses'),
  storedList('photos', 'Photo URLs'),
  storedList('entitlements', "The user's entitlements"),
  storedList('x509Certificates', 'Certificates in base64-encoded DER', { type: 'binary', caseExact: true }),
];

/** Sub-attributes of `name` that don't have their own column. */
export const STORED_NAME_PARTS: readonly Attribute[] = [
  attribute('middleName', 'Middle names'),
  attribute('honorificPrefix', 'Honorific prefix, e.g. Ms.'),
  attribute('honorificSuffix', 'Honorific suffix, e.g. III'),
];

/** Attributes of the enterprise extension that don't have their own column. */
export const STORED_ENTERPRISE: readonly Attribute[] = [
  attribute('costCenter', 'Cost centre'),
  attribute('organization', 'Organisation'),
  attribute('division', 'Division'),
  attribute('department', 'Department'),
];

export const USER_ATTRIBUTES: readonly Attribute[] = [
  attribute('userName', 'Unique name in the directory, often the email address', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'Components of the name', [
    attribute('formatted', 'First and last name', readOnly),
    attribute('familyName', 'Last name'),
    attribute('givenName', 'First name'),
    ...STORED_NAME_PARTS,
  ]),
  attribute('displayName', 'Full name, from which missing first and last names are derived'),
  attribute('active', 'True if the user is enabled. Disabling a user ends all their sessions immediately', {
    type: 'boolean',
  }),
  complex(
    'emails',
    'Email addresses. The portal uses the primary address',
    [
      attribute('value', 'Email address', { uniqueness: 'server' }),
      attribute('display', 'Human-readable value'),
      attribute('type', 'Type of address. The primary address always has the type work', {
        canonicalValues: ['work', 'home', 'other'],
      }),
      isPrimary,
    ],
    { multiValued: true },
  ),
  storedList('phoneNumbers', 'Phone numbers in international format. The portal uses the mobile number'),
  complex(
    'roles',
    "The user's only role",
    [attribute('value', 'Role code or name'), attribute('display', 'Role name', readOnly), isPrimary],
    { multiValued: true },
  ),
  complex(
    'groups',
    "The user's role and groups",
    [
      attribute('value', 'Group ID', { caseExact: true, ...readOnly }),
      refTo('Group'),
      attribute('display', 'Group name', readOnly),
      attribute('type', 'Always direct', { canonicalValues: ['direct'], ...readOnly }),
    ],
    { multiValued: true, ...readOnly },
  ),
  ...STORED_ATTRIBUTES,
];

export const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  attribute('employeeNumber', "The organisation's primary attribute", { uniqueness: 'server' }),
  complex('manager', "The user's manager", [attribute('value', 'Manager ID', { caseExact: true }), refTo('User')]),
  ...STORED_ENTERPRISE,
];

export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute('displayName', 'Name of the group or role. Read-only for roles', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'Members of the group or role. Omitted if there are more than 10,000',
    [
      attribute('value', 'User ID', { caseExact: true, mutability: 'immutable' }),
      refTo('User'),
      attribute('display', 'User name', readOnly),
      attribute('type', 'Always User', { canonicalValues: ['User'], mutability: 'immutable' }),
    ],
    { multiValued: true },
  ),
];

/** Attributes that are accepted but never stored, in lower case. Users have no password, but directories send one. */
export const IGNORED_ATTRIBUTES: ReadonlySet<string> = new Set(['password']);

/** Finds an attribute by name, ignoring case. */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((known) => known.name.toLowerCase() === name.toLowerCase());

/**
 * Returns the lower-case paths of case-sensitive attributes, including the path of a list if its values are
 * case-sensitive.
 */
export function exactPathsOf(attributes: readonly Attribute[], within = ''): Set<string> {
  return new Set(
    attributes.flatMap(({ name, caseExact, subAttributes = [] }) => {
      const path = `${within}${name.toLowerCase()}`;
      const parts = [...exactPathsOf(subAttributes, `${path}.`)];
      return caseExact || parts.includes(`${path}.value`) ? [path, ...parts] : parts;
    }),
  );
}

const spellings = new Map<string, string>();
function spell(attributes: readonly Attribute[]): void {
  for (const { name, subAttributes = [] } of attributes) {
    spellings.set(name.toLowerCase(), name);
    spell(subAttributes);
  }
}
for (const attributes of [COMMON_ATTRIBUTES, USER_ATTRIBUTES, ENTERPRISE_ATTRIBUTES, GROUP_ATTRIBUTES]) {
  spell(attributes);
}
for (const urn of [USER_SCHEMA, ENTERPRISE_SCHEMA, GROUP_SCHEMA]) spellings.set(urn.toLowerCase(), urn);

/** Returns an attribute name in the spelling of the schemas, because names are case-insensitive (RFC 7643 §2.1). */
export const canonicalName = (name: string): string => spellings.get(name.toLowerCase()) ?? name;
