/** The supported parts of RFC 7643's schemas, in the terms of its §7, for the Schemas endpoint and PATCH. */
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
   * For registered attributes: accepts only canonical values (RFC 7643 §7 allows that), and converts no other types.
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

const isPrimary = attribute('primary', 'True for the primary value', { type: 'boolean' });
const readOnly = { mutability: 'readOnly' } as const;
const refTo = (...referenceTypes: string[]) =>
  attribute('$ref', 'Its address', { type: 'reference', caseExact: true, referenceTypes, ...readOnly });

const idOf = (what: string) =>
  attribute('id', `Id of the ${what}`, { caseExact: true, returned: 'always', uniqueness: 'server', ...readOnly });
const externalId = attribute('externalId', 'Id assigned by the directory', { caseExact: true });

const meta = complex(
  'meta',
  'About the resource',
  [
    attribute('resourceType', 'User or Group', { caseExact: true, ...readOnly }),
    attribute('created', 'Creation time', { type: 'dateTime', ...readOnly }),
    attribute('lastModified', 'Time of the last change', { type: 'dateTime', ...readOnly }),
    attribute('location', 'Its address', { type: 'reference', caseExact: true, referenceTypes: ['uri'], ...readOnly }),
    attribute('version', 'Weak entity tag', { caseExact: true, ...readOnly }),
  ],
  readOnly,
);

/** Attributes of every resource that are in no schema document (RFC 7643 §3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'URNs of the schemas', {
    multiValued: true,
    type: 'reference',
    required: true,
    returned: 'always',
  }),
  idOf('resource'),
  externalId,
  meta,
];

const keptList = (name: string, description: string, value: Partial<Attribute> = {}) =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value', value),
      attribute('display', 'What people read'),
      attribute('type', 'Type, e.g. work'),
      isPrimary,
    ],
    { multiValued: true },
  );

/** User attributes without a column, stored and returned as the directory sends them (decision 120). */
export const STORED_ATTRIBUTES: readonly Attribute[] = [
  attribute('nickName', 'Display names'),
  attribute('profileUrl', 'URL of a page about the user', { type: 'reference', referenceTypes: ['external'] }),
  attribute('title', 'Title, e.g. Vice President'),
  attribute('userType', 'Such as Contractor'),
  attribute('preferredLanguage', 'Such as en-US'),
  attribute('locale', 'Such as en-US'),
  attribute('timezone', 'Such as Europe/Stockholm'),
  complex(
    'addresses',
    'Postal addresses',
    [
      attribute('formatted', 'Formatted for mailing'),
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
  keptList('ims', 'Instant messaging addresses'),
  keptList('photos', 'Addresses of pictures'),
  keptList('entitlements', 'Entitlements of the user'),
  keptList('x509Certificates', 'Certificates in base64-encoded DER', { type: 'binary', caseExact: true }),
];

/** Sub-attributes of `name` without a column. */
export const STORED_NAME_PARTS: readonly Attribute[] = [
  attribute('middleName', 'Middle names'),
  attribute('honorificPrefix', 'Such as Ms.'),
  attribute('honorificSuffix', 'Such as III'),
];

/** Attributes of the enterprise extension without a column. */
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
  attribute('displayName', 'Full name; used to derive missing first and last names'),
  attribute('active', 'True if the user is enabled; disabling ends all sessions immediately', { type: 'boolean' }),
  complex(
    'emails',
    'Email addresses, of which the portal uses the primary one',
    [
      attribute('value', 'The address', { uniqueness: 'server' }),
      attribute('display', 'What people read'),
      attribute('type', 'Type; always work for the primary address', { canonicalValues: ['work', 'home', 'other'] }),
      isPrimary,
    ],
    { multiValued: true },
  ),
  keptList('phoneNumbers', 'Phone numbers, of which the portal uses the mobile one, in international format'),
  complex(
    'roles',
    'The only role of the user',
    [attribute('value', 'Code or name of the role'), attribute('display', 'Its name', readOnly), isPrimary],
    { multiValued: true },
  ),
  complex(
    'groups',
    "The user's role and groups",
    [
      attribute('value', 'Id of the group', { caseExact: true, ...readOnly }),
      refTo('Group'),
      attribute('display', 'Its name', readOnly),
      attribute('type', 'Always direct', { canonicalValues: ['direct'], ...readOnly }),
    ],
    { multiValued: true, ...readOnly },
  ),
  ...STORED_ATTRIBUTES,
];

export const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  attribute('employeeNumber', 'The primary attribute of the organisation', { uniqueness: 'server' }),
  complex('manager', "The user's manager", [
    attribute('value', 'Id of the manager', { caseExact: true }),
    refTo('User'),
  ]),
  ...STORED_ENTERPRISE,
];

export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute('displayName', 'Name of the group or role; read-only for roles', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'Members of the group or role; omitted if there are more than 10,000',
    [
      attribute('value', 'Id of the user', { caseExact: true, mutability: 'immutable' }),
      refTo('User'),
      attribute('display', 'Name of the user', readOnly),
      attribute('type', 'Always User', { canonicalValues: ['User'], mutability: 'immutable' }),
    ],
    { multiValued: true },
  ),
];

/** Attributes that directories send and the portal accepts but never stores, in lower case: users have no password. */
export const IGNORED_ATTRIBUTES: ReadonlySet<string> = new Set(['password']);

/** Finds an attribute by name, ignoring case. */
export const attributeNamed = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((known) => known.name.toLowerCase() === name.toLowerCase());

/** Returns the paths, in lower case, of case-sensitive attributes; the path of a list also stands for its values. */
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

/** Returns an attribute name as the schemas spell it: names are case-insensitive (RFC 7643 §2.1). */
export const spelling = (name: string): string => spellings.get(name.toLowerCase()) ?? name;
