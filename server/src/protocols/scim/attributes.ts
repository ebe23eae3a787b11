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

const isPrimary = attribute('primary', 'Whether it is the one that is used', { type: 'boolean' });
const readOnly = { mutability: 'readOnly' } as const;
const refTo = (...referenceTypes: string[]) =>
  attribute('$ref', 'Its address', { type: 'reference', caseExact: true, referenceTypes, ...readOnly });

const idOf = (what: string) =>
  attribute('id', `Id of the ${what}`, { caseExact: true, returned: 'always', uniqueness: 'server', ...readOnly });
const externalId = attribute('externalId', 'Id that the directory has for it', { caseExact: true });

const meta = complex(
  'meta',
  'About the resource',
  [
    attribute('resourceType', 'User or Group', { caseExact: true, ...readOnly }),
    attribute('created', 'When it was made', { type: 'dateTime', ...readOnly }),
    attribute('lastModified', 'When a directory last changed it', { type: 'dateTime', ...readOnly }),
    attribute('location', 'Its address', { type: 'reference', caseExact: true, referenceTypes: ['uri'], ...readOnly }),
    attribute('version', 'Its weak entity tag', { caseExact: true, ...readOnly }),
  ],
  readOnly,
);

/** Attributes of every resource that are in no schema document (RFC 7643 §3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'What it is made of', {
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
      attribute('type', 'What it is used for'),
      isPrimary,
    ],
    { multiValued: true },
  );

/** User attributes without a column, stored and returned as the directory sends them (decision 120). */
export const KEPT_ATTRIBUTES: readonly Attribute[] = [
  attribute('nickName', 'How the person is called'),
  attribute('profileUrl', 'Address of a page about the person', { type: 'reference', referenceTypes: ['external'] }),
  attribute('title', 'Such as Vice President'),
  attribute('userType', 'Such as Contractor'),
  attribute('preferredLanguage', 'Such as en-US'),
  attribute('locale', 'Such as en-US'),
  attribute('timezone', 'Such as Europe/Stockholm'),
  complex(
    'addresses',
    'Postal addresses',
    [
      attribute('formatted', 'As it stands on a letter'),
      attribute('streetAddress', 'Street and number'),
      attribute('locality', 'City'),
      attribute('region', 'State or region'),
      attribute('postalCode', 'Postal code'),
      attribute('country', 'ISO 3166-1 alpha-2'),
      attribute('type', 'What it is used for', { canonicalValues: ['work', 'home', 'other'] }),
      isPrimary,
    ],
    { multiValued: true },
  ),
  keptList('ims', 'Addresses of instant messaging'),
  keptList('photos', 'Addresses of pictures'),
  keptList('entitlements', 'What the person may have'),
  keptList('x509Certificates', 'Certificates: DER, in base64', { type: 'binary', caseExact: true }),
];

/** Sub-attributes of `name` without a column. */
export const KEPT_NAMES: readonly Attribute[] = [
  attribute('middleName', 'Middle names'),
  attribute('honorificPrefix', 'Such as Ms.'),
  attribute('honorificSuffix', 'Such as III'),
];

/** Attributes of the enterprise extension without a column. */
export const KEPT_ENTERPRISE: readonly Attribute[] = [
  attribute('costCenter', 'Cost centre'),
  attribute('organization', 'Organisation'),
  attribute('division', 'Division'),
  attribute('department', 'Department'),
];

export const USER_ATTRIBUTES: readonly Attribute[] = [
  attribute('userName', 'What the directory calls the person: an email address or a name of its own', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'The parts of the name', [
    attribute('formatted', 'First and last name', readOnly),
    attribute('familyName', 'Last name'),
    attribute('givenName', 'First name'),
    ...KEPT_NAMES,
  ]),
  attribute('displayName', 'First and last name unless another is given; split into them where those are not given'),
  attribute('active', 'Whether the person is enabled; disabling ends every session at once', { type: 'boolean' }),
  complex(
    'emails',
    'Email addresses: the primary one is the one that the portal uses',
    [
      attribute('value', 'The address', { uniqueness: 'server' }),
      attribute('display', 'What people read'),
      attribute('type', 'The one that the portal uses is always work', { canonicalValues: ['work', 'home', 'other'] }),
      isPrimary,
    ],
    { multiValued: true },
  ),
  keptList('phoneNumbers', 'Phone numbers: the portal uses the mobile one, in international form'),
  complex(
    'roles',
    'The role: everybody has one',
    [attribute('value', 'Code of the role, or its name'), attribute('display', 'Its name', readOnly), isPrimary],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The role and the groups that the person is in',
    [
      attribute('value', 'Id of the group', { caseExact: true, ...readOnly }),
      refTo('Group'),
      attribute('display', 'Its name', readOnly),
      attribute('type', 'Always direct', { canonicalValues: ['direct'], ...readOnly }),
    ],
    { multiValued: true, ...readOnly },
  ),
  ...KEPT_ATTRIBUTES,
];

export const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  attribute('employeeNumber', 'The primary attribute of the organisation', { uniqueness: 'server' }),
  complex('manager', 'To whom the person reports', [
    attribute('value', 'Id of the manager', { caseExact: true }),
    refTo('User'),
  ]),
  ...KEPT_ENTERPRISE,
];

export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute('displayName', 'Name of the group or role; a role keeps it', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'Who is in the group, or has the role; left out where they are more than 10 000',
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
export const UNKEPT: ReadonlySet<string> = new Set(['password']);

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
