import { scimSchemaRepo, type Tx } from '@orchestrate/db';
import type { ScimAttribute, ScimPart } from '@orchestrate/shared';
import { type Attribute, ENTERPRISE_ATTRIBUTES, ENTERPRISE_SCHEMA } from './attributes.ts';

/** A schema extension for users (RFC 7643 §3.3). */
export interface Extension {
  urn: string;
  attributes: readonly Attribute[];
}

/** An extension registered by an organisation (decision 120). */
export interface RegisteredExtension extends Extension {
  name: string;
  description: string;
}

export const ENTERPRISE: Extension = { urn: ENTERPRISE_SCHEMA, attributes: ENTERPRISE_ATTRIBUTES };

/** Returns the organisation's registered extensions. */
export const extensionsOf = (tx: Tx, orgCode: string): readonly RegisteredExtension[] =>
  scimSchemaRepo.listScimSchemas(tx, orgCode).map(toRegisteredExtension);

export const toRegisteredExtension = ({ urn, name, description, attributes }: scimSchemaRepo.ScimSchemaRow) => ({
  urn,
  name,
  description,
  attributes: attributes.map(attributeOf),
});

const attributeOf = ({ subAttributes, ...attribute }: ScimAttribute): Attribute => ({
  ...simpleOf(attribute),
  ...(subAttributes.length > 0 && { subAttributes: subAttributes.map(simpleOf) }),
});

/** Returns a registered attribute with defaults added. */
const simpleOf = ({ canonicalValues, ...attribute }: ScimPart | Omit<ScimAttribute, 'subAttributes'>): Attribute => ({
  multiValued: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...(attribute.type === 'reference' && { referenceTypes: ['external'] }),
  ...(canonicalValues.length > 0 && { canonicalValues }),
  isStrict: true,
  ...attribute,
  // RFC 7643 §2.3.6, §2.3.7.
  caseExact: attribute.caseExact || attribute.type === 'binary' || attribute.type === 'reference',
});

/**
 * Splits a name or path into its extension, ignoring case, and the rest after the URN, which is '' for the extension
 * itself. At most one extension matches, because none of an organisation's URNs is a prefix of another.
 */
export function extensionAt<Known extends Extension>(
  extensions: readonly Known[],
  path: string,
): { extension: Known; rest: string } | undefined {
  const lower = path.toLowerCase();
  const extension = extensions.find(({ urn }) => {
    const key = urn.toLowerCase();
    return lower === key || lower.startsWith(`${key}:`);
  });
  return extension && { extension, rest: path.slice(extension.urn.length + 1) };
}
