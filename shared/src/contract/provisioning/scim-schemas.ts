import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, nameText, optionalDisplayText, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

/** Types in RFC 7643 §2.3 with a single value. */
export const SCIM_SIMPLE_TYPES = [
  'string',
  'boolean',
  'integer',
  'decimal',
  'dateTime',
  'reference',
  'binary',
] as const;

/** Attributes that every resource has (RFC 7643 §3.1), in lower case. */
const COMMON: ReadonlySet<string> = new Set(['schemas', 'id', 'externalid', 'meta']);

/** RFC 7643 §2.1. */
const attributeName = text(60)
  .regex(/^[A-Za-z][A-Za-z0-9$_-]*$/, 'Names must start with a letter and contain only letters, digits, -, _ and $')
  .refine((name) => !COMMON.has(name.toLowerCase()), 'Every user already has this attribute');

const isTwiceIn = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase())).size < names.length;

/** Characteristics that all attributes have, with the defaults from RFC 7643 §2.2. */
const characteristics = z.object({
  /** Name of the attribute, e.g. `costCode`. */
  name: attributeName,
  /** Description for directories. */
  description: optionalDisplayText(300).default(''),
  /** True if people who have any value in the schema, or in the complex attribute, must have this attribute. */
  required: z.boolean().default(false),
  /** True if strings are compared case-sensitively. */
  caseExact: z.boolean().default(false),
  /** Allowed strings. Empty allows any string. */
  canonicalValues: z
    .array(displayText(100))
    .max(LIMITS.scimCanonicalValues, `At most ${LIMITS.scimCanonicalValues} values`)
    .refine((values) => !isTwiceIn(values), 'Each value can be listed only once')
    .default([]),
});

const onlyTexts = ({ type, canonicalValues }: { type: string; canonicalValues: readonly string[] }) =>
  type === 'string' || canonicalValues.length === 0;
const onlyTextsRule = { path: ['canonicalValues'], message: 'Only string attributes can have allowed values' };

const scimPart = characteristics
  .extend({
    /** Data type (RFC 7643 §2.3). */
    type: z.enum(SCIM_SIMPLE_TYPES).default('string'),
  })
  .refine(onlyTexts, onlyTextsRule);

export const scimAttribute = characteristics
  .extend({
    /** Data type (RFC 7643 §2.3). */
    type: z.enum([...SCIM_SIMPLE_TYPES, 'complex']).default('string'),
    /** True if a user can have several values. */
    multiValued: z.boolean().default(false),
    /** `immutable` attributes cannot change once they have a value. */
    mutability: z.enum(['readWrite', 'immutable']).default('readWrite'),
    /** `request` attributes are returned only if a directory requests them by name. */
    returned: z.enum(['default', 'always', 'request']).default('default'),
    /** A complex attribute's sub-attributes. */
    subAttributes: z
      .array(scimPart)
      .max(LIMITS.scimParts, `At most ${LIMITS.scimParts} sub-attributes`)
      .refine((parts) => !isTwiceIn(parts.map(({ name }) => name)), 'Sub-attributes must have different names')
      .default([]),
  })
  .refine(onlyTexts, onlyTextsRule)
  .refine(({ type, subAttributes }) => (type === 'complex') === subAttributes.length > 0, {
    path: ['subAttributes'],
    message: 'Complex attributes, and only complex attributes, must have sub-attributes',
  });
export type ScimAttribute = z.output<typeof scimAttribute>;
export type ScimPart = z.output<typeof scimPart>;

const RESERVED = 'urn:ietf:';
const EXTENSIONS = 'urn:ietf:params:scim:schemas:extension:';

/**
 * Returns true if a URN is reserved by the IETF. Unassigned URNs that Entra ID and Okta derive from a company's name
 * don't count as reserved (decision 120).
 */
function isReserved(urn: string): boolean {
  const lower = urn.toLowerCase();
  if (!lower.startsWith(RESERVED)) return false;
  return !lower.startsWith(EXTENSIONS) || /^enterprise(:|$)/.test(lower.slice(EXTENSIONS.length));
}

/** A schema URN (RFC 7643 §10, RFC 8141), without characters that would need escaping in a URL or a filter. */
export const scimSchemaUrn = text(200)
  .regex(
    /^[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9-]*(:[A-Za-z0-9._-]+)+$/,
    'Enter a URN such as urn:example:hr:2.0:User, using letters, digits, -, . and _',
  )
  .refine((urn) => !isReserved(urn), 'This URN is reserved by a standard. Choose a different URN');

export const scimSchemaForm = z.object({
  /** Display name. */
  name: nameText(100),
  /** Description for directories. */
  description: optionalDisplayText(300).default(''),
  /** Attributes that the schema adds to users. */
  attributes: z
    .array(scimAttribute)
    .min(1, 'Schemas must have at least one attribute')
    .max(LIMITS.scimAttributes, `At most ${LIMITS.scimAttributes} attributes`)
    .refine((attributes) => !isTwiceIn(attributes.map(({ name }) => name)), 'Attributes must have different names')
    .refine(
      (attributes) => JSON.stringify(attributes).length <= LIMITS.scimSchemaCharacters,
      `A schema's attributes must fit in ${LIMITS.scimSchemaCharacters} characters of JSON`,
    ),
});
export type ScimSchemaForm = z.output<typeof scimSchemaForm>;

/** An extension of the user schema that the organisation has registered (decision 120). */
const scimSchema = scimSchemaForm.extend({
  schemaId: z.string(),
  urn: z.string(),
  createdAt: z.string(),
  /** Version for the `If-Match` header. */
  version: z.string(),
});
export type ScimSchema = z.output<typeof scimSchema>;

const access = { who: 'permission', permission: 'SCIM_PROVISIONING' } as const;
const area = 'Settings' as const;
const params = z.object({ schemaId: id });
/** Confirms that people's values that no longer fit will be deleted. Without confirmation, the change is refused. */
const deleteValues = z.boolean().default(false);

export const listScimSchemas = endpoint({
  method: 'GET',
  path: '/scim/schemas',
  area,
  access,
  summary: 'List the schemas for additional attributes from directories, by URN',
  reply: z.object({ schemas: z.array(scimSchema) }),
});

export const createScimSchema = endpoint({
  method: 'POST',
  path: '/scim/schemas',
  area,
  access,
  unversioned: 'creates',
  summary:
    "Register a schema with its URN, which can't be changed later; directories can use its attributes immediately",
  body: scimSchemaForm.extend({ urn: scimSchemaUrn }),
  reply: z.object({ schema: scimSchema }),
  events: ['scim-schema.created'],
});

export const updateScimSchema = endpoint({
  method: 'PUT',
  path: '/scim/schemas/:schemaId',
  area,
  access,
  versioned: 'scim-schema',
  current: scimSchemaForm,
  summary:
    'Change a schema; refused if people have values that would no longer fit, unless their deletion is confirmed',
  params,
  body: scimSchemaForm.extend({ deleteValues }),
  reply: z.object({ schema: scimSchema }),
  events: ['scim-schema.updated'],
});

export const deleteScimSchema = endpoint({
  method: 'DELETE',
  path: '/scim/schemas/:schemaId',
  area,
  access,
  unversioned: 'deletes',
  summary: 'Delete a schema; refused if people have values for it, unless their deletion is confirmed',
  params,
  body: z.object({ deleteValues }),
  reply: z.object({}),
  events: ['scim-schema.deleted'],
});
